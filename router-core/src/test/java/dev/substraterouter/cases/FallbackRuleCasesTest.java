package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.archive;
import static dev.substraterouter.cases.Plan.cloud;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.work;
import static dev.substraterouter.cases.Rig.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Role;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of the section "Fallback that breaks a rule; retries". */
@ExtendWith(QuietLog.class)
@Timeout(60)
class FallbackRuleCasesTest {
    private static final Supplier<Exception> NODE = () -> new SubstrateFaultException("502");

    /** Has every attempt fail in one way; returns where they were, in order. */
    private static List<String> failing(Rig rig, RouteRequest request, Supplier<Exception> failure) {
        List<String> tried = new ArrayList<>();
        Exception first = failure.get();
        assertThatThrownBy(() -> rig.router.call(request, placement -> {
                    tried.add(placement.substrateId());
                    throw failure.get();
                }))
                .isInstanceOf(first.getClass());
        return tried;
    }

    /** The same without a thread that waits. */
    private static List<String> failingLater(Rig rig, RouteRequest request, Supplier<Exception> failure) {
        List<String> tried = new ArrayList<>();
        CompletableFuture<String> result = rig.router.callAsync(request, placement -> {
            tried.add(placement.substrateId());
            return CompletableFuture.failedFuture(failure.get());
        });
        assertThat(result).isCompletedExceptionally();
        return tried;
    }

    // R58

    @Test
    @DisplayName("a substrate that the identity may not use appears in no attempt, however the others fail [R58]")
    void whatTheIdentityMayNotUseIsNeverTried() {
        Policy.Builder policy = Plan.policy(
                        work().privacy(Trust.PUBLIC)
                                .route("a", "b", "cloud", "c")
                                .batch(Candidate.on("archive")),
                        node("a", 1),
                        node("b", 1).acceptsRoles("operator"),
                        cloud("cloud"),
                        node("c", 1),
                        archive().acceptsRoles("operator"))
                .role(Role.builder("agent")
                        .identities("agent")
                        .workloads("*")
                        .capabilities("*")
                        .build())
                .role(Role.builder("operator").identities("ops").workloads("*").build());
        RouteRequest request = WORK.identity("agent").maxWait(Duration.ZERO).priority(Priority.LOW);
        for (Supplier<Exception> failure :
                List.of(NODE, () -> new ConnectException("refused"), () -> new BackpressureException(seconds(60)))) {
            try (Rig rig = new Rig(policy)) {
                assertThat(failing(rig, request, failure)).containsExactly("a", "c");
                assertThat(rig.lastTrace().attempts())
                        .extracting(Attempt::substrateId)
                        .containsExactly("a", "c");
            }
            try (Rig rig = new Rig(policy)) {
                assertThat(failingLater(rig, request, failure)).containsExactly("a", "c");
            }
        }
    }

    // R59

    @Test
    @DisplayName("every attempt is held to the original request, and to nothing that an attempt has added [R59]")
    void everyAttemptIsHeldToTheOriginalRequest() {
        RouteRequest request = WORK.avoid("b")
                .prefer("c")
                .attribute("tenant", "x")
                .requestId("r")
                .maxWait(Duration.ZERO);
        try (Rig rig = new Rig(Rig.pool(1, "a", "b", "c", "d"))) {
            assertThat(failing(rig, request, NODE)).containsExactly("c", "a", "d");
            RoutingTrace trace = rig.lastTrace();
            assertThat(trace.attributes()).containsOnlyKeys("tenant").containsEntry("tenant", "x");
            assertThat(request.avoid()).containsExactly("b");
            rig.freshen();
            assertThat(failing(rig, request, NODE)).as("the same request again").containsExactly("c", "a", "d");
        }
    }

    @Test
    @DisplayName("what really ran in one attempt does not bind the next [R59]")
    void whatRanDoesNotBindTheNextAttempt() throws Exception {
        Policy.Builder policy = Plan.policy(
                work().route(
                                Candidate.builder("a")
                                        .model("m1")
                                        .modelVersion("1")
                                        .build(),
                                Candidate.builder("b")
                                        .model("m2")
                                        .modelVersion("2")
                                        .build()),
                node("a", 1),
                node("b", 1));
        try (Rig rig = new Rig(policy)) {
            String served = rig.router.<String, Exception>call(WORK, placement -> {
                if (placement.attempt() == 1) {
                    placement.served("other", "9");
                    throw new IOException("reset");
                }
                return placement.candidate().model().orElseThrow();
            });
            assertThat(served).isEqualTo("m2");
            assertThat(rig.lastTrace().attempts())
                    .extracting(attempt -> attempt.model().orElseThrow())
                    .containsExactly("other", "m2");
        }
    }

