package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.RoutingTrace;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Corners of the contract that {@link ConstraintPropertyTest} leaves out of its draw or of its oracle, each by itself. */
class ContractCornersTest {
    private static final RouteRequest WEAVING = RouteRequest.workload("weaving");

    private static Substrate.Builder external(String id) {
        return Substrate.builder(id).kind(SubstrateKind.EXTERNAL).trust(Trust.CONTROLLED);
    }

    private static SubstrateRouter router(Policy.Builder policy) {
        return SubstrateRouter.builder()
                .policy(policy.build())
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .build();
    }

    @ParameterizedTest
    @CsvSource({"0.1, 0.1, 2.0, 0.3", "0.2, 0.05, 2.0, 0.3", "0.7, 0.1, 1.0, 0.8", "0.01, 0.02, 2.0, 0.05"})
    @DisplayName("max_cost is inclusive for figures as people write them: 0.1 and 10 % of 2.0 are 0.3")
    void aCostLimitIsMetByDecimals(double perJob, double reviewRate, double reviewCost, double limit) {
        try (SubstrateRouter router = router(Policy.builder()
                .substrate(external("quartz").build())
                .workload(Workload.builder("weaving")
                        .maxCost(limit)
                        .reviewCost(reviewCost)
                        .route(Candidate.builder("quartz")
                                .costPerJob(perJob)
                                .reviewRate(reviewRate)
                                .build())
                        .build()))) {
            assertThat(router.tryPlace(WEAVING)).isPresent();
        }
    }

    @Test
    @DisplayName("a candidate without a quality is unusable under any min_quality, 0 too")
    void noQualityUnderTheLowestLimit() {
        try (SubstrateRouter router = router(Policy.builder()
                .substrate(external("quartz").build())
                .workload(Workload.builder("weaving")
                        .minQuality(0)
                        .route("quartz")
                        .build()))) {
            assertThatThrownBy(() -> router.tryPlace(WEAVING)).isInstanceOf(NoEligibleSubstrateException.class);
        }
    }

    @Test
    @DisplayName("placeAll refuses what nobody could ever serve")
    void nobodyToBroadcastTo() {
        try (SubstrateRouter router = router(Policy.builder()
                .substrate(external("quartz").build())
                .workload(Workload.builder("weaving")
                        .capabilities("cuda")
                        .route("quartz")
                        .build()))) {
            assertThatThrownBy(() -> router.tryPlace(WEAVING)).isInstanceOf(NoEligibleSubstrateException.class);
            assertThatThrownBy(() -> router.placeAll(WEAVING)).isInstanceOf(NoEligibleSubstrateException.class);
        }
    }

    @Test
    @DisplayName("placeAll says why nobody was free")
    void nobodyFreeToBroadcastTo() {
        try (SubstrateRouter router = router(Policy.builder()
                .substrate(external("quartz").build())
                .workload(Workload.builder("weaving").route("quartz").build()))) {
            router.cordon("quartz");
            assertThat(router.placeAll(WEAVING)).isEmpty();
            assertThat(router.recentTraces().get(0).considered())
                    .extracting(Considered::substrateId)
                    .containsExactly("quartz");
        }
    }

    @Test
    @DisplayName("placeAll takes every overflow substrate that is free when there is nobody else")
    void everyOverflow() {
        try (SubstrateRouter router = router(Policy.builder()
                .substrates(
                        external("quartz").overflow(true).build(),
                        external("onyx").overflow(true).build())
                .workload(Workload.builder("weaving").route("quartz", "onyx").build()))) {
            assertThat(router.placeAll(WEAVING))
                    .extracting(Placement::substrateId)
                    .containsExactly("quartz", "onyx");
        }
    }

    @Test
    @DisplayName("an unset priority is not lifted by a role that the destination does not accept")
    void noPriorityFromOneRoleAtAPlaceOfAnother() {
        Policy.Builder policy = Policy.builder()
                .substrate(external("quartz").acceptsRoles("guest").build())
                .workload(Workload.builder("weaving").route("quartz").build())
                .role(Role.builder("guest")
                        .identities("ann")
                        .workloads("weaving")
                        .external(true)
                        .maxPriority(Priority.LOW)
                        .build())
                .role(Role.builder("staff")
                        .identities("ann")
                        .workloads("weaving")
                        .external(true)
                        .build());
        try (SubstrateRouter router = router(policy)) {
            RouteRequest request = WEAVING.identity("ann");
            assertThatThrownBy(() -> router.tryPlace(request.priority(Priority.NORMAL)));
            assertThatThrownBy(() -> router.tryPlace(request)).isInstanceOf(NoEligibleSubstrateException.class);
            assertThat(router.tryPlace(request.priority(Priority.LOW))
                            .orElseThrow()
                            .substrateId())
                    .isEqualTo("quartz");
        }
    }

