package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static dev.substraterouter.cases.CaseRig.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.UnknownWorkloadException;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a policy leaves open, and what it names in vain. */
class ConfigCasesTest {
    private static final Duration DECLARED = Duration.ofSeconds(40);

    /** Two candidates by one strategy; which of the figures latency, cost and quality the first declares is told by bits. */
    private static Policy figures(StrategyKind strategy, int first) {
        Candidate.Builder candidate = Candidate.builder("a");
        if ((first & 1) != 0) {
            candidate.expectedLatency(DECLARED);
        }
        if ((first & 2) != 0) {
            candidate.costPerJob(0.5);
        }
        if ((first & 4) != 0) {
            candidate.quality(0.9).reviewRate(0.1);
        }
        return Policy.builder()
                .health(HealthLimits.builder().require().build())
                .substrates(
                        Substrate.builder("a").maxConcurrentJobs(2).build(),
                        Substrate.builder("b").maxConcurrentJobs(2).build())
                .workload(Workload.builder("work")
                        .strategy(strategy)
                        .reviewCost(2)
                        .errorCost(1)
                        .waitingCostPerHour(6)
                        .route(Candidate.on("b"), candidate.build())
                        .build())
                .build();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "without one sample, and with any figures missing, every order ranks everybody and no figure is a NaN [R88]")
    void noSamples(StrategyKind strategy) {
        for (int first = 0; first < 8; first++) {
            try (CaseRig rig = new CaseRig(figures(strategy, first))) {
                var recommendation = rig.router.recommend(WORK);
                assertThat(recommendation.candidates())
                        .extracting(RankedCandidate::substrateId)
                        .containsExactlyInAnyOrder("a", "b");
                assertThat(recommendation.candidates()).allSatisfy(ranked -> {
                    assertThat(ranked.admissible()).isTrue();
                    assertThat(ranked.cost().orElse(0)).isFinite();
                });
                assertThat(recommendation.explain()).doesNotContain("NaN", "Infinity");
                List<Placement> all = rig.takeAll(WORK);
                assertThat(all).as("every place can be had").hasSize(4);
                all.forEach(Placement::close);
                assertThat(rig.router.drift()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName(
            "without a sample the declared latency counts, and whose figure is missing comes last, wherever it is written [R88]")
    void declaredIsThePrior() {
        try (CaseRig rig = new CaseRig(figures(StrategyKind.EARLIEST_FINISH, 1))) {
            List<RankedCandidate> ranked = rig.router.recommend(WORK).candidates();
            assertThat(ranked).extracting(RankedCandidate::substrateId).containsExactly("a", "b");
            assertThat(ranked.get(0).expectedLatency()).contains(DECLARED);
            assertThat(ranked.get(1).expectedLatency()).isEmpty();
        }
    }

    @Test
    @DisplayName("names that nobody declared turn the whole policy down, each told with what there is [R89]")
    void unknownNames() {
        Policy.Builder names = policy(1, "a")
                .substrate(Substrate.builder("b")
                        .maxConcurrentJobs(1)
                        .acceptsRoles("opertor")
                        .build())
                .workload(Workload.builder("route").route("a", "aa").build())
                .workload(Workload.builder("pin").pin("bb").build())
                .workload(Workload.builder("batch")
                        .route("a")
                        .batch(Candidate.on("archive"))
                        .build())
                .role(Role.builder("operator").identities("*").workloads("rout").build());
        PolicyException refused = catchThrowableOfType(PolicyException.class, names::build);
        assertThat(refused.problems())
                .extracting(problem -> problem.code() + " " + problem.path())
                .containsExactlyInAnyOrder(
                        "unknown-substrate workloads.route.route[1].on",
                        "unknown-substrate workloads.pin.pin.on",
                        "unknown-substrate workloads.batch.batch.on",
                        "unknown-workload roles.operator.workloads[0]",
                        "unknown-role substrates.b.accepts_roles[0]");
        assertThat(refused.problems()).extracting(PolicyProblem::message).allMatch(told -> told.contains("expected: "));
        try (CaseRig rig = new CaseRig(policy(1, "a").build())) {
            assertThatThrownBy(() -> rig.router.reload(names.build())).isInstanceOf(PolicyException.class);
            assertThat(rig.router.policy().revision()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("a request whose name matches no workload is refused, not placed past every rule [R89]")
    void unknownWorkload() {
        try (CaseRig rig = new CaseRig(policy(1, "a").build())) {
            assertThatThrownBy(() -> rig.place(RouteRequest.workload("wrok")))
                    .isInstanceOf(UnknownWorkloadException.class)
                    .hasMessageContaining("wrok");
            assertThat(rig.leases("a")).isZero();
        }
    }
}
