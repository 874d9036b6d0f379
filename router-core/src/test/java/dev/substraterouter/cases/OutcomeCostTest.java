package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.takes;
import static dev.substraterouter.cases.Rig.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.Placement;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.Statuses;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The order {@code outcome-cost}: compute, the review it causes, what a wrong or late answer costs, and whom it disturbs. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class OutcomeCostTest {
    private static Workload.Builder work(Candidate.Builder... route) {
        Workload.Builder work = Plan.work().strategy(StrategyKind.OUTCOME_COST);
        for (Candidate.Builder candidate : route) {
            work.route(candidate.build());
        }
        return work;
    }

    private static Candidate.Builder cheap() {
        return Candidate.builder("cheap").costPerJob(0.01).quality(0.80).reviewRate(0.20);
    }

    private static Candidate.Builder dear() {
        return Candidate.builder("dear").costPerJob(0.10).quality(0.95).reviewRate(0.02);
    }

    private static Rig rig(Workload.Builder work) {
        return new Rig(Plan.policy(work, node("cheap", 1), node("dear", 1)));
    }

    private static String best(Rig rig) {
        return rig.router.recommend(WORK).best().orElseThrow().substrateId();
    }

    private static double cost(Rig rig, String id) {
        return rig.router.recommend(WORK).candidates().stream()
                .filter(candidate -> candidate.substrateId().equals(id))
                .findFirst()
                .orElseThrow()
                .cost()
                .orElseThrow();
    }

    @Test
    @DisplayName("the dearer substrate wins where its answers need less review and are wrong less often")
    void theDearerOneWins() {
        try (Rig rig = rig(work(cheap(), dear()).reviewCost(2).errorCost(1))) {
            assertThat(cost(rig, "cheap")).isCloseTo(0.01 + 0.20 * 2 + 0.20 * 1, within(1e-9));
            assertThat(cost(rig, "dear")).isCloseTo(0.10 + 0.02 * 2 + 0.05 * 1, within(1e-9));
            assertThat(best(rig)).isEqualTo("dear");
            assertThat(rig.place().substrateId()).isEqualTo("dear");
            assertThat(rig.place().substrateId()).isEqualTo("cheap");
        }
    }

    @Test
    @DisplayName("the cheaper substrate wins where review and errors cost little")
    void theCheaperOneWins() {
        try (Rig rig = rig(work(dear(), cheap()).reviewCost(0.1).errorCost(0.1))) {
            assertThat(cost(rig, "cheap")).isCloseTo(0.05, within(1e-9));
            assertThat(cost(rig, "dear")).isCloseTo(0.107, within(1e-9));
            assertThat(rig.place().substrateId()).isEqualTo("cheap");
        }
    }

    @Test
    @DisplayName("by the hour compute costs for as long as the job is expected to take")
    void computeByTheHour() {
        Workload.Builder work = work(takes("slow", 120), takes("fast", 30));
        try (Rig rig = new Rig(Plan.policy(
                work, node("slow", 1).costPerHour(0.60), node("fast", 1).costPerHour(1.20)))) {
            assertThat(cost(rig, "slow")).isCloseTo(0.02, within(1e-9));
            assertThat(cost(rig, "fast")).isCloseTo(0.01, within(1e-9));
            assertThat(best(rig)).isEqualTo("fast");
        }
        try (Rig rig = new Rig(Plan.policy(
                work(takes("slow", 120), takes("fast", 30).costPerJob(0.05)),
                node("slow", 1).costPerHour(0.60),
                node("fast", 1).costPerHour(1.20)))) {
            assertThat(cost(rig, "fast")).as("the figure per job replaces it").isCloseTo(0.05, within(1e-9));
            assertThat(best(rig)).isEqualTo("slow");
        }
    }

    @Test
    @DisplayName("a late answer costs: waiting moves work to the faster one")
    void waitingCosts() {
        Candidate.Builder slow = takes("slow", 120).costPerJob(0.01);
        Candidate.Builder fast = takes("fast", 15).costPerJob(0.05);
        try (Rig rig = new Rig(Plan.policy(work(fast, slow), node("slow", 1), node("fast", 1)))) {
            assertThat(best(rig)).isEqualTo("slow");
        }
        try (Rig rig = new Rig(Plan.policy(work(slow, fast).waitingCostPerHour(6), node("slow", 1), node("fast", 1)))) {
            assertThat(best(rig)).as("0.01 + 0.20 against 0.05 + 0.025").isEqualTo("fast");
        }
    }

    @Test
    @DisplayName("while its owner is at work, a workstation costs more and work moves away")
    void theOwnerComesFirst() {
        Workload.Builder work =
                work(takes("legion", 60).costPerJob(0.01), takes("v100", 60).costPerJob(0.03));
        try (Rig rig =
                new Rig(Plan.policy(work, node("legion", 2).utilPerJobPct(40).owner(15, 3), node("v100", 2)))) {
            assertThat(best(rig)).as("nobody is at work").isEqualTo("legion");
            SubstrateStatus atWork = Statuses.healthy(24).gpuUtilPct(30).build();
            rig.router.reportStatus("legion", atWork);
            assertThat(best(rig)).as("0.01 + 0.05 against 0.03").isEqualTo("v100");
            assertThat(cost(rig, "legion")).isCloseTo(0.06, within(1e-9));
            rig.healthy("legion");
            Placement own = rig.place();
            assertThat(own.substrateId()).isEqualTo("legion");
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).gpuUtilPct(42).runningJobs(1).build());
            assertThat(best(rig)).as("the router's own job is no owner").isEqualTo("legion");
        }
    }

    @Test
    @DisplayName("a candidate whose cost is unknown comes last")
    void unknownFiguresComeLast() {
        try (Rig rig =
                rig(work(Candidate.builder("cheap"), dear()).reviewCost(2).errorCost(1))) {
            assertThat(rig.place().substrateId()).isEqualTo("dear");
            assertThat(rig.place().substrateId()).as("last, not never").isEqualTo("cheap");
        }
        try (Rig rig = rig(work(Candidate.builder("cheap").costPerJob(0.01).reviewRate(0.1), dear())
                .reviewCost(2)
                .errorCost(1))) {
            assertThat(best(rig)).as("no quality, and errors cost").isEqualTo("dear");
        }
        try (Rig rig = rig(work(Candidate.builder("cheap").costPerJob(0.01).quality(0.99), dear())
                .reviewCost(2)
                .errorCost(1))) {
            assertThat(best(rig)).as("no review rate, and review costs").isEqualTo("dear");
        }
    }

    @Test
    @DisplayName("max_cost excludes by compute, review and error together, the limit included")
    void theHighestCostIsIncluded() {
        Candidate.Builder exact =
                Candidate.builder("cheap").costPerJob(0.25).quality(0.75).reviewRate(0.5);
        try (Rig rig = rig(work(exact).reviewCost(1).errorCost(1).maxCost(1.0))) {
            assertThat(rig.place().substrateId()).isEqualTo("cheap");
        }
        try (Rig rig = rig(work(exact, dear()).reviewCost(1).errorCost(1).maxCost(0.99))) {
            assertThat(rig.place().substrateId()).isEqualTo("dear");
            assertThat(rig.router.tryPlace(WORK)).as("never relaxed").isEmpty();
        }
    }

    @Test
    @DisplayName("neither waiting nor the owner counts for max_cost")
    void waitingAndTheOwnerDoNotCountForTheLimit() {
        Workload.Builder work = work(takes("legion", 60).costPerJob(0.01))
                .waitingCostPerHour(600)
                .maxCost(0.02);
        try (Rig rig = new Rig(Plan.policy(work, node("legion", 1).owner(15, 300)))) {
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).gpuUtilPct(30).build());
            assertThat(rig.place().substrateId()).isEqualTo("legion");
        }
    }

    @Test
    @DisplayName("under max_cost a candidate without a basis for its cost is not used")
    void withoutABasisForTheCostItIsNotUsed() {
        try (Rig rig =
                rig(work(Candidate.builder("cheap"), Candidate.builder("dear").costPerJob(1))
                        .maxCost(1))) {
            assertThat(rig.place().substrateId()).isEqualTo("dear");
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            assertThatThrownBy(() -> rig.router.tryPlace(WORK.avoid("dear")))
                    .isInstanceOf(NoEligibleSubstrateException.class)
                    .hasMessageContaining("cheap");
        }
    }

    @Test
    @DisplayName("it never waits by choice: a dearer free one is taken when the cheapest is busy")
    void itNeverWaitsByChoice() {
        try (Rig rig = rig(work(cheap(), dear()).reviewCost(2).errorCost(1))) {
            rig.place();
            assertThat(rig.router.placeAsync(WORK.maxWait(seconds(30)))).isCompleted();
        }
    }
}
