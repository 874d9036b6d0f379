package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is free for whom, between the end of a lease and the next status. */
class MemoryTest {
    private final HandDrivenTime time = new HandDrivenTime();
    private @Nullable SubstrateRouter router;

    @AfterEach
    void close() {
        if (router != null) {
            router.close();
        }
    }

    @Test
    void aResidentModelKeepsItsDiscountFromJobToJob() {
        SubstrateRouter one = start(card(32), fill("flux", "m", 24, 4));
        one.reportStatus("card", used(32, 20, "m"));
        for (int job = 0; job < 3; job++) {
            Placement placement = one.tryPlace(RouteRequest.workload("flux")).orElseThrow();
            time.advance(Duration.ofSeconds(1));
            one.reportStatus("card", used(32, 24, "m"));
            placement.succeed();
        }
    }

    @Test
    void whatAnEndedLeaseLeftIsFreeForItsOwnCandidateOnly() {
        SubstrateRouter one = start(card(32), fill("flux", "m", 20, 20), fill("other", "n", 20, 20));
        one.reportStatus("card", used(32, 0));
        Placement placement = one.tryPlace(RouteRequest.workload("flux")).orElseThrow();
        one.reportStatus("card", used(32, 20, "m"));
        placement.succeed();
        assertThat(one.tryPlace(RouteRequest.workload("other"))).isEmpty();
        one.tryPlace(RouteRequest.workload("flux")).orElseThrow().close();
        one.reportStatus("card", used(32, 0));
        assertThat(one.tryPlace(RouteRequest.workload("other"))).isPresent();
    }

    @Test
    void aSpanningLeaseLeavesItsShareOnEveryCard() {
        Candidate spanning =
                Candidate.builder("card").model("m").spansGpus(true).build();
        SubstrateRouter one = start(
                card(64).gpus(2), Workload.builder("wide").vramGb(40).route(spanning), fill("narrow", "n", 24, 24));
        one.reportStatus("card", cards(0, 0));
        Placement placement = one.tryPlace(RouteRequest.workload("wide")).orElseThrow();
        assertThat(placement.gpu()).isEmpty();
        one.reportStatus("card", cards(20, 20));
        placement.succeed();
        assertThat(one.tryPlace(RouteRequest.workload("narrow"))).isEmpty();
    }

    @Test
    void anIdleModelThatMayBeEvictedCountsAsFreeOnce() {
        SubstrateRouter one = start(
                card(64).idleVram(IdleVram.EVICTABLE),
                fill("flux", "m", 20, 20),
                fill("big", "n", 50, 50),
                fill("mid", "o", 39, 39));
        one.reportStatus("card", used(64, 25));
        Placement placement = one.tryPlace(RouteRequest.workload("flux")).orElseThrow();
        one.reportStatus("card", used(64, 45, "m"));
        placement.succeed();
        assertThat(one.tryPlace(RouteRequest.workload("big"))).isEmpty();
        assertThat(one.tryPlace(RouteRequest.workload("mid"))).isPresent();
    }

    @Test
    void aModelThatMayBeEvictedDoesNotShutItsOwnCandidateOut() {
        SubstrateRouter one = start(card(32).idleVram(IdleVram.EVICTABLE), fill("flux", "m", 24, 24));
        one.reportStatus("card", used(32, 24, "m"));
        assertThat(one.tryPlace(RouteRequest.workload("flux"))).isPresent();
    }

    private SubstrateRouter start(Substrate.Builder card, Workload.Builder... workloads) {
        Policy.Builder policy = Policy.builder().substrate(card.build());
        for (Workload.Builder workload : workloads) {
            policy.workload(workload.build());
        }
        SubstrateRouter started = SubstrateRouter.builder()
                .policy(policy.build())
                .timeSource(time)
                .executor(Runnable::run)
                .build();
        router = started;
        return started;
    }

    private static Substrate.Builder card(double vramGb) {
        return Substrate.builder("card").vramGb(vramGb).maxConcurrentJobs(4);
    }

    private static Workload.Builder fill(String name, String model, double vramGb, double jobVramGb) {
        Candidate.Builder candidate = Candidate.builder("card").model(model);
        if (jobVramGb < vramGb) {
            candidate.jobVramGb(jobVramGb);
        }
        return Workload.builder(name).vramGb(vramGb).route(candidate.build());
    }

    private static SubstrateStatus used(double totalGb, double usedGb, String... models) {
        return Statuses.healthy(totalGb).vramUsedGb(usedGb).loadedModels(models).build();
    }

    private static SubstrateStatus cards(double one, double two) {
        return SubstrateStatus.builder()
                .runningJobs(0)
                .gpu(GpuStatus.builder(0)
                        .utilPct(0)
                        .tempC(50)
                        .vramUsedGb(one)
                        .vramTotalGb(32)
                        .build())
                .gpu(GpuStatus.builder(1)
                        .utilPct(0)
                        .tempC(50)
                        .vramUsedGb(two)
                        .vramTotalGb(32)
                        .build())
                .build();
    }
}
