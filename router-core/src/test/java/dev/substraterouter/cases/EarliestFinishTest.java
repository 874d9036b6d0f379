package dev.substraterouter.cases;

import static dev.substraterouter.cases.Plan.node;
import static dev.substraterouter.cases.Plan.seconds;
import static dev.substraterouter.cases.Plan.takes;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Drift;
import dev.substraterouter.Placement;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.ServingPath;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The order {@code earliest-finish}: where the work is expected to be done first, waiting included. */
@ExtendWith(QuietLog.class)
@Timeout(60)
class EarliestFinishTest {
    /** The fast one, with one slot. */
    private static final Candidate LEGION = takes("legion", 40).build();
    /** The slow one. */
    private static final Candidate MIRRORFORGE = takes("mirrorforge", 120).build();

    private static Workload.Builder work(Candidate... route) {
        return Plan.work().strategy(StrategyKind.EARLIEST_FINISH).route(route);
    }

    private static Policy.Builder two() {
        return Plan.policy(work(MIRRORFORGE, LEGION), node("mirrorforge", 2), node("legion", 1));
    }

    private static Policy.Builder two(Consumer<StrategySettings.Builder> more) {
        StrategySettings.Builder strategy = StrategySettings.builder();
        more.accept(strategy);
        return two().strategy(strategy.build());
    }

    private static Policy.Builder withQueue(Policy.Builder policy, int capacity) {
        return policy.queue(QueueLimits.builder().capacity(capacity).build());
    }

    /** Puts work on legion that is expected to run for so many seconds more. */
    private static Placement legionBusyFor(Rig rig, long secondsMore) {
        Placement placement = rig.place();
        assertThat(placement.substrateId()).isEqualTo("legion");
        rig.time.advance(seconds(40 - secondsMore));
        return placement;
    }

    private static void onMirrorforge(CompletableFuture<Placement> future) {
        assertThat(future).isCompleted();
        assertThat(future.join().substrateId()).isEqualTo("mirrorforge");
    }

    @Test
    @DisplayName("the one that finishes first is taken, wherever it is written")
    void theFastestFreeOneIsTaken() {
        try (Rig rig = new Rig(two())) {
            assertThat(rig.place().substrateId()).isEqualTo("legion");
        }
    }

