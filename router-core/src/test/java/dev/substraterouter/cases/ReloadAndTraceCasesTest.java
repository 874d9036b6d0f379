package dev.substraterouter.cases;

import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cases of the section "Config, trace, explain" that concern reloads and traces. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class ReloadAndTraceCasesTest {

    /** Remembers what it is told to ask. */
    private static final class Asked implements StatusSource {
        final AtomicReference<StatusSink> sink = new AtomicReference<>();
        final List<List<String>> targets = new ArrayList<>();
        boolean broken;

        @Override
        public void start(StatusSink to) {
            sink.set(to);
        }

        @Override
        public void targets(List<StatusTarget> all) {
            targets.add(all.stream().map(StatusTarget::substrateId).toList());
            if (broken) {
                throw new IllegalStateException("broken source");
            }
        }

        @Override
        public void refresh(String substrateId) {
            if (broken) {
                throw new IllegalStateException("broken source");
            }
        }

        @Override
        public void close() {}

        List<String> last() {
            return targets.get(targets.size() - 1);
        }
    }

    private static Policy.Builder polled(String... ids) {
        Policy.Builder policy = Policy.builder()
                .health(pool(1, "any").build().health())
                .workload(Workload.builder("work").route(ids).build());
        for (String id : ids) {
            policy.substrate(Substrate.builder(id)
                    .endpoint("http://" + id + ":8188")
                    .status("http://" + id + ":9100/status")
                    .maxConcurrentJobs(2)
                    .build());
        }
        return policy;
    }

    // R83

    @Test
    @DisplayName("a substrate that a reload removes is asked no more, and what a late answer says is dropped [R83]")
    void aRemovedSubstrateIsAskedNoMore() {
        Asked source = new Asked();
        try (Rig rig = new Rig(polled("v100", "legion"), builder -> builder.statusSource(source))) {
            assertThat(source.last()).containsExactly("v100", "legion");
            StatusTicket late = source.sink.get().asking("legion");
            StatusTicket silent = source.sink.get().asking("legion");
            rig.router.reload(polled("v100", "rented").build());
            assertThat(source.last()).containsExactly("v100", "rented");
            assertThatCode(() -> late.answered(Statuses.idle(24))).doesNotThrowAnyException();
            assertThatCode(() -> silent.failed("timeout")).doesNotThrowAnyException();
            assertThatCode(() -> source.sink.get().asking("legion").answered(Statuses.idle(24)))
                    .doesNotThrowAnyException();
            assertThat(rig.router.substrates()).extracting("id").containsExactly("v100", "rented");
            assertThatThrownBy(() -> rig.router.reportStatus("legion", Statuses.idle(24)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("a status source that throws keeps neither the reload nor the other sources from going on [R83]")
    void aSourceThatThrowsStopsNoReload() {
        Asked broken = new Asked();
        Asked sound = new Asked();
        try (Rig rig =
                new Rig(polled("v100"), builder -> builder.statusSource(broken).statusSource(sound))) {
            broken.broken = true;
            assertThatCode(() -> rig.router.reload(polled("v100", "legion").build()))
                    .doesNotThrowAnyException();
            assertThat(sound.last()).containsExactly("v100", "legion");
            broken.broken = false;
            rig.router.reload(polled("legion").build());
            assertThat(sound.last()).containsExactly("legion");
            assertThat(broken.last()).as("it is told again").containsExactly("legion");
        }
    }

    @Test
    @DisplayName("what was known of a removed substrate is gone once its last lease has ended [R83]")
    void aRemovedSubstrateIsForgotten() {
        try (Rig rig = new Rig(pool(2, "v100", "legion"))) {
            rig.router.cordon("legion");
            rig.eject("v100");
            rig.router.reload(pool(2, "legion").build());
            rig.router.reload(pool(2, "v100", "legion").build());
            assertThat(rig.view("v100").ejectedUntil()).isEmpty();
            assertThat(rig.view("v100").lastError()).isEmpty();
            assertThat(rig.view("v100").status()).as("nothing said yet").isEmpty();
            assertThat(rig.view("legion").cordoned()).as("it was never removed").isTrue();
        }
    }

    @Test
    @DisplayName(
            "a removed substrate drains; it takes nothing new, and counts what runs there until it has ended [R83]")
    void aRemovedSubstrateDrains() {
        try (Rig rig = new Rig(pool(2, "v100", "legion"))) {
            Placement first = rig.place();
            Placement second = rig.place();
            CompletableFuture<Void> drained = rig.router.drain("v100");
            rig.router.reload(pool(2, "legion").build());
            assertThat(rig.place().substrateId()).isEqualTo("legion");
            first.succeed();
            assertThat(drained).isNotDone();
            rig.router.reload(pool(2, "v100", "legion").build());
            rig.healthy("v100");
            assertThat(rig.leases("v100"))
                    .as("it came back before its last lease ended")
                    .isEqualTo(1);
            assertThat(rig.view("v100").cordoned()).isTrue();
            second.succeed();
            assertThat(drained).isCompleted();
            assertThat(rig.leases("v100")).isZero();
            assertThatCode(first::close).doesNotThrowAnyException();
        }
    }

    @Test
    @DisplayName("a lease of a removed and forgotten substrate that ends late touches nothing of its successor [R83]")
    void aLateEndTouchesNoSuccessor() {
        try (Rig rig = new Rig(pool(1, "v100", "legion"))) {
            Placement late = rig.place();
            late.close();
            rig.router.reload(pool(1, "legion").build());
            rig.router.reload(pool(1, "v100", "legion").build());
            rig.healthy("v100");
            Placement now = rig.place();
            assertThat(now.substrateId()).isEqualTo("v100");
            late.nodeFault(new IOException("late"));
            late.close();
            assertThat(rig.leases("v100")).isEqualTo(1);
            assertThat(rig.view("v100").lastError()).isEmpty();
        }
    }

    @Test
    @DisplayName("waiters whose last candidate a reload removes are told so at once [R83]")
    void waitersWithoutACandidateAreRefused() {
        try (Rig rig = new Rig(pool(1, "v100"))) {
            rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.router.reload(pool(1, "legion")
                    .workload(Workload.builder("other").route("legion").build())
                    .build());
            assertThat(waiter).as("the new candidate may come").isNotDone();
            rig.router.reload(Policy.builder()
                    .substrate(Rig.substrate("legion", 1))
                    .workload(Workload.builder("other").route("legion").build())
                    .build());
            assertThat(Rig.refusal(waiter).reason()).isEqualTo(RefusalReason.UNKNOWN_WORKLOAD);
        }
    }

    // R85

    /** A source of policies that a test speaks for. */
    private static final class Brought implements PolicySource {
        private final Policy first;
        private final AtomicReference<PolicySink> sink = new AtomicReference<>();

        Brought(Policy first) {
            this.first = first;
        }

        PolicySink to() {
            return sink.get();
        }

        @Override
        public Policy current() {
            return first;
        }

        @Override
        public void start(PolicySink to) {
            sink.set(to);
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("a policy that is rejected leaves no trace of itself in what is in force [R85]")
    void aRejectedPolicyChangesNothing() {
        Asked source = new Asked();
        Brought policies = new Brought(pool(1, "v100", "legion").build());
        try (Rig rig = new Rig(builder -> builder.statusSource(source).policySource(policies))) {
            rig.place();
            rig.router.cordon("legion");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            var substrates = rig.router.substrates();
            var routes = rig.router.routes();
            Policy policy = rig.router.policy();
            int told = source.targets.size();
            policies.to().rejected(new PolicyException("a file", List.of(PolicyProblem.of("syntax", "", "no YAML"))));
            assertThat(rig.router.substrates()).isEqualTo(substrates);
            assertThat(rig.router.routes()).isEqualTo(routes);
            assertThat(rig.router.policy()).isSameAs(policy);
            assertThat(rig.router.rejectedPolicy()).isPresent();
            assertThat(source.targets).hasSize(told);
            assertThat(waiter).isNotDone();
            assertThat(rig.heard(RouterEvent.Reloaded.class)).isEmpty();
            assertThat(rig.heard(RouterEvent.ReloadRejected.class))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.revision()).isEqualTo(1);
                        assertThat(event.problems()).isNotEmpty();
                    });
            rig.router.uncordon("legion");
            assertThat(waiter.join().substrateId()).isEqualTo("legion");
            rig.router.reload(policy);
            assertThat(rig.router.policy().revision())
                    .as("a rejected policy takes no number")
                    .isEqualTo(2);
        }
    }

    @Test
    @DisplayName("a policy source that brings a bad policy is told of, and the last good one stays [R85]")
    void aBadPolicyOfASourceChangesNothing() {
        Brought source = new Brought(pool(1, "v100").build());
        List<RouterEvent> heard = new ArrayList<>();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policySource(source)
                .executor(Runnable::run)
                .listener(heard::add)
                .build()) {
            PolicyException noPolicy =
                    new PolicyException("a file", List.of(PolicyProblem.of("syntax", "", "no YAML")));
            source.to().rejected(noPolicy);
            assertThat(router.policy().revision()).isEqualTo(1);
            assertThat(heard).hasExactlyElementsOfTypes(RouterEvent.ReloadRejected.class);
            assertThat(router.rejectedPolicy()).containsSame(noPolicy);
            source.to().changed(pool(3, "v100").build());
            assertThat(router.policy().revision()).isEqualTo(2);
            assertThat(router.rejectedPolicy()).isEmpty();
            assertThat(router.substrates().get(0).maxConcurrentJobs()).isEqualTo(3);
        }
    }

    // R86

    private static Policy.Builder models() {
        return pool(1, "v100", "legion", "rented")
                .queue(QueueLimits.builder().capacity(1).build())
                .workload(Workload.builder("draw")
                        .route(
                                Candidate.builder("v100")
                                        .model("flux1-dev")
                                        .modelVersion("1.0")
                                        .format("gguf-q4")
                                        .build(),
                                Candidate.builder("legion")
                                        .model("flux1-dev")
                                        .modelVersion("1.1")
                                        .format("fp16")
                                        .build(),
                                Candidate.on("rented"))
                        .build());
    }

    private static final RouteRequest DRAW = RouteRequest.workload("draw");

    @Test
    @DisplayName(
            "the trace shows what was asked, every attempt with its model, outcome, reason and time, and what served [R86]")
    void theTraceShowsEveryAttempt() throws Exception {
        try (Rig rig = new Rig(models())) {
            rig.loaded("v100");
            RouteRequest request = DRAW.requestId("r-1").identity("studio").attribute("job", "7");
            String answer = rig.router.call(request, placement -> {
                rig.time.advance(Duration.ofMillis(40));
                if (placement.substrateId().equals("legion")) {
                    throw new SubstrateFaultException("500 from the worker");
                }
                placement.served("flux1-schnell", "2.0");
                return "done";
            });
            assertThat(answer).isEqualTo("done");
            RoutingTrace trace = rig.lastTrace();
            assertThat(trace.requestId()).isEqualTo("r-1");
            assertThat(trace.workload()).isEqualTo("draw");
            assertThat(trace.identity()).contains("studio");
            assertThat(trace.attributes()).isEqualTo(Map.of("job", "7"));
            assertThat(trace.revision()).isEqualTo(1);
            assertThat(trace.served()).isTrue();
            assertThat(trace.fellBack()).isTrue();
            assertThat(trace.refusal()).isEmpty();
            assertThat(trace.attempts()).hasSize(2);

            Attempt first = trace.attempts().get(0);
            assertThat(first.number()).isEqualTo(1);
            assertThat(first.substrateId()).isEqualTo("legion");
            assertThat(first.external()).isFalse();
            assertThat(first.endpoint()).contains(URI.create("http://legion:8188"));
            assertThat(first.model()).contains("flux1-dev");
            assertThat(first.version()).contains("1.1");
            assertThat(first.format()).contains("fp16");
            assertThat(first.mode()).isEqualTo(PlacementMode.INTERACTIVE);
            assertThat(first.degraded()).contains(DegradedReason.NOT_PRIMARY);
            assertThat(first.outcome()).isEqualTo(Outcome.NODE_FAULT);
            assertThat(first.error().orElseThrow()).contains("500 from the worker");
            assertThat(first.latency()).contains(Duration.ofMillis(40));
            assertThat(first.considered()).hasSize(2);
            assertThat(first.considered().get(0).has(Reason.GPU_UTIL)).isTrue();
            assertThat(first.considered().get(0)).hasToString("v100 gpu util 93 >= 70");

            Attempt second = trace.attempts().get(1);
            assertThat(second.number()).isEqualTo(2);
            assertThat(second.substrateId()).isEqualTo("rented");
            assertThat(second.model()).contains("flux1-schnell");
            assertThat(second.version()).contains("2.0");
            assertThat(second.outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(second.error()).isEmpty();
            assertThat(second.considered().get(1).has(Reason.FAILED_BEFORE)).isTrue();
            assertThat(rig.router.recentTraces().get(0)).isEqualTo(trace);
        }
    }

    @Test
    @DisplayName("a request that fails on every substrate has a row for each, none of them blank [R86]")
    void failedRowsAreNotBlank() {
        try (Rig rig = new Rig(models())) {
            assertThatThrownBy(() -> rig.router.call(DRAW, placement -> {
                        throw new ConnectException("refused by " + placement.substrateId());
                    }))
                    .hasMessage("refused by rented");
            RoutingTrace trace = rig.lastTrace();
            assertThat(trace.served()).isFalse();
            assertThat(trace.refusal()).as("why it was not tried again").contains(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
            assertThat(trace.attempts()).extracting(Attempt::substrateId).containsExactly("v100", "legion", "rented");
            assertThat(trace.attempts()).allSatisfy(attempt -> {
                assertThat(attempt.outcome()).isEqualTo(Outcome.NOT_STARTED);
                assertThat(attempt.error().orElseThrow()).contains("refused by " + attempt.substrateId());
                assertThat(attempt.latency()).isPresent();
                assertThat(attempt.considered()).isNotEmpty();
            });
            assertThat(trace.considered()).hasSize(3).allMatch(one -> one.has(Reason.FAILED_BEFORE));
        }
    }

    @Test
    @DisplayName("however a request ends, its trace says why it was not served at once where it was asked for [R86]")
    void everyEndSaysWhy() {
        try (Rig rig =
                new Rig(pool(1, "v100").queue(QueueLimits.builder().capacity(1).build()))) {
            Placement holder = rig.place(WORK.requestId("holder"));
            assertThat(rig.router.tryPlace(WORK.requestId("does not wait"))).isEmpty();
            assertBusy(rig, "does not wait", RefusalReason.NO_WAIT);

            CompletableFuture<Placement> cancelled = rig.router.placeAsync(WORK.requestId("cancelled"));
            assertThatThrownBy(() -> rig.router.place(WORK.requestId("queue full")))
                    .isInstanceOf(SubstratesBusyException.class);
            assertBusy(rig, "queue full", RefusalReason.QUEUE_FULL);
            rig.time.advance(Duration.ofMillis(300));
            cancelled.cancel(true);
            assertBusy(rig, "cancelled", null);
            assertThat(rig.lastTrace().waited()).isEqualTo(Duration.ofMillis(300));

            rig.router.placeAsync(WORK.requestId("expired").maxWait(Duration.ofMillis(200)));
            rig.time.advance(Duration.ofMillis(200));
            assertBusy(rig, "expired", RefusalReason.WAIT_EXPIRED);

            CompletableFuture<Placement> served = rig.router.placeAsync(WORK.requestId("served late"));
            rig.time.advance(Duration.ofMillis(100));
            holder.close();
            assertThat(rig.lastTrace().requestId()).isEqualTo("holder");
            served.join().succeed();
            assertBusy(rig, "served late", null);
            assertThat(rig.lastTrace().attempts().get(0).waited()).isEqualTo(Duration.ofMillis(100));
        }
    }

    private static void assertBusy(Rig rig, String requestId, RefusalReason refusal) {
        RoutingTrace trace = rig.lastTrace();
        assertThat(trace.requestId()).isEqualTo(requestId);
        assertThat(trace.refusal().orElse(null)).isEqualTo(refusal);
        assertThat(trace.considered()).as(requestId).singleElement().satisfies(candidate -> {
            assertThat(candidate.has(Reason.RUNNING_JOBS)).isTrue();
            assertThat(candidate).hasToString("v100 jobs 1/1");
        });
    }

    @Test
    @DisplayName("a fallback is labelled by what kept the primary: policy, capacity, health or failure [R86]")
    void aFallbackIsLabelled() {
        try (Rig rig = new Rig(pool(1, "v100", "legion"))) {
            assertWhy(rig, WORK.avoid("v100"), Reason.AVOIDED);
            try (Placement holder = rig.place()) {
                assertThat(holder.substrateId()).isEqualTo("v100");
                assertWhy(rig, WORK, Reason.RUNNING_JOBS);
            }
            rig.loaded("v100");
            assertWhy(rig, WORK, Reason.GPU_UTIL);
            rig.healthy("v100");
            rig.router.cordon("v100");
            assertWhy(rig, WORK, Reason.CORDONED);
            rig.router.uncordon("v100");
            rig.eject("v100");
            assertWhy(rig, WORK, Reason.EJECTED);
        }
    }

    private static void assertWhy(Rig rig, RouteRequest request, Reason reason) {
        rig.forgetEvents();
        try (Placement placement = rig.place(request)) {
            assertThat(placement.substrateId()).isEqualTo("legion");
            assertThat(placement.degraded()).contains(DegradedReason.NOT_PRIMARY);
            placement.succeed();
        }
        assertThat(rig.lastTrace().fellBack()).isTrue();
        assertThat(rig.lastTrace().attempts().get(0).considered().get(0).has(reason))
                .as("%s", reason)
                .isTrue();
        assertThat(rig.heard(RouterEvent.FellBack.class)).singleElement().satisfies(event -> {
            assertThat(event.primaryId()).isEqualTo("v100");
            assertThat(event.why()).extracting("reason").contains(reason);
        });
    }
}
