package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.cloud;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RouteView;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.TraceSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that say what they need and leave the place to the router. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class NeedPlacementTest {
    private static Policy.Builder pool(Substrate.Builder... substrates) {
        Policy.Builder policy = Plan.policy();
        for (Substrate.Builder substrate : substrates) {
            policy.substrate(substrate.build());
        }
        return policy;
    }

    private static RouteRequest need(Consumer<Need.Builder> more) {
        Need.Builder need = Need.builder();
        more.accept(need);
        return RouteRequest.need(need.build());
    }

    /** Where a need could go, in order, whether free now or not. */
    private static List<String> matches(Rig rig, RouteRequest request) {
        return rig.router.recommend(request).candidates().stream()
                .filter(RankedCandidate::admissible)
                .map(RankedCandidate::substrateId)
                .toList();
    }

    private static NoEligibleSubstrateException never(Rig rig, RouteRequest request) {
        NoEligibleSubstrateException refusal =
                catchThrowableOfType(NoEligibleSubstrateException.class, () -> rig.router.tryPlace(request));
        assertThat(refusal).as("%s", request).isNotNull();
        assertThat(refusal.reason()).isEqualTo(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        assertThat(rig.router.placeAsync(request)).as("at once").isCompletedExceptionally();
        assertThatThrownBy(() -> rig.router.place(request)).isInstanceOf(NoEligibleSubstrateException.class);
        return refusal;
    }

    @Test
    @DisplayName("capabilities are matched whatever their case, with _ and space as -")
    void capabilities() {
        try (Rig rig = new Rig(pool(
                node("a", 1).capabilities("CUDA", "Large_Bar"), node("b", 1).capabilities("cuda", "fp 8")))) {
            assertThat(matches(rig, need(need -> need.capabilities("cuda")))).containsExactly("a", "b");
            assertThat(matches(rig, need(need -> need.capabilities("large bar"))))
                    .containsExactly("a");
            assertThat(matches(rig, need(need -> need.capabilities("LARGE-BAR", "Cuda"))))
                    .containsExactly("a");
            assertThat(matches(rig, need(need -> need.capabilities("FP_8")))).containsExactly("b");
            assertThat(never(rig, need(need -> need.capabilities("rocm"))))
                    .hasMessageContaining("a ")
                    .hasMessageContaining("b ")
                    .hasMessageContaining("rocm");
            assertThat(never(rig, need(need -> need.capabilities("large-bar", "fp-8"))))
                    .hasMessageContaining("a lacks fp-8")
                    .hasMessageContaining("b lacks large-bar");
        }
    }

    @Test
    @DisplayName("a codebase must be held; the star holds any; absent holds none")
    void codebases() {
        try (Rig rig =
                new Rig(pool(node("all", 1).codebases("*"), node("mirage", 1).codebases("Mirage"), node("none", 1)))) {
            assertThat(matches(rig, need(need -> need.codebase("mirage")))).containsExactly("all", "mirage");
            assertThat(matches(rig, need(need -> need.codebase("MIRAGE")))).containsExactly("all", "mirage");
            assertThat(matches(rig, need(need -> need.codebase("oasis")))).containsExactly("all");
            assertThat(matches(rig, need(need -> {}))).containsExactly("all", "mirage", "none");
        }
        try (Rig rig = new Rig(pool(node("none", 1)))) {
            assertThat(never(rig, need(need -> need.codebase("mirage"))))
                    .hasMessageContaining("none")
                    .hasMessageContaining("mirage");
        }
    }

    @Test
    @DisplayName("what must be reachable must be reachable")
    void reaches() {
        try (Rig rig = new Rig(
                pool(node("a", 1).reaches("mcp:mirage", "db:prod"), node("b", 1).reaches("mcp:mirage")))) {
            assertThat(matches(rig, need(need -> need.reaches("mcp:mirage")))).containsExactly("a", "b");
            assertThat(matches(rig, need(need -> need.reaches("mcp:mirage", "DB:prod"))))
                    .containsExactly("a");
            assertThat(never(rig, need(need -> need.reaches("mcp:oasis")))).hasMessageContaining("mcp:oasis");
        }
    }

    @Test
    @DisplayName("the memory must fit one GPU, or all of them for a job that spans; kept-free memory counts")
    void vramThatEverFits() {
        try (Rig rig = new Rig(pool(
                node("two", 2).vramGb(64).gpus(2),
                node("one", 1).vramGb(48),
                node("kept", 1).vramGb(48).keepFreeGb(10)))) {
            SubstrateStatus two =
                    Statuses.healthy(64).gpu(gpu(0, 32)).gpu(gpu(1, 32)).build();
            rig.router.reportStatus("two", two);
            rig.router.reportStatus("one", Statuses.idle(48));
            rig.router.reportStatus("kept", Statuses.idle(48));
            assertThat(matches(rig, need(need -> need.vramGb(32)))).containsExactlyInAnyOrder("two", "one", "kept");
            assertThat(matches(rig, need(need -> need.vramGb(38)))).containsExactlyInAnyOrder("one", "kept");
            assertThat(matches(rig, need(need -> need.vramGb(39)))).containsExactly("one");
            assertThat(matches(rig, need(need -> need.vramGb(64).spansGpus(true))))
                    .containsExactly("two");
            NoEligibleSubstrateException refusal = never(rig, need(need -> need.vramGb(64)));
            assertThat(refusal)
                    .hasMessageContaining("two")
                    .hasMessageContaining("32")
                    .hasMessageContaining("64");
            assertThat(refusal).hasMessageContaining("one").hasMessageContaining("48");
            assertThat(refusal).hasMessageContaining("kept").hasMessageContaining("38");
        }
    }

    private static GpuStatus gpu(int index, double totalGb) {
        return GpuStatus.builder(index)
                .utilPct(3)
                .tempC(45)
                .vramUsedGb(0)
                .vramTotalGb(totalGb)
                .build();
    }

    @Test
    @DisplayName("what is taken now is no reason for never: it waits")
    void takenMemoryIsWaitedFor() {
        try (Rig rig = new Rig(pool(node("one", 4).vramGb(24)))) {
            Placement first = rig.place(need(need -> need.vramGb(20)));
            assertThat(rig.router.tryPlace(need(need -> need.vramGb(20)))).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(need(need -> need.vramGb(20)));
            assertThat(waiter).isNotDone();
            first.close();
            assertThat(waiter).isCompleted();
        }
    }

    @Test
    @DisplayName("what fits most tightly is taken first, ties by id")
    void tightestFitFirst() {
        try (Rig rig = new Rig(pool(
                node("huge", 1).vramGb(80),
                node("small-b", 1).vramGb(24),
                node("middle", 1).vramGb(48),
                node("small-a", 1).vramGb(24)))) {
            rig.router.reportStatus("huge", Statuses.idle(80));
            rig.router.reportStatus("middle", Statuses.idle(48));
            assertThat(matches(rig, need(need -> need.vramGb(20))))
                    .containsExactly("small-a", "small-b", "middle", "huge");
            assertThat(matches(rig, need(need -> need.vramGb(30)))).containsExactly("middle", "huge");
            assertThat(matches(rig, need(need -> need.vramGb(20)).prefer("middle")))
                    .containsExactly("middle", "small-a", "small-b", "huge");
            assertThat(matches(rig, need(need -> need.vramGb(20)).avoid("small-a", "huge")))
                    .containsExactly("small-b", "middle");
        }
    }

    @Test
    @DisplayName("content goes only where it is trusted; not said: to controlled places")
    void privacy() {
        try (Rig rig = new Rig(pool(node("own", 1), node("partner", 1).trust(Trust.PARTNER), cloud("world")))) {
            assertThat(matches(rig, need(need -> {}))).containsExactly("own");
            assertThat(matches(rig, need(need -> need.privacy(Trust.PARTNER))))
                    .containsExactlyInAnyOrder("own", "partner");
            assertThat(matches(rig, need(need -> need.privacy(Trust.PUBLIC))))
                    .containsExactlyInAnyOrder("own", "partner", "world");
        }
        try (Rig rig = new Rig(pool(cloud("world")))) {
            assertThat(never(rig, need(need -> {})))
                    .hasMessageContaining("world")
                    .hasMessageContaining("public")
                    .hasMessageContaining("controlled");
        }
    }

    @Test
    @DisplayName("a limit for which a substrate has no figure makes it unusable")
    void lackingFiguresAreUnusable() {
        try (Rig rig = new Rig(pool(node("plain", 1), node("priced", 1).costPerHour(3.6)))) {
            assertThat(never(rig, need(need -> need.minQuality(0.5)))).hasMessageContaining("quality");
            assertThat(never(rig, need(need -> need.maxLatency(seconds(60))))).hasMessageContaining("latency");
            assertThat(never(rig, need(need -> need.maxCost(5)))).hasMessageContaining("cost");
        }
    }

    @Test
    @DisplayName("a need that says how long it takes is held to latency and cost by it, the limits included")
    void durationsGiveFigures() {
        try (Rig rig = new Rig(pool(node("plain", 1), node("priced", 1).costPerHour(3.6)))) {
            assertThat(matches(rig, need(need -> need.duration(seconds(100)).maxLatency(seconds(100)))))
                    .containsExactly("plain", "priced");
            assertThat(never(rig, need(need -> need.duration(seconds(100)).maxLatency(seconds(99)))))
                    .hasMessageContaining("100")
                    .hasMessageContaining("99");
            assertThat(matches(rig, need(need -> need.duration(seconds(100)).maxCost(0.1))))
                    .containsExactly("priced");
            assertThat(never(rig, need(need -> need.duration(seconds(100)).maxCost(0.09))))
                    .hasMessageContaining("0.10")
                    .hasMessageContaining("0.09");
        }
    }

    @Test
    @DisplayName("a substrate that passed its gate too rarely is not taken, and may be later")
    void availability() {
        try (Rig rig = new Rig(pool(node("good", 1), node("bad", 1)))) {
            for (int i = 0; i < 100; i++) {
                rig.time.advance(seconds(5));
                rig.healthy("good");
                if (i % 4 == 3) {
                    rig.healthy("bad");
                } else {
                    rig.loaded("bad");
                }
            }
            rig.healthy("bad");
            assertThat(rig.view("bad").availability().orElseThrow()).isBetween(0.15, 0.35);
            assertThat(matches(rig, need(need -> need.minAvailability(0.9)))).containsExactly("good");
            assertThat(matches(rig, need(need -> need.minAvailability(0.1)))).containsExactlyInAnyOrder("good", "bad");
        }
    }

    @Test
    @DisplayName(
            "what nobody could ever serve is refused at once, and says for each which clause failed and by how much")
    void neverIsSaidAtOnce() {
        try (Rig rig = new Rig(pool(
                node("v100", 1).capabilities("cuda", "volta").vramGb(32),
                node("legion", 1).capabilities("cuda").vramGb(24),
                cloud("world").capabilities("cuda", "volta").vramGb(80)))) {
            NoEligibleSubstrateException refusal =
                    never(rig, need(need -> need.capabilities("volta").vramGb(40)));
            assertThat(refusal.getMessage())
                    .contains("v100", "32", "40")
                    .contains("legion", "volta")
                    .contains("world", "public");
            assertThat(refusal.trace().need()).isPresent();
            assertThat(refusal.trace().workload()).isEqualTo(RouteRequest.AD_HOC);
            assertThat(refusal.trace().considered()).hasSize(3);
        }
    }

    @Test
    @DisplayName("a workload without a route is matched like a need")
    void workloadsWithoutARoute() {
        Policy.Builder policy = pool(
                        node("huge", 1).capabilities("cuda").vramGb(80),
                        node("small", 1).capabilities("CUDA").vramGb(24),
                        node("other", 1).capabilities("rocm").vramGb(24))
                .workload(
                        Workload.builder("embed").capabilities("Cuda").vramGb(4).build())
                .workload(Workload.builder("never")
                        .capabilities("cuda")
                        .vramGb(500)
                        .build());
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("huge", Statuses.idle(80));
            RouteRequest embed = RouteRequest.workload("embed");
            assertThat(matches(rig, embed)).containsExactly("small", "huge");
            assertThat(rig.place(embed).substrateId()).isEqualTo("small");
            assertThat(rig.place(embed).substrateId()).isEqualTo("huge");
            assertThat(rig.router.tryPlace(embed)).isEmpty();
            assertThat(rig.route().mechanism()).isEqualTo(RouteView.Mechanism.NEED);
            assertThat(rig.route().candidates()).containsExactly("small", "huge");
            assertThat(never(rig, RouteRequest.workload("never")))
                    .hasMessageContaining("small")
                    .hasMessageContaining("24")
                    .hasMessageContaining("500");
        }
    }

    @Test
    @DisplayName("a broadcast takes one lease on every admissible substrate that satisfies the contract")
    void broadcasts() {
        Policy.Builder policy = pool(
                node("a", 3).capabilities("cuda"),
                node("b", 1).capabilities("cuda"),
                node("busy", 1).capabilities("cuda"),
                node("other", 1),
                cloud("spare").capabilities("cuda").overflow(true));
        try (Rig rig = new Rig(policy)) {
            rig.loaded("busy");
            RouteRequest request = need(need -> need.capabilities("cuda").privacy(Trust.PUBLIC));
            List<Placement> all = rig.router.placeAll(request);
            assertThat(all).extracting(Placement::substrateId).containsExactlyInAnyOrder("a", "b");
            assertThat(rig.leases("a")).isEqualTo(1);
            assertThat(rig.leases("b")).isEqualTo(1);
            assertThat(rig.leases()).isEqualTo(2);
            all.forEach(Placement::succeed);
            assertThat(rig.leases()).isZero();
            assertThat(rig.traces()).hasSize(2).allMatch(RoutingTrace::served);
            rig.loaded("a");
            rig.loaded("b");
            assertThat(rig.router.placeAll(request))
                    .as("overflow, since there is nothing else")
                    .extracting(Placement::substrateId)
                    .containsExactly("spare");
            rig.loaded("spare");
            assertThat(rig.router.placeAll(request.avoid("spare"))).isEmpty();
        }
    }

    @Test
    @DisplayName("a broadcast of a workload goes to its route")
    void broadcastsOfAWorkload() {
        Policy.Builder policy = Plan.policy(Plan.work().route("b", "a"), node("a", 1), node("b", 1), node("c", 1));
        try (Rig rig = new Rig(policy)) {
            assertThat(rig.router.placeAll(Rig.WORK))
                    .extracting(Placement::substrateId)
                    .containsExactly("b", "a");
            assertThat(rig.router.placeAll(Rig.WORK)).isEmpty();
        }
    }

    @Test
    @DisplayName("needs wait in the router's places")
    void needsWait() {
        try (Rig rig = new Rig(
                pool(node("a", 1)).queue(QueueLimits.builder().capacity(1).build()))) {
            Placement running = rig.place(need(need -> {}));
            CompletableFuture<Placement> waiter = rig.router.placeAsync(need(need -> {}));
            assertThat(waiter).isNotDone();
            assertThat(Rig.refusal(rig.router.placeAsync(need(need -> {}))).reason())
                    .isEqualTo(RefusalReason.QUEUE_FULL);
            running.close();
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().trace().workload()).isEqualTo(RouteRequest.AD_HOC);
        }
    }

    @Test
    @DisplayName("a reload that brings a fitting substrate serves a need; one that takes it away refuses it at once")
    void reloads() {
        try (Rig rig = new Rig(pool(node("a", 1).capabilities("cuda")))) {
            RouteRequest request = need(need -> need.capabilities("cuda"));
            rig.place(request);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(request);
            rig.router.reload(
                    pool(node("a", 1).capabilities("cuda"), node("b", 1).capabilities("cuda"))
                            .build());
            assertThat(waiter).isNotDone();
            rig.healthy("b");
            assertThat(waiter).isCompleted();
            CompletableFuture<Placement> next = rig.router.placeAsync(request);
            assertThat(next).isNotDone();
            rig.router.reload(pool(node("a", 1), node("b", 1)).build());
            assertThat(Rig.refusal(next).reason()).isEqualTo(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        }
    }

    private static final class Sink implements TraceSink {
        final List<String> told = new ArrayList<>();

        @Override
        public void accept(RoutingTrace trace) {
            told.add("trace " + trace.requestId());
        }

        @Override
        public void observed(String requestId, Observation observation) {
            told.add("observed " + requestId + " " + observation.quality());
        }
    }

    @Test
    @DisplayName("what becomes known later shows in the recent traces and reaches the sinks")
    void observations() {
        Sink sink = new Sink();
        try (Rig rig = new Rig(pool(node("a", 1)), builder -> builder.traceSink(sink))) {
            rig.place(need(need -> {}).requestId("r-1")).succeed();
            rig.place(need(need -> {}).requestId("r-2")).succeed();
            rig.router.observe(
                    "r-1", Observation.builder().quality(0.75).reviewed(true).build());
            rig.router.observe("r-1", Observation.builder().cost(0.25).build());
            rig.router.observe("unknown", Observation.builder().quality(0.5).build());
            assertThat(rig.router.recentTraces())
                    .filteredOn(trace -> trace.requestId().equals("r-1"))
                    .singleElement()
                    .satisfies(trace -> {
                        Observation known = trace.observation().orElseThrow();
                        assertThat(known.quality()).hasValue(0.75);
                        assertThat(known.reviewed()).contains(true);
                        assertThat(known.cost()).hasValue(0.25);
                    });
            assertThat(rig.router.recentTraces())
                    .filteredOn(trace -> trace.requestId().equals("r-2"))
                    .singleElement()
                    .satisfies(trace -> assertThat(trace.observation()).isEmpty());
            assertThat(sink.told)
                    .containsExactly(
                            "trace r-1",
                            "trace r-2",
                            "observed r-1 OptionalDouble[0.75]",
                            "observed r-1 OptionalDouble.empty",
                            "observed unknown OptionalDouble[0.5]");
        }
    }

    @Test
    @DisplayName("a broken sink does not keep an observation from the others")
    void aBrokenSinkHurtsNobody() {
        Sink sink = new Sink();
        TraceSink broken = new TraceSink() {
            @Override
            public void accept(RoutingTrace trace) {
                throw new IllegalStateException("full");
            }

            @Override
            public void observed(String requestId, Observation observation) {
                throw new IllegalStateException("full");
            }
        };
        try (Rig rig =
                new Rig(pool(node("a", 1)), builder -> builder.traceSink(broken).traceSink(sink))) {
            rig.place(need(need -> {}).requestId("r-1")).succeed();
            rig.router.observe("r-1", Observation.builder().quality(1).build());
            assertThat(sink.told).containsExactly("trace r-1", "observed r-1 OptionalDouble[1.0]");
        }
    }

    @Test
    @DisplayName("a need is judged by health like a route")
    void healthCounts() {
        try (Rig rig = new Rig(pool(node("a", 1), node("b", 1)))) {
            rig.loaded("a");
            assertThat(matches(rig, need(need -> {}))).containsExactly("b");
            rig.loaded("b");
            assertThat(rig.router.tryPlace(need(need -> {}))).isEmpty();
            CompletableFuture<Placement> waiter =
                    rig.router.placeAsync(need(need -> {}).maxWait(Duration.ofMinutes(1)));
            assertThat(waiter).isNotDone();
            rig.healthy("b");
            assertThat(waiter.join().substrateId()).isEqualTo("b");
        }
    }
}