    @Test
    @DisplayName("who avoids one batch queue gets the other")
    void theOtherQueue() {
        try (SubstrateRouter router = router(Policy.builder()
                .substrates(
                        Substrate.builder("archive").kind(SubstrateKind.BATCH).build(),
                        Substrate.builder("cellar").kind(SubstrateKind.BATCH).build()))) {
            RouteRequest request = RouteRequest.need(Need.builder().build()).mode(PlacementMode.BATCH);
            assertThat(router.tryPlace(request.avoid("archive")))
                    .map(Placement::substrateId)
                    .contains("cellar");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a refusal names every candidate, also where some are only avoided")
    void everyCandidateIsNamed(boolean routed) {
        Workload.Builder workload = Workload.builder("weaving").capabilities("cuda");
        if (routed) {
            workload.route("quartz", "onyx");
        }
        try (SubstrateRouter router = router(Policy.builder()
                .substrates(
                        external("quartz").capabilities("cuda").build(),
                        external("onyx").build())
                .workload(workload.build()))) {
            assertThatThrownBy(() -> router.tryPlace(WEAVING.avoid("quartz")))
                    .isInstanceOfSatisfying(NoEligibleSubstrateException.class, refusal -> assertThat(
                                    refusal.trace().considered())
                            .extracting(Considered::substrateId)
                            .contains("quartz", "onyx"));
        }
    }

    @Test
    @DisplayName("a trace's role and revision belong together across a reload")
    void theRoleIsTheOneOfTheRevision() throws Exception {
        Policy.Builder open = Policy.builder()
                .substrate(external("quartz").build())
                .workload(Workload.builder("weaving").route("quartz").build());
        Policy.Builder guarded = open.build().toBuilder()
                .role(Role.builder("staff")
                        .identities("ann")
                        .workloads("weaving")
                        .external(true)
                        .maxPriority(Priority.LOW)
                        .build());
        try (SubstrateRouter router = router(guarded)) {
            Policy next = open.build();
            assertThatThrownBy(() -> router.call(WEAVING.identity("ann").maxWait(Duration.ZERO), placement -> {
                router.reload(next);
                throw new ConnectException("refused");
            }));
            assertThat(router.recentTraces()).first().satisfies(trace -> {
                List<Object> seen = List.of(trace.revision(), trace.role().isPresent(), trace.priority());
                assertThat(seen).isIn(List.of(1L, true, Priority.LOW), List.of(2L, false, Priority.NORMAL));
            });
        }
    }

    @Test
    @DisplayName(
            "low priority work whose only place is its batch path is not told 'never' while that path is out for now")
    void theBatchPathIsOutForNow() {
        try (SubstrateRouter router = router(Policy.builder()
                .substrates(
                        external("quartz").trust(Trust.PUBLIC).build(),
                        Substrate.builder("archive").kind(SubstrateKind.BATCH).build())
                .workload(Workload.builder("weaving")
                        .route("quartz")
                        .batch(Candidate.on("archive"))
                        .build()))) {
            RouteRequest request = WEAVING.priority(Priority.LOW).maxWait(Duration.ZERO);
            assertThat(router.tryPlace(request)).isPresent();
            router.cordon("archive");
            assertThat(router.tryPlace(request)).isEmpty();
        }
    }

    @Test
    @DisplayName("who waited through a reload is served under a role and a priority of the new revision")
    void theWaitersRole() {
        Policy.Builder before = Policy.builder()
                .substrate(external("quartz").build())
                .workload(Workload.builder("weaving").route("quartz").build());
        Policy.Builder after = before.build().toBuilder();
        before.role(Role.builder("staff")
                .identities("ann")
                .workloads("weaving")
                .external(true)
                .build());
        after.role(Role.builder("guest")
                .identities("ann")
                .workloads("weaving")
                .external(true)
                .maxPriority(Priority.LOW)
                .build());
        try (SubstrateRouter router = router(before)) {
            router.cordon("quartz");
            CompletableFuture<Placement> waiting = router.placeAsync(WEAVING.identity("ann"));
            router.reload(after.build());
            router.uncordon("quartz");
            RoutingTrace trace = waiting.join().trace();
            assertThat(trace.lastAttempt().orElseThrow().revision()).isEqualTo(2);
            assertThat(trace.role()).contains("guest");
            assertThat(trace.priority()).isEqualTo(Priority.LOW);
        }
    }
}