    // R61

    private static Policy.Builder regions() {
        return Plan.policy(
                work().capabilities("eu").route("eu-1", "us", "eu-2", "eu-cloud"),
                node("eu-1", 1).capabilities("eu"),
                node("us", 1).capabilities("us"),
                node("eu-2", 1).capabilities("EU"),
                cloud("eu-cloud").capabilities("eu"));
    }

    @Test
    @DisplayName("a region is kept on every attempt, by capability, trust and avoidance [R61]")
    void aRegionIsKeptOnEveryAttempt() {
        RouteRequest work = WORK.maxWait(Duration.ZERO);
        RouteRequest need =
                RouteRequest.need(Need.builder().capabilities("eu").build()).maxWait(Duration.ZERO);
        for (RouteRequest request : List.of(work, need, work.prefer("us"), need.prefer("us"))) {
            try (Rig rig = new Rig(regions())) {
                assertThat(failing(rig, request, NODE)).containsExactly("eu-1", "eu-2");
            }
            try (Rig rig = new Rig(regions())) {
                assertThat(failing(rig, request, () -> new BackpressureException(seconds(9))))
                        .containsExactly("eu-1", "eu-2");
            }
            try (Rig rig = new Rig(regions())) {
                assertThat(failing(rig, request.avoid("eu-2"), NODE)).containsExactly("eu-1");
            }
            try (Rig rig = new Rig(regions())) {
                rig.place(request);
                rig.place(request);
                assertThat(rig.router.tryPlace(request)).as("us is free").isEmpty();
                CompletableFuture<Placement> waiter = rig.router.placeAsync(request.maxWait(seconds(30)));
                rig.time.advance(seconds(29));
                assertThat(waiter).isNotDone();
                assertThat(rig.leases("us")).isZero();
                assertThat(rig.leases("eu-cloud")).isZero();
            }
        }
    }

    // R62

    @Test
    @DisplayName("before the answer has begun a failed attempt is repeated elsewhere [R62]")
    void beforeTheAnswerHasBegunItFailsOver() throws Exception {
        try (Rig rig = new Rig(Rig.pool(1, "a", "b"))) {
            String where = rig.router.<String, Exception>call(WORK, placement -> {
                if (placement.substrateId().equals("a")) {
                    throw new SubstrateFaultException("cut");
                }
                return placement.substrateId();
            });
            assertThat(where).isEqualTo("b");
            assertThat(rig.lastTrace().served()).isTrue();
        }
    }

    @Test
    @DisplayName("once the answer has begun nothing is repeated, and the trace says that it was cut [R62] [R64]")
    void onceTheAnswerHasBegunNothingIsRepeated() {
        for (Exception cut : List.of(
                new SubstrateFaultException("cut"),
                new IOException("reset"),
                new ConnectException("refused"),
                new BackpressureException(seconds(1)))) {
            for (boolean later : new boolean[] {false, true}) {
                try (Rig rig = new Rig(Rig.pool(1, "a", "b"))) {
                    List<String> tried = new ArrayList<>();
                    Throwable failure = null;
                    try {
                        if (later) {
                            rig.router
                                    .callAsync(WORK, placement -> {
                                        tried.add(placement.substrateId());
                                        placement.commit();
                                        return CompletableFuture.failedFuture(cut);
                                    })
                                    .join();
                        } else {
                            rig.router.call(WORK, placement -> {
                                tried.add(placement.substrateId());
                                placement.commit();
                                throw cut;
                            });
                        }
                    } catch (CompletionException wrapped) {
                        failure = wrapped.getCause();
                    } catch (Exception thrown) {
                        failure = thrown;
                    }
                    assertThat(failure).isSameAs(cut);
                    assertThat(tried).containsExactly("a");
                    RoutingTrace trace = rig.lastTrace();
                    assertThat(trace.served()).isFalse();
                    assertThat(trace.attempts()).hasSize(1);
                    assertThat(trace.attempts().get(0).outcome()).isNotIn(Outcome.SUCCEEDED, Outcome.OPEN);
                    assertThat(trace.attempts().get(0).error()).isPresent();
                }
            }
        }
    }