    @Test
    @DisplayName("20 s of waiting for 40 s of work beat 120 s of work at once")
    void waitsForTheOneThatFinishesFirst() {
        try (Rig rig = new Rig(two())) {
            Placement running = legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            assertThat(waiter).isNotDone();
            assertThat(rig.waiting()).isEqualTo(1);
            rig.time.advance(seconds(20));
            running.succeed();
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().substrateId()).isEqualTo("legion");
            assertThat(waiter.join().trace().waited()).isEqualTo(seconds(20));
        }
    }

    @Test
    @DisplayName("a recommendation says what would be taken at once, and that another finishes sooner")
    void aRecommendationSaysThatAnotherFinishesSooner() {
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            var best = rig.router.recommend(WORK).best().orElseThrow();
            assertThat(best.substrateId()).isEqualTo("mirrorforge");
            assertThat(rig.place().substrateId()).isEqualTo("mirrorforge");
        }
    }

    @Test
    @DisplayName("a free one that finishes within the margin of the best is taken at once")
    void aFreeOneWithinTheMarginIsTaken() {
        try (Rig rig = new Rig(two(strategy -> strategy.finishMargin(2.1)))) {
            legionBusyFor(rig, 20);
            onMirrorforge(rig.router.placeAsync(WORK)); // 120 s <= 2.1 x 60 s
        }
        try (Rig rig = new Rig(two(strategy -> strategy.finishMargin(1)))) {
            legionBusyFor(rig, 40);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(seconds(60))); // 120 s > 1 x 80 s
            assertThat(waiter).isNotDone();
        }
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 40);
            onMirrorforge(rig.router.placeAsync(WORK.maxWait(seconds(60)))); // 120 s <= 1.5 x 80 s
        }
    }

    @Test
    @DisplayName("a request that never waits takes the free one")
    void whoNeverWaitsTakesTheFreeOne() throws InterruptedException {
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            assertThat(rig.place().substrateId()).isEqualTo("mirrorforge");
            assertThat(rig.router.place(WORK.maxWait(Duration.ZERO)).substrateId())
                    .isEqualTo("mirrorforge");
        }
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            onMirrorforge(rig.router.placeAsync(WORK.maxWait(Duration.ZERO)));
        }
        try (Rig rig =
                new Rig(two().queue(QueueLimits.builder().maxWait(Duration.ZERO).build()))) {
            legionBusyFor(rig, 20);
            onMirrorforge(rig.router.placeAsync(WORK));
        }
    }

    @Test
    @DisplayName("where nobody can wait, nobody is refused while one is free")
    void aQueueWithoutPlacesRefusesNobody() {
        try (Rig rig = new Rig(withQueue(two(), 0))) {
            legionBusyFor(rig, 20);
            onMirrorforge(rig.router.placeAsync(WORK));
            onMirrorforge(rig.router.placeAsync(WORK));
            assertThat(refusal(rig.router.placeAsync(WORK)).reason()).isEqualTo(RefusalReason.QUEUE_FULL);
        }
    }

    @Test
    @DisplayName("a full queue neither refuses nor displaces anybody while one is free")
    void aFullQueueTakesTheFreeOne() {
        try (Rig rig = new Rig(withQueue(two(strategy -> strategy.finishMargin(1)), 1))) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> low = rig.router.placeAsync(WORK.priority(Priority.LOW));
            assertThat(low).isNotDone();
            onMirrorforge(rig.router.placeAsync(WORK.priority(Priority.LOW)));
            onMirrorforge(rig.router.placeAsync(WORK.priority(Priority.LOW)));
            assertThat(low).as("not displaced").isNotDone();
            assertThat(rig.heard(RouterEvent.Refused.class)).isEmpty();
            // now nothing is free any more, and priority counts
            CompletableFuture<Placement> high = rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(high).isNotDone();
            assertThat(refusal(low).reason()).isEqualTo(RefusalReason.OUTRANKED);
        }
    }

    @Test
    @DisplayName("at the end of its wait it takes the best free one")
    void theEndOfTheWaitTakesTheBestFreeOne() {
        try (Rig rig = new Rig(Plan.policy(
                work(takes("slowest", 150).build(), MIRRORFORGE, LEGION),
                node("slowest", 2),
                node("mirrorforge", 2),
                node("legion", 1)))) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(seconds(25)));
            assertThat(waiter).isNotDone();
            rig.time.advance(seconds(25)); // what runs on legion takes longer than expected
            onMirrorforge(waiter);
            assertThat(rig.heard(RouterEvent.Refused.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("a wait that would end too early for the fast one does not cost the deadline that the slow one meets")
    void aDeadlineThatOnlyTheSlowOneCanMeetIsNotRisked() {
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            onMirrorforge(rig.router.placeAsync(WORK.maxWait(seconds(10)).deadline(seconds(125)))); // 10 + 120 > 125
        }
    }

    @Test
    @DisplayName("while waiting, the free one is taken before its deadline can no longer be met there")
    void theDeadlineIsMetWhenTheFastOneOverruns() {
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.deadline(seconds(145)));
            rig.time.advance(seconds(25)); // what runs on legion takes longer than expected
            onMirrorforge(waiter); // by now or earlier: 25 + 120 = 145
        }
    }

    @Test
    @DisplayName("a candidate of unknown latency comes last")
    void unknownLatenciesComeLast() {
        try (Rig rig = new Rig(
                Plan.policy(work(Candidate.on("unknown"), MIRRORFORGE), node("unknown", 1), node("mirrorforge", 1)))) {
            assertThat(rig.place().substrateId()).isEqualTo("mirrorforge");
            assertThat(rig.place().substrateId()).isEqualTo("unknown");
        }
    }

    @Test
    @DisplayName("a model that is not loaded adds its load time")
    void aColdModelAddsItsLoadTime() {
        Candidate a = takes("a", 40).model("flux").loadTime(seconds(30)).build();
        Candidate b = takes("b", 60).model("flux").loadTime(seconds(30)).build();
        try (Rig rig = new Rig(Plan.policy(work(a, b), node("a", 2), node("b", 2)))) {
            SubstrateStatus warm = Statuses.healthy(24).loadedModels("flux").build();
            SubstrateStatus cold = Statuses.healthy(24).loadedModels("sdxl").build();
            rig.router.reportStatus("a", cold);
            rig.router.reportStatus("b", warm);
            assertThat(rig.router.recommend(WORK).best().orElseThrow().substrateId())
                    .as("70 s against 60 s")
                    .isEqualTo("b");
            rig.router.reportStatus("a", warm);
            rig.router.reportStatus("b", cold);
            assertThat(rig.router.recommend(WORK).best().orElseThrow().substrateId())
                    .as("40 s against 90 s")
                    .isEqualTo("a");
        }
    }

    @Test
    @DisplayName("each foreign job on a full substrate is expected to take 15 s")
    void foreignJobsCount() {
        try (Rig rig = new Rig(two())) {
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).runningJobs(1).build());
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK); // 15 + 40 s, and 120 > 1.5 x 55
            assertThat(waiter).isNotDone();
            waiter.cancel(false);
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).runningJobs(1).queuedJobs(3).build());
            onMirrorforge(rig.router.placeAsync(WORK)); // 4 x 15 + 40 s, and 120 <= 1.5 x 100
        }
    }

    @Test
    @DisplayName("the work of those that wait already counts")
    void earlierWaitersCount() {
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> first = rig.router.placeAsync(WORK); // 60 s
            assertThat(first).isNotDone();
            onMirrorforge(rig.router.placeAsync(WORK)); // 100 s there, and 120 <= 150
            assertThat(first).isNotDone();
        }
    }

    @Test
    @DisplayName("one that others keep busy is expected to be so for unhealthy_wait")
    void unhealthyOnesAreExpectedToStaySo() {
        try (Rig rig = new Rig(two())) {
            rig.loaded("legion");
            onMirrorforge(rig.router.placeAsync(WORK)); // 240 + 40 s
        }
        try (Rig rig = new Rig(two(strategy -> strategy.unhealthyWait(seconds(20))))) {
            rig.loaded("legion");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK); // 20 + 40 s
            assertThat(waiter).isNotDone();
            rig.healthy("legion");
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().substrateId()).isEqualTo("legion");
        }
    }

    @Test
    @DisplayName("overflow comes last, however fast")
    void overflowComesLast() {
        Policy.Builder policy = Plan.policy(
                work(takes("cloud", 10).build(), MIRRORFORGE).privacy(Trust.PUBLIC),
                Plan.cloud("cloud").overflow(true),
                node("mirrorforge", 1));
        try (Rig rig = new Rig(policy)) {
            assertThat(rig.place().substrateId()).isEqualTo("mirrorforge");
            Placement second = rig.router.placeAsync(WORK).join();
            assertThat(second.substrateId()).isEqualTo("cloud");
            assertThat(second.trace().lastAttempt().orElseThrow().path()).isEqualTo(ServingPath.OVERFLOW);
        }
    }

    @Test
    @DisplayName("a preference reorders within its tier and never waits for the one that is preferred")
    void aPreferenceReordersWithinItsTier() {
        Policy.Builder policy = Plan.policy(
                work(takes("cloud", 10).build(), MIRRORFORGE, LEGION).privacy(Trust.PUBLIC),
                Plan.cloud("cloud").overflow(true),
                node("mirrorforge", 1),
                node("legion", 1));
        try (Rig rig = new Rig(policy)) {
            try (Placement preferred = rig.place(WORK.prefer("mirrorforge"))) {
                assertThat(preferred.substrateId()).isEqualTo("mirrorforge");
            }
            try (Placement other = rig.place(WORK.prefer("cloud"))) {
                assertThat(other.substrateId())
                        .as("the overflow tier stays behind")
                        .isEqualTo("legion");
            }
        }
    }

    /** Does work that takes so many seconds. */
    private static String work(Rig rig, long seconds) {
        try (Placement placement = rig.place()) {
            rig.time.advance(seconds(seconds));
            placement.succeed();
            return placement.substrateId();
        }
    }

    @Test
    @DisplayName("after 10 successes what was observed orders the candidates")
    void learnedLatenciesOrder() {
        Policy.Builder policy =
                Plan.policy(work(takes("a", 40).build(), takes("b", 50).build()), node("a", 1), node("b", 1));
        try (Rig rig = new Rig(policy)) {
            for (int success = 1; success <= 10; success++) {
                assertThat(work(rig, 100)).as("success %d", success).isEqualTo("a");
            }
            assertThat(work(rig, 50)).isEqualTo("b");
            assertThat(rig.router.recommend(WORK).candidates())
                    .filteredOn(candidate -> candidate.substrateId().equals("a"))
                    .singleElement()
                    .satisfies(a -> assertThat(a.expectedLatency()).hasValue(seconds(100)));
        }
    }

    @Test
    @DisplayName("failures, neutral ends and one outlier teach nothing")
    void onlySuccessesTeach() {
        Policy.Builder policy =
                Plan.policy(work(takes("a", 40).build(), takes("b", 50).build()), node("a", 1), node("b", 1));
        try (Rig rig = new Rig(policy)) {
            for (int neutral = 0; neutral < 30; neutral++) {
                try (Placement placement = rig.place()) {
                    assertThat(placement.substrateId()).isEqualTo("a");
                    rig.time.advance(seconds(100));
                    if (neutral % 2 == 0) {
                        placement.fail(new IllegalArgumentException("the caller's fault"));
                    }
                }
            }
            for (int success = 0; success < 20; success++) {
                assertThat(work(rig, success == 9 ? 3_000 : 40)).isEqualTo("a");
            }
        }
    }

    @Test
    @DisplayName("with learn: false the declared figures stay in force")
    void withoutLearningTheDeclaredFiguresStay() {
        Policy.Builder policy = Plan.policy(
                        work(takes("a", 40).build(), takes("b", 50).build()), node("a", 1), node("b", 1))
                .strategy(StrategySettings.builder().learn(false).build());
        try (Rig rig = new Rig(policy)) {
            for (int success = 0; success < 30; success++) {
                assertThat(work(rig, 100)).isEqualTo("a");
            }
        }
    }

    private static Optional<Drift> drift(long declared, long observed) {
        Policy.Builder policy = Plan.policy(work(takes("a", declared).build()), node("a", 1));
        try (Rig rig = new Rig(policy)) {
            for (int success = 0; success < 20; success++) {
                work(rig, observed);
            }
            assertThat(rig.router.drift()).hasSizeLessThanOrEqualTo(1);
            return rig.router.drift().stream().findFirst();
        }
    }

    @Test
    @DisplayName("a figure that is off by more than the factor is listed, with how sure that is and both ways out")
    void driftIsListed() {
        Drift drift = drift(40, 100).orElseThrow();
        assertThat(drift.workload()).isEqualTo("work");
        assertThat(drift.substrateId()).isEqualTo("a");
        assertThat(drift.declared()).isEqualTo(seconds(40));
        assertThat(drift.observed()).isEqualTo(seconds(100));
        assertThat(drift.n()).isEqualTo(20);
        assertThat(drift.low()).isEqualTo(seconds(100));
        assertThat(drift.high()).isEqualTo(seconds(100));
        assertThat(drift.factor()).isEqualTo(2.5);
        assertThat(drift.explain())
                .contains("'work' on a", "40.0 s", "100.0 s", "n = 20", "95 %")
                .contains("pipeline", "route");
    }

    @Test
    @DisplayName("one that is off by no more than the factor is not listed")
    void smallDriftIsNotListed() {
        assertThat(drift(40, 60)).as("1.5 times").isEmpty();
        assertThat(drift(40, 61)).isPresent();
        assertThat(drift(40, 40)).isEmpty();
    }

    @Test
    @DisplayName("one that is faster than declared by more than the factor is listed too")
    void driftBothWays() {
        assertThat(drift(60, 30))
                .hasValueSatisfying(drift -> assertThat(drift.factor()).isEqualTo(0.5));
        assertThat(drift(60, 50)).isEmpty();
    }

    @Test
    @DisplayName("why it waits is told where it is asked")
    void whyItWaitsIsTold() {
        try (Rig rig = new Rig(two())) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(seconds(15)));
            rig.time.advance(seconds(15));
            onMirrorforge(waiter);
            assertThat(waiter.join().trace().lastAttempt().orElseThrow().considered())
                    .anySatisfy(considered -> {
                        assertThat(considered.substrateId()).isEqualTo("legion");
                        assertThat(considered.has(Reason.RUNNING_JOBS)).isTrue();
                    });
        }
    }

    @Test
    @DisplayName("who waits by choice keeps its place when others take the free one")
    void othersMayTakeTheFreeOneMeanwhile() {
        RouteRequest now = WORK.maxWait(Duration.ZERO);
        try (Rig rig = new Rig(two())) {
            Placement running = legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            onMirrorforge(rig.router.placeAsync(now));
            onMirrorforge(rig.router.placeAsync(now));
            assertThat(waiter).isNotDone();
            running.succeed();
            assertThat(waiter).isCompleted();
            assertThat(waiter.join().substrateId()).isEqualTo("legion");
        }
    }

    private static Policy.Builder learning(long firstTakes) {
        return Plan.policy(work(takes("a", firstTakes).build(), takes("b", 50).build()), node("a", 1), node("b", 1));
    }

    @Test
    @DisplayName("what was learned survives a reload")
    void whatWasLearnedSurvivesAReload() {
        try (Rig rig = new Rig(learning(40))) {
            for (int success = 0; success < 10; success++) {
                work(rig, 100);
            }
            rig.router.reload(learning(40).build());
            assertThat(work(rig, 50)).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("max_latency judges what is declared and never what was learned")
    void maxLatencyIsJudgedByWhatIsDeclared() {
        Policy.Builder policy = Plan.policy(work(takes("a", 40).build()).maxLatency(seconds(40)), node("a", 1));
        try (Rig rig = new Rig(policy)) {
            for (int success = 0; success < 20; success++) {
                assertThat(work(rig, 100)).isEqualTo("a");
            }
        }
    }

    @Test
    @DisplayName("equals go by the tightest fit of memory, then by id")
    void equalsGoByTheTightestFit() {
        Policy.Builder policy = Plan.policy(
                work(
                                takes("wide", 40).build(),
                                takes("z", 40).build(),
                                takes("y", 40).build())
                        .vramGb(20),
                node("wide", 1).vramGb(80),
                node("z", 1).vramGb(24),
                node("y", 1).vramGb(24));
        try (Rig rig = new Rig(policy)) {
            rig.router.reportStatus("wide", Statuses.idle(80));
            assertThat(rig.place().substrateId()).isEqualTo("y");
            assertThat(rig.place().substrateId()).isEqualTo("z");
            assertThat(rig.place().substrateId()).isEqualTo("wide");
        }
    }

    @Test
    @DisplayName("who waits by choice is outranked by nobody while one is free: it takes the free one instead")
    void whoGivesUpItsPlaceTakesTheFreeOne() {
        try (Rig rig = new Rig(withQueue(two(strategy -> strategy.finishMargin(1)), 1))) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> low = rig.router.placeAsync(WORK.priority(Priority.LOW));
            assertThat(low).isNotDone();
            rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(rig.heard(RouterEvent.Refused.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("who waits by choice takes the free one as soon as the better one is not better any more")
    void aChoiceIsMadeAnew() {
        Policy.Builder policy = Plan.policy(
                work(MIRRORFORGE, LEGION),
                node("mirrorforge", 2),
                node("legion", 1).utilPerJobPct(10));
        try (Rig rig = new Rig(policy)) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            assertThat(waiter).isNotDone();
            rig.loaded("legion"); // by others: 240 s
            onMirrorforge(waiter);
        }
        try (Rig rig = new Rig(policy)) {
            Placement running = legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            running.busy(seconds(200));
            onMirrorforge(waiter);
        }
        try (Rig rig = new Rig(policy)) {
            legionBusyFor(rig, 20);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.router.reload(
                    Plan.policy(work(MIRRORFORGE), node("mirrorforge", 2)).build());
            onMirrorforge(waiter);
        }
    }

    @Test
    @DisplayName("a few successes are no drift yet")
    void aFewSuccessesAreNoDrift() {
        try (Rig rig = new Rig(Plan.policy(work(takes("a", 40).build()), node("a", 1)))) {
            for (int success = 1; success <= 10; success++) {
                assertThat(rig.router.drift()).isEmpty();
                work(rig, 100);
            }
            assertThat(rig.router.drift()).hasSize(1);
        }
    }

    @Test
    @DisplayName("a slot that comes free sooner counts, not the last one")
    void theEarliestSlotCounts() {
        Policy.Builder policy = Plan.policy(work(MIRRORFORGE, LEGION), node("mirrorforge", 2), node("legion", 2));
        try (Rig rig = new Rig(policy)) {
            legionBusyFor(rig, 20);
            Placement second = rig.place();
            assertThat(second.substrateId()).isEqualTo("legion");
            assertThat(rig.router.placeAsync(WORK)).as("20 + 40 s").isNotDone();
        }
    }

    @Test
    @DisplayName("while its owner is at work, a workstation counts as slower by what the disturbance costs")
    void theOwnerComesFirst() {
        Policy.Builder policy = Plan.policy(
                work(MIRRORFORGE, LEGION),
                node("mirrorforge", 2),
                node("legion", 1).owner(15, 3));
        try (Rig rig = new Rig(policy)) {
            assertThat(rig.router.recommend(WORK).best().orElseThrow().substrateId())
                    .isEqualTo("legion");
            rig.router.reportStatus(
                    "legion", Statuses.healthy(24).gpuUtilPct(30).build());
            assertThat(rig.place().substrateId())
                    .as("40 + 3 x 40 s against 120 s")
                    .isEqualTo("mirrorforge");
        }
    }

    /** A 32 GB node with some slots, where own work of 14 GB runs; the next work of 14 GB is of another model. */
    private static Policy.Builder tight(int slots) {
        Workload.Builder work = work(
                        takes("mirrorforge", 120).build(), takes("legion", 40).build())
                .vramGb(14);
        return Plan.policy(
                        work,
                        node("mirrorforge", 2).vramGb(64),
                        node("legion", slots).vramGb(32))
                .workload(Workload.builder("other").vramGb(14).route("legion").build());
    }

    private static SubstrateStatus uses(double vramGb, int jobs) {
        return Statuses.healthy(32).vramUsedGb(vramGb).runningJobs(jobs).build();
    }

    @Test
    @DisplayName(
            "memory that own work has left behind is worth a moment's waiting: the next status tells that it is free")
    void whatOwnWorkLeavesBehindIsWaitedFor() {
        for (boolean told : new boolean[] {true, false}) {
            try (Rig rig = new Rig(tight(1))) {
                rig.router.reportStatus("legion", uses(6, 0));
                Placement other = rig.place(RouteRequest.workload("other"));
                rig.time.advance(seconds(30));
                rig.router.reportStatus("legion", uses(20, 1));
                CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
                other.succeed();
                assertThat(waiter).as("32 - 6 - 14 are left until it is asked").isNotDone();
                rig.time.advance(told ? Duration.ofMillis(200) : seconds(6));
                if (told) {
                    rig.router.reportStatus("legion", uses(6, 0));
                    assertThat(waiter.join().substrateId()).isEqualTo("legion");
                } else {
                    onMirrorforge(waiter); // nobody tells: it is not waited for any longer
                }
            }
        }
    }

    @Test
    @DisplayName("memory that others hold is not: it comes back when they say so")
    void whatOthersHoldIsNotWaitedFor() {
        for (int theirs : new int[] {3, 10, 20}) {
            try (Rig rig = new Rig(tight(2))) {
                rig.router.reportStatus("legion", uses(theirs, 0));
                Optional<Placement> other = rig.router.tryPlace(RouteRequest.workload("other"));
                assertThat(other.isPresent()).isEqualTo(theirs <= 18);
                CompletableFuture<Placement> next = rig.router.placeAsync(WORK);
                switch (theirs) {
                    case 3 -> assertThat(next.join().substrateId()).isEqualTo("legion"); // beside the other
                    case 10 -> assertThat(next).isNotDone(); // 15 s, until the other is done
                    default -> onMirrorforge(next); // 240 s, until others are done
                }
            }
        }
    }
}
