package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecommendationTest {
    @Test
    void saysWhereWhyNotElsewhereAndWhyThePolicyHasItSo() {
        Policy policy = Policy.builder()
                .substrates(
                        Substrate.builder("v100")
                                .why("Volta runs the GGUF well")
                                .mcpUrl("http://10.0.0.1/mcp")
                                .maxConcurrentJobs(1)
                                .build(),
                        Substrate.builder("legion").maxConcurrentJobs(1).build())
                .workload(Workload.builder("flux-dev")
                        .why("the team's bread and butter")
                        .route(
                                Candidate.builder("legion")
                                        .expectedLatency(Duration.ofSeconds(15))
                                        .why("fastest")
                                        .build(),
                                Candidate.builder("v100")
                                        .expectedLatency(Duration.ofSeconds(40))
                                        .costPerJob(0.01)
                                        .build())
                        .build())
                .build();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build()) {
            router.reportStatus("legion", Statuses.loaded(32));
            router.reportStatus("v100", Statuses.idle(32));
            Recommendation recommendation = router.recommend(RouteRequest.workload("flux-dev"));
            assertThat(recommendation.explain()).isEqualTo("""
                    'flux-dev' by revision 1 (the team's bread and butter):
                      1. v100: now; takes 40.0 s (Volta runs the GGUF well)
                      2. legion: not now: gpu util 93 >= 70; again in 5.0 s; takes 15.0 s (fastest)""");
            assertThat(recommendation.best()).hasValueSatisfying(best -> {
                assertThat(best.substrateId()).isEqualTo("v100");
                assertThat(best.cost()).hasValue(0.01);
                assertThat(best.mcpUrl()).isPresent();
                assertThat(best.endpoint()).isEmpty();
            });
            assertThat(recommendation).hasToString(recommendation.explain());
        }
    }
}
