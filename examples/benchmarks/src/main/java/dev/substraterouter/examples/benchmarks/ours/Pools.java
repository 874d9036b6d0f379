package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;

/** Routers to measure, built as a host builds them; a status is reported once and holds for as long as a benchmark runs. */
final class Pools {
    /** A request for the workload of {@link #two()}. */
    static final RouteRequest FLUX = RouteRequest.workload("flux");

    private static final int JOBS = 4;
    private static final Duration LASTING = Duration.ofDays(1);

    private Pools() {}

    /** Two substrates behind one route. */
    static Policy two() {
        return two(LASTING);
    }

    /** As {@link #two()}, with statuses that hold for so long. */
    static Policy two(Duration staleAfter) {
        return Policy.builder()
                .substrate(substrate("a"))
                .substrate(substrate("b"))
                .workload(Workload.builder("flux").vramGb(1).route("a", "b").build())
                .health(HealthLimits.builder().staleAfter(staleAfter).build())
                .build();
    }

    /** Two substrates, each behind a route of its own: {@code lane0} and {@code lane1}. */
    static Policy apart() {
        return Policy.builder()
                .substrate(substrate("a"))
                .substrate(substrate("b"))
                .workload(Workload.builder("lane0").vramGb(1).route("a", "b").build())
                .workload(Workload.builder("lane1").vramGb(1).route("b", "a").build())
                .health(lasting())
                .build();
    }

    /** Substrates for needs: each has {@code cuda}, and {@code c} with its number modulo {@link ManySubstrates#CAPABILITIES}. */
    static Policy many(int substrates) {
        Policy.Builder policy = Policy.builder().health(lasting());
        for (int at = 0; at < substrates; at++) {
            policy.substrate(builder("s" + at)
                    .capabilities("cuda", "c" + at % ManySubstrates.CAPABILITIES)
                    .build());
        }
        return policy.build();
    }

    /** Workloads that may each run on every substrate. */
    static Policy.Builder routed(int workloads, int substrates) {
        Policy.Builder policy = Policy.builder().health(lasting());
        String[] ids = new String[substrates];
        for (int at = 0; at < substrates; at++) {
            ids[at] = "s" + at;
            policy.substrate(substrate(ids[at]));
        }
        for (int at = 0; at < workloads; at++) {
            policy.workload(Workload.builder("w" + at).vramGb(1).route(ids).build());
        }
        return policy;
    }

    /** One substrate of one slot, and places for many who wait for it as long as a benchmark runs. */
    static Policy queued(int capacity) {
        Duration never = Duration.ofDays(1);
        return Policy.builder()
                .substrate(builder("a").maxConcurrentJobs(1).build())
                .workload(Workload.builder("flux").vramGb(1).route("a").build())
                .health(lasting())
                .queue(QueueLimits.builder()
                        .capacity(capacity)
                        .maxWait(never)
                        .agesAfter(never)
                        .holdAfter(never)
                        .retryEvery(never)
                        .build())
                .build();
    }

    static Substrate substrate(String id) {
        return builder(id).build();
    }

    static Substrate.Builder builder(String id) {
        return Substrate.builder(id).vramGb(32).maxConcurrentJobs(JOBS).utilPerJobPct(10);
    }

    /** Limits under which a status stays fresh for as long as any benchmark runs. */
    static HealthLimits lasting() {
        return HealthLimits.builder().staleAfter(LASTING).build();
    }

    static SubstrateStatus healthy() {
        return status(10);
    }

    static SubstrateStatus overloaded() {
        return status(95);
    }

    static SubstrateStatus status(double gpuUtilPct) {
        return SubstrateStatus.builder()
                .gpuUtilPct(gpuUtilPct)
                .vramUsedGb(4)
                .vramTotalGb(32)
                .gpuTempC(50)
                .runningJobs(0)
                .build();
    }

    /** A router that has not heard of any substrate yet. */
    static SubstrateRouter silent(Policy policy) {
        return SubstrateRouter.builder().policy(policy).log(false).build();
    }

    /** A router whose substrates are all healthy. */
    static SubstrateRouter router(Policy policy) {
        return healthy(silent(policy));
    }

    /** Tells a router that all its substrates are healthy. */
    static SubstrateRouter healthy(SubstrateRouter router) {
        return reported(router, healthy());
    }

    /** Tells a router the same status of all its substrates. */
    static SubstrateRouter reported(SubstrateRouter router, SubstrateStatus status) {
        router.policy().substrates().forEach(substrate -> router.reportStatus(substrate.id(), status));
        return router;
    }

    /** Takes every slot of a substrate and keeps it. */
    static void fill(SubstrateRouter router, RouteRequest request, String substrateId) {
        for (int slot = 0; slot < JOBS; slot++) {
            Placement placement = router.tryPlace(request).orElseThrow();
            if (!placement.substrateId().equals(substrateId)) {
                throw new IllegalStateException(
                        "placed on " + placement.substrateId() + " (expected: " + substrateId + ")");
            }
        }
    }
}
