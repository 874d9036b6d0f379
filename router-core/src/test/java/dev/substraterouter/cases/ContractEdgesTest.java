package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.takes;
import static dev.substraterouter.cases.Rig.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.Placement;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contract says and the router does not do yet. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class ContractEdgesTest {
    @Test
    @DisplayName("max_cost is a limit of decimal figures: 0.10 + 0.02 x 2 + 0.05 x 1 is not above 0.19")
    void decimalLimitsAreIncluded() {
        Workload.Builder work = Plan.work()
                .reviewCost(2)
                .errorCost(1)
                .maxCost(0.19)
                .route(Candidate.builder("a")
                        .costPerJob(0.10)
                        .quality(0.95)
                        .reviewRate(0.02)
                        .build());
        try (Rig rig = new Rig(Plan.policy(work, node("a", 1)))) {
            assertThat(rig.place().substrateId()).isEqualTo("a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WEIGHTED", "DEADLINE"})
    @DisplayName("LOW is not served while NORMAL or HIGH waits for the same substrate, in any order")
    void lowGivesWay(QueueOrder order) {
        Policy.Builder policy = Plan.policy()
                .substrate(node("a", 1).build())
                .workload(Workload.builder("short").route(takes("a", 1).build()).build())
                .workload(
                        Workload.builder("long").route(takes("a", 120).build()).build())
                .queue(QueueLimits.builder()
                        .order(order)
                        .maxWait(Duration.ofHours(1))
                        .agesAfter(Duration.ofHours(1))
                        .holdAfter(Duration.ofHours(1))
                        .build());
        try (Rig rig = new Rig(policy)) {
            Placement running = rig.place(RouteRequest.workload("short"));
            CompletableFuture<Placement> low =
                    rig.router.placeAsync(RouteRequest.workload("short").priority(Priority.LOW));
            CompletableFuture<Placement> normal = rig.router.placeAsync(RouteRequest.workload("long"));
            running.close();
            assertThat(low).isNotDone();
            assertThat(normal).isCompleted();
        }
    }

    @Test
    @DisplayName(
            "a broadcast of a need that nobody could ever serve is refused, and not empty as if everything were busy")
    void aBroadcastThatNobodyCouldServeIsRefused() {
        Policy.Builder policy = Plan.policy().substrate(node("a", 1).build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest request =
                    RouteRequest.need(Need.builder().capabilities("rocm").build());
            assertThatThrownBy(() -> rig.router.placeAll(request)).isInstanceOf(NoEligibleSubstrateException.class);
        }
    }

    @Test
    @DisplayName("the trace of a recommendation that is refused says why it was")
    void theTraceOfARefusedRecommendationSaysWhy() {
        Policy.Builder policy = Plan.policy()
                .substrate(node("a", 1).build())
                .role(Role.builder("r").identities("known").build());
        try (Rig rig = new Rig(policy)) {
            assertThatThrownBy(() -> rig.router.recommend(
                            RouteRequest.need(Need.builder().build())))
                    .isInstanceOfSatisfying(
                            NotAuthorizedException.class,
                            refusal -> assertThat(refusal.trace().refusal()).contains(RefusalReason.NOT_AUTHORIZED));
        }
    }

    @Test
    @DisplayName("a recommendation for what nobody could ever serve is refused with each reason, and not an empty list")
    void aRecommendationForWhatNobodyCouldServeIsRefused() {
        Policy.Builder policy = Plan.policy().substrate(node("a", 1).build());
        try (Rig rig = new Rig(policy)) {
            RouteRequest request =
                    RouteRequest.need(Need.builder().capabilities("rocm").build());
            assertThatThrownBy(() -> rig.router.recommend(request))
                    .isInstanceOf(NoEligibleSubstrateException.class)
                    .hasMessageContaining("a lacks rocm");
        }
    }

    @Test
    @DisplayName(
            "a need of more memory than a card reports in all is not placed, though the policy does not say how much it has")
    void aNeedOfMoreMemoryThanReportedIsNotPlaced() {
        Policy.Builder policy = Plan.policy().substrate(node("a", 1).build()); // reports 24 GiB
        try (Rig rig = new Rig(policy)) {
            RouteRequest request =
                    RouteRequest.need(Need.builder().vramGb(500).build()).maxWait(Duration.ZERO);
            assertThat(rig.router.placeAsync(request)).isCompletedExceptionally();
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    @DisplayName("healthiest: 45 of 70 percent used is not a small difference to an idle one")
    void aGreatDifferenceSwitches() {
        Policy.Builder policy =
                Plan.policy(Plan.work().strategy(StrategyKind.HEALTHIEST).route("a", "b"), node("a", 4), node("b", 4));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("a", Statuses.healthy(24).gpuUtilPct(45).build());
            assertThat(rig.place().substrateId()).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("earliest-finish: when the one that is waited for is cordoned, the free one is taken at once")
    void aCordonIsAnEvent() {
        Policy.Builder policy = Plan.policy(
                Plan.work()
                        .strategy(StrategyKind.EARLIEST_FINISH)
                        .route(
                                takes("mirrorforge", 120).build(),
                                takes("legion", 40).build()),
                node("mirrorforge", 2),
                node("legion", 1));
        try (Rig rig = new Rig(policy)) {
            rig.place();
            rig.time.advance(seconds(20));
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            assertThat(waiter).isNotDone();
            rig.router.cordon("legion");
            assertThat(waiter).isCompleted();
        }
    }

    @Test
    @DisplayName("outcome-cost: for how long the owner would be disturbed is unknown, not zero: it sorts last")
    void anUnknownDisturbanceIsNotZero() {
        Policy.Builder policy = Plan.policy(
                Plan.work()
                        .strategy(StrategyKind.OUTCOME_COST)
                        .route(
                                Candidate.builder("legion").costPerJob(0.01).build(),
                                Candidate.builder("v100").costPerJob(0.03).build()),
                node("legion", 1).owner(15, 3),
                node("v100", 1));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).gpuUtilPct(30).build());
            assertThat(rig.place().substrateId()).isEqualTo("v100");
        }
    }
}
