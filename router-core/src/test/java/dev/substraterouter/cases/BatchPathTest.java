package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.archive;
import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.work;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.Placement;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.ServingPath;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The batch path: who goes there, when, and what holds for it. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class BatchPathTest {
    private static final RouteRequest BATCH = WORK.mode(PlacementMode.BATCH);
    private static final RouteRequest LOW = WORK.priority(Priority.LOW);

    private static Policy.Builder policy(Workload.Builder work, Substrate.Builder archive) {
        return Plan.policy(work, node("v100", 1), archive)
                .queue(QueueLimits.builder().capacity(1).build());
    }

    private static Policy.Builder policy() {
        return policy(work().route("v100").batch(Candidate.on("archive")), archive());
    }

    private static void isBatch(Placement placement) {
        assertThat(placement.mode()).isEqualTo(PlacementMode.BATCH);
        assertThat(placement.substrateId()).isEqualTo("archive");
        assertThat(placement.degraded()).contains(DegradedReason.BATCH);
        Attempt attempt = placement.trace().lastAttempt().orElseThrow();
        assertThat(attempt.path()).isEqualTo(ServingPath.BATCH);
        assertThat(attempt.mode()).isEqualTo(PlacementMode.BATCH);
        assertThat(attempt.substrateId()).isEqualTo("archive");
    }

    private static void isBatch(CompletableFuture<Placement> future) {
        assertThat(future).isCompleted();
        isBatch(future.join());
    }

    @Test
    @DisplayName("BATCH goes to the batch path at once, though the primary is free")
    void batchGoesThereAtOnce() throws InterruptedException {
        try (Rig rig = new Rig(policy())) {
            isBatch(rig.place(BATCH));
            isBatch(rig.router.place(BATCH));
            isBatch(rig.router.placeAsync(BATCH));
            assertThat(rig.router.recommend(BATCH).best().orElseThrow().substrateId())
                    .isEqualTo("archive");
            assertThat(rig.leases("v100")).isZero();
            Placement live = rig.place(WORK);
            assertThat(live.mode()).isNotEqualTo(PlacementMode.BATCH);
            assertThat(live.degraded()).isEmpty();
        }
    }

    @Test
    @DisplayName("the trace of a batch placement is complete and says how it ended")
    void theTraceIsComplete() {
        try (Rig rig = new Rig(policy(
                work().route("v100")
                        .batch(Candidate.builder("archive")
                                .model("flux")
                                .quality(0.9)
                                .build()),
                archive()))) {
            rig.place(BATCH.requestId("b-1")).succeed();
            assertThat(rig.lastTrace().requestId()).isEqualTo("b-1");
            assertThat(rig.lastTrace().served()).isTrue();
            Attempt attempt = rig.lastTrace().lastAttempt().orElseThrow();
            assertThat(attempt.outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(attempt.model()).contains("flux");
        }
    }

    @Test
    @DisplayName("BATCH is refused at once where the workload has no batch path")
    void withoutABatchPathBatchIsRefused() {
        try (Rig rig = new Rig(policy(work().route("v100"), archive()))) {
            assertThatThrownBy(() -> rig.router.tryPlace(BATCH)).isInstanceOf(NoEligibleSubstrateException.class);
            assertThat(refusal(rig.router.placeAsync(BATCH)).reason()).isEqualTo(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
            assertThat(rig.waiting()).isZero();
            rig.place(WORK);
        }
    }

    @Test
    @DisplayName("EITHER with LOW takes the batch path when nothing is admissible")
    void lowTakesItWhenNothingIsAdmissible() {
        try (Rig rig = new Rig(policy())) {
            Placement live = rig.place(LOW);
            assertThat(live.substrateId()).isEqualTo("v100");
            isBatch(rig.router.placeAsync(LOW));
            isBatch(rig.place(LOW));
            live.close();
            assertThat(rig.place(LOW).substrateId()).isEqualTo("v100");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HIGH", "NORMAL"})
    @DisplayName("EITHER with a higher priority waits instead")
    void othersWait(Priority priority) {
        try (Rig rig = new Rig(policy())) {
            Placement live = rig.place();
            RouteRequest request = WORK.priority(priority);
            assertThat(rig.router.tryPlace(request)).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(request);
            assertThat(waiter).isNotDone();
            live.close();
            assertThat(waiter.join().substrateId()).isEqualTo("v100");
        }
    }

    @Test
    @DisplayName("INTERACTIVE never takes the batch path")
    void interactiveNeverTakesIt() {
        try (Rig rig = new Rig(policy())) {
            rig.place();
            RouteRequest interactive = LOW.mode(PlacementMode.INTERACTIVE);
            assertThat(rig.router.tryPlace(interactive)).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(interactive);
            assertThat(waiter).isNotDone();
            rig.time.advance(seconds(30));
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
        }
    }

    @Test
    @DisplayName("who is displaced goes to its batch path")
    void theDisplacedGoToTheBatchPath() {
        try (Rig rig = new Rig(policy())) {
            rig.place();
            CompletableFuture<Placement> normal = rig.router.placeAsync(WORK);
            assertThat(normal).isNotDone();
            CompletableFuture<Placement> high = rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(high).isNotDone();
            isBatch(normal);
        }
    }

    @Test
    @DisplayName("who is displaced and wants a live answer, or has no batch path, is refused as outranked")
    void theDisplacedWithoutABatchPathAreRefused() {
        try (Rig rig = new Rig(policy())) {
            rig.place();
            CompletableFuture<Placement> normal = rig.router.placeAsync(WORK.mode(PlacementMode.INTERACTIVE));
            rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(refusal(normal).reason()).isEqualTo(RefusalReason.OUTRANKED);
        }
        try (Rig rig = new Rig(policy(work().route("v100"), archive()))) {
            rig.place();
            CompletableFuture<Placement> normal = rig.router.placeAsync(WORK);
            rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(refusal(normal).reason()).isEqualTo(RefusalReason.OUTRANKED);
        }
    }

    @Test
    @DisplayName("a batch placement holds no slot where no limit is declared")
    void withoutALimitItHoldsNoSlot() {
        try (Rig rig = new Rig(policy())) {
            for (int i = 0; i < 200; i++) {
                isBatch(rig.place(BATCH));
            }
        }
    }

    @Test
    @DisplayName("a batch substrate's declared limit holds")
    void aDeclaredLimitHolds() {
        try (Rig rig = new Rig(policy(
                work().route("v100").batch(Candidate.on("archive")), archive().maxConcurrentJobs(1)))) {
            Placement first = rig.place(BATCH);
            isBatch(first);
            assertThat(rig.router.tryPlace(BATCH)).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(BATCH);
            assertThat(waiter).isNotDone();
            first.close();
            isBatch(waiter);
        }
    }

    @Test
    @DisplayName("the batch path too must be trusted with the content")
    void privacyHolds() {
        try (Rig rig = new Rig(policy(
                work().route("v100").batch(Candidate.on("archive")), archive().trust(Trust.PUBLIC)))) {
            assertThatThrownBy(() -> rig.router.tryPlace(BATCH)).isInstanceOf(NoEligibleSubstrateException.class);
            rig.place();
            assertThat(rig.router.tryPlace(LOW)).isEmpty();
            CompletableFuture<Placement> normal = rig.router.placeAsync(WORK);
            rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(refusal(normal).reason()).as("displaced").isEqualTo(RefusalReason.OUTRANKED);
        }
    }

    @Test
    @DisplayName("the batch path too must be good enough")
    void qualityHolds() {
        Workload.Builder work = work().minQuality(0.8)
                .route(Candidate.builder("v100").quality(0.9).build())
                .batch(Candidate.builder("archive").quality(0.7).build());
        try (Rig rig = new Rig(policy(work, archive()))) {
            assertThatThrownBy(() -> rig.router.tryPlace(BATCH)).isInstanceOf(NoEligibleSubstrateException.class);
            rig.place();
            assertThat(rig.router.tryPlace(LOW)).isEmpty();
        }
    }

    @Test
    @DisplayName("a batch substrate that must be avoided is avoided")
    void avoidHolds() {
        try (Rig rig = new Rig(policy())) {
            rig.place();
            assertThat(rig.router.tryPlace(LOW.avoid("archive"))).isEmpty();
            assertThatThrownBy(() -> rig.router.tryPlace(BATCH.avoid("archive")))
                    .isInstanceOf(NoEligibleSubstrateException.class);
        }
    }

    @Test
    @DisplayName("a call is interactive: it waits or is refused, and never runs in batch")
    void aCallIsInteractive() {
        try (Rig rig = new Rig(policy())) {
            Placement live = rig.place();
            assertThatThrownBy(() -> rig.router.call(LOW.maxWait(seconds(0)), Placement::substrateId))
                    .isInstanceOf(SubstratesBusyException.class);
            CompletableFuture<String> later =
                    rig.router.callAsync(LOW, placement -> CompletableFuture.completedFuture(placement.substrateId()));
            assertThat(later).isNotDone();
            live.close();
            assertThat(later).isCompletedWithValue("v100");
        }
    }

    @Test
    @DisplayName("a batch substrate never serves a need or a broadcast")
    void aBatchSubstrateServesNoNeed() {
        Need cuda = Need.builder().capabilities("cuda").build();
        Policy.Builder policy = Plan.policy(
                work().route("v100"),
                node("v100", 1).capabilities("cuda"),
                archive().capabilities("cuda"));
        try (Rig rig = new Rig(policy)) {
            assertThat(rig.router.placeAll(RouteRequest.need(cuda)))
                    .extracting(Placement::substrateId)
                    .containsExactly("v100");
            assertThat(rig.router.tryPlace(RouteRequest.need(cuda))).isEmpty();
            assertThat(rig.router.recommend(RouteRequest.need(cuda)).candidates())
                    .noneMatch(candidate -> candidate.substrateId().equals("archive") && candidate.admissible());
        }
    }

    @Test
    @DisplayName("the batch path too must be able, quick and cheap enough")
    void theWholeContractHolds() {
        Candidate.Builder live =
                Candidate.builder("v100").expectedLatency(seconds(30)).costPerJob(0.1);
        Candidate.Builder batch =
                Candidate.builder("archive").expectedLatency(seconds(120)).costPerJob(0.2);
        Workload.Builder quick =
                work().maxLatency(seconds(60)).route(live.build()).batch(batch.build());
        Workload.Builder cheap = work().maxCost(0.15).route(live.build()).batch(batch.build());
        Workload.Builder able = work().capabilities("cuda").route(live.build()).batch(batch.build());
        for (Workload.Builder work : java.util.List.of(quick, cheap, able)) {
            Policy.Builder policy = Plan.policy(work, node("v100", 1).capabilities("cuda"), archive())
                    .queue(QueueLimits.builder().capacity(1).build());
            try (Rig rig = new Rig(policy)) {
                assertThatThrownBy(() -> rig.router.tryPlace(BATCH))
                        .isInstanceOf(NoEligibleSubstrateException.class)
                        .hasMessageContaining("archive");
                rig.place();
                assertThat(rig.router.tryPlace(LOW)).isEmpty();
                CompletableFuture<Placement> normal = rig.router.placeAsync(WORK);
                rig.router.placeAsync(WORK.priority(Priority.HIGH));
                assertThat(refusal(normal).reason()).isEqualTo(RefusalReason.OUTRANKED);
            }
        }
    }

    @Test
    @DisplayName("who is displaced while the batch path is full is refused as outranked")
    void theDisplacedMeetAFullBatchPath() {
        try (Rig rig = new Rig(policy(
                work().route("v100").batch(Candidate.on("archive")), archive().maxConcurrentJobs(1)))) {
            rig.place();
            isBatch(rig.place(BATCH));
            CompletableFuture<Placement> normal = rig.router.placeAsync(WORK);
            rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(refusal(normal).reason()).isEqualTo(RefusalReason.OUTRANKED);
        }
    }

    @Test
    @DisplayName("a batch path that is cordoned takes nobody")
    void aCordonedBatchPathTakesNobody() {
        try (Rig rig = new Rig(policy())) {
            rig.router.cordon("archive");
            rig.place();
            assertThat(rig.router.tryPlace(BATCH)).isEmpty();
            assertThat(rig.router.tryPlace(LOW)).isEmpty();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(BATCH);
            assertThat(waiter).isNotDone();
            rig.router.uncordon("archive");
            isBatch(waiter);
        }
    }
}
