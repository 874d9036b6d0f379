package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;

/** Routers to measure, built as a host builds them; a status is reported once and holds for as long as a benchmark runs. */
final class Pools {
    private Pools() {}

    /** Two substrates behind one route. */
    static Policy two() {
        return Policy.builder()
                .substrate(substrate("a"))
                .substrate(substrate("b"))
                .workload(Workload.builder("flux").vramGb(8).route("a", "b").build())
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build())
                .build();
    }

    static Substrate substrate(String id) {
        return Substrate.builder(id).vramGb(32).maxConcurrentJobs(4).build();
    }

    static SubstrateStatus healthy() {
        return SubstrateStatus.builder()
                .gpuUtilPct(10)
                .vramUsedGb(4)
                .vramTotalGb(32)
                .gpuTempC(50)
                .runningJobs(0)
                .build();
    }

    static SubstrateRouter router(Policy policy) {
        SubstrateRouter router =
                SubstrateRouter.builder().policy(policy).log(false).build();
        policy.substrates().forEach(substrate -> router.reportStatus(substrate.id(), healthy()));
        return router;
    }
}