    // R64

    @Test
    @DisplayName("an answer that just stops is never reported as served [R64]")
    void anAnswerThatStopsIsNotServed() {
        try (Rig rig = new Rig(Rig.pool(1, "a"))) {
            try (Placement placement = rig.place()) {
                placement.commit();
            }
            assertThat(rig.lastTrace().served()).isFalse();
            assertThat(rig.lastTrace().attempts().get(0).outcome()).isEqualTo(Outcome.NEUTRAL);
            Placement cut = rig.place();
            cut.commit();
            cut.fail(new IOException("reset"));
            cut.succeed();
            assertThat(rig.lastTrace().served()).isFalse();
            assertThat(rig.lastTrace().attempts().get(0).outcome()).isEqualTo(Outcome.NODE_FAULT);
            assertThat(rig.heard(RouterEvent.Failed.class)).hasSize(1);
        }
    }

    // R65

    static Stream<Arguments> failures() {
        return Stream.of(
                arguments("a fault of the substrate", NODE),
                arguments("no connection", (Supplier<Exception>) () -> new ConnectException("refused")),
                arguments("a full worker", (Supplier<Exception>) () -> new BackpressureException(seconds(60))),
                arguments("no memory", (Supplier<Exception>) () -> SubstrateFaultException.outOfMemory("cuda")),
                arguments("the request's fault", (Supplier<Exception>) () -> new IllegalArgumentException("400")),
                arguments("a cancelled attempt", (Supplier<Exception>)
                        () -> new java.util.concurrent.CancellationException("stop")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    @DisplayName("blocking and asynchronous calls decide alike [R65]")
    void bothCallsDecideAlike(String what, Supplier<Exception> failure) {
        for (boolean idempotent : new boolean[] {true, false}) {
            for (String preferred : List.of("a", "b", "c")) {
                RouteRequest request =
                        WORK.idempotent(idempotent).prefer(preferred).maxWait(Duration.ZERO);
                try (Rig one = new Rig(Rig.pool(2, "a", "b", "c"));
                        Rig other = new Rig(Rig.pool(2, "a", "b", "c"))) {
                    one.router.cordon("b");
                    other.router.cordon("b");
                    assertThat(failingLater(other, request, failure)).isEqualTo(failing(one, request, failure));
                    assertThat(other.lastTrace().attempts())
                            .extracting(Attempt::outcome)
                            .isEqualTo(one.lastTrace().attempts().stream()
                                    .map(Attempt::outcome)
                                    .toList());
                    assertThat(other.leases()).isEqualTo(one.leases());
                }
            }
        }
    }

    // R67, R68

    @Test
    @DisplayName("each candidate is tried once after a fault, and the work runs once for each attempt [R67] [R68]")
    void eachCandidateIsTriedOnce() {
        for (int candidates = 1; candidates <= 5; candidates++) {
            String[] ids =
                    List.of("a", "b", "c", "d", "e").subList(0, candidates).toArray(String[]::new);
            try (Rig rig = new Rig(Rig.pool(4, ids))) {
                assertThat(failing(rig, WORK, NODE)).containsExactly(ids);
                assertThat(rig.lastTrace().attempts()).hasSize(candidates);
                assertThat(rig.heard(RouterEvent.Failed.class)).hasSize(candidates);
                assertThat(rig.waiting()).isZero();
            }
        }
    }

    @Test
    @DisplayName("a request that everybody sends away ends within its budget, with few attempts [R67]")
    void backpressureEndsWithinTheBudget() {
        try (Rig rig = new Rig(Rig.pool(4, "a", "b"))) {
            List<String> tried = new ArrayList<>();
            CompletableFuture<String> result = rig.router.callAsync(WORK.maxWait(seconds(10)), placement -> {
                tried.add(placement.substrateId());
                return CompletableFuture.failedFuture(new BackpressureException(Duration.ZERO));
            });
            assertThat(tried).as("not before 1 s").containsExactly("a", "b");
            assertThat(result).isNotDone();
            for (int i = 0; i < 200 && !result.isDone(); i++) {
                rig.time.advance(Duration.ofMillis(100));
            }
            assertThat(result).isCompletedExceptionally();
            assertThatThrownBy(result::join).cause().isInstanceOf(BackpressureException.class);
            assertThat(tried).hasSizeBetween(3, 22);
            assertThat(rig.lastTrace().waited()).isLessThanOrEqualTo(seconds(10));
            assertThat(rig.lastTrace().attempts()).hasSameSizeAs(tried);
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    @DisplayName("one budget covers the waiting of all attempts [R67]")
    void oneBudgetCoversAllAttempts() {
        try (Rig rig = new Rig(Rig.pool(1, "a"))) {
            Placement running = rig.place();
            CompletableFuture<String> result = rig.router.callAsync(
                    WORK.maxWait(seconds(10)),
                    placement -> CompletableFuture.failedFuture(new BackpressureException(seconds(60))));
            rig.time.advance(seconds(6));
            running.close(); // 4 s are left, and it is told to come back in 60
            assertThat(rig.time.nanos()).isPositive();
            rig.time.advance(seconds(4));
            assertThat(result).isCompletedExceptionally();
        }
    }

    // R70

    private static final class Lines extends Handler {
        final List<String> lines = new ArrayList<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("a configured fallback that can never serve is named with its reason when the policy is loaded [R70]")
    void aFallbackThatCanNeverServeIsNamed() {
        Policy.Builder policy = Plan.policy(
                work().capabilities("cuda")
                        .minQuality(0.8)
                        .route(
                                Candidate.builder("a").quality(0.9).build(),
                                Candidate.builder("outside").quality(0.9).build(),
                                Candidate.builder("poor").quality(0.5).build(),
                                Candidate.on("unknown-quality"),
                                Candidate.builder("unable").quality(0.9).build()),
                node("a", 1).capabilities("cuda"),
                cloud("outside").capabilities("cuda"),
                node("poor", 1).capabilities("cuda"),
                node("unknown-quality", 1).capabilities("cuda"),
                node("unable", 1));
        Lines log = new Lines();
        QuietLog.LOG.addHandler(log);
        try (Rig rig = new Rig(policy)) {
            String all = String.join("\n", log.lines);
            assertThat(all)
                    .contains("work")
                    .contains("outside", "public")
                    .contains("poor", "0.5")
                    .contains("unknown-quality")
                    .contains("unable", "cuda");
            log.lines.clear();
            rig.router.reload(policy.build());
            assertThat(String.join("\n", log.lines)).contains("outside", "poor", "unknown-quality", "unable");
            rig.place();
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            assertThat(rig.route().candidates()).containsExactly("a");
        } finally {
            QuietLog.LOG.removeHandler(log);
        }
    }

    @Test
    @DisplayName("a configured fallback that can serve does serve, and the trace tells that it did [R70]")
    void aFallbackThatCanServeServes() {
        try (Rig rig = new Rig(Rig.pool(1, "a", "b", "c"))) {
            for (String id : List.of("a", "b", "c")) {
                Placement placement = rig.place();
                assertThat(placement.substrateId()).isEqualTo(id);
                assertThat(placement.trace().fellBack()).isEqualTo(!id.equals("a"));
                assertThat(placement.degraded().contains(DegradedReason.NOT_PRIMARY))
                        .isEqualTo(!id.equals("a"));
            }
            assertThat(rig.heard(RouterEvent.FellBack.class)).isNotEmpty();
        }
    }

    // R71

    @Test
    @DisplayName("what a job needs filters every attempt: the first, the retry, the wait, the overflow [R71]")
    void capabilitiesFilterEveryAttempt() {
        Policy.Builder policy = Plan.policy(
                        work().capabilities("ctx-128k")
                                .privacy(Trust.PUBLIC)
                                .route("short-1", "long-1", "short-2", "long-2", "short-cloud"),
                        node("short-1", 1),
                        node("long-1", 1).capabilities("ctx 128K"),
                        node("short-2", 1).capabilities("ctx-8k"),
                        node("long-2", 1).capabilities("CTX_128K"),
                        cloud("short-cloud").overflow(true))
                .queue(QueueLimits.builder().capacity(1).build());
        try (Rig rig = new Rig(policy)) {
            assertThat(failing(rig, WORK.maxWait(Duration.ZERO), NODE)).containsExactly("long-1", "long-2");
            rig.freshen();
            Placement one = rig.place(WORK.prefer("short-1"));
            assertThat(one.substrateId()).isEqualTo("long-1");
            rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.time.advance(seconds(20));
            assertThat(waiter).isNotDone();
            one.close();
            assertThat(waiter.join().substrateId()).isEqualTo("long-1");
        }
    }
}
