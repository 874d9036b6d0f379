package dev.substraterouter.batch;

import static dev.substraterouter.batch.BatchRig.BIG;
import static dev.substraterouter.batch.BatchRig.SMALL;
import static dev.substraterouter.batch.BatchRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.Placement;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.UnknownWorkloadException;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchDispatcherTest {
    private static final byte[] PAYLOAD = bytes("a cat");

    private final BatchRig rig = new BatchRig();
    private final List<Integer> runs = new ArrayList<>();

    @BeforeEach
    void silence() {
        BatchRig.LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void nothingIsLeftOpen() {
        assertThat(rig.idle()).as("every lease came back").isTrue();
        rig.close();
        BatchRig.LOG.setUseParentHandlers(true);
    }

    private byte[] draw(Placement placement, BatchJob job) {
        runs.add(job.attempts());
        return bytes("drawn of " + new String(job.payload(), java.nio.charset.StandardCharsets.UTF_8) + " on "
                + placement.substrateId());
    }

    private BatchWork failing(Exception failure) {
        return (placement, job) -> {
            runs.add(job.attempts());
            throw failure;
        };
    }

    private Throwable failure(CompletableFuture<byte[]> future) {
        if (!future.isDone() && rig.work.size() > 0) {
            rig.work.all();
        }
        assertThat(future).isDone();
        return future.handle((result, failure) -> failure).join();
    }

    // the good day

    @Test
    void runsAJobAndTellsOfIt() {
        try (BatchDispatcher batch = rig.manual(this::draw).build()) {
            byte[] payload = PAYLOAD.clone();
            BatchTicket ticket = batch.submit(SMALL, payload);
            payload[0] = 'X';
            CompletableFuture<byte[]> result = ticket.result();
            assertThat(ticket.state()).isEqualTo(BatchState.RUNNING);
            assertThat(batch.running()).isEqualTo(1);
            assertThat(ticket.report().orElseThrow().substrate()).contains("two");
            rig.seconds(3);
            rig.work.next();
            assertThat(result)
                    .isCompletedWithValueMatching(drawn -> Arrays.equals(drawn, bytes("drawn of a cat on two")));
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            BatchReport report = ticket.report().orElseThrow();
            assertThat(Duration.between(
                            report.startedAt().orElseThrow(), report.endedAt().orElseThrow()))
                    .hasSeconds(3);
            RoutingTrace trace = report.attempts().get(0);
            assertThat(trace.requestId()).isEqualTo(ticket.id());
            assertThat(trace.priority()).isEqualTo(Priority.LOW);
            assertThat(trace.served()).isTrue();
            assertThat(trace.lastAttempt().orElseThrow().latency()).contains(Duration.ofSeconds(3));
            assertThat(report.model()).isEmpty();
            assertThat(ticket.cancel()).isFalse();
            assertThat(batch).hasToString("BatchDispatcher[batch, running 0/4]");
        }
    }

    @Test
    void drainsWhateverModeWasAskedForUnderItsOwnId() {
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            BatchTicket ticket = batch.submit(
                    SMALL.mode(PlacementMode.BATCH).priority(Priority.HIGH).requestId("order 66"), PAYLOAD);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            RoutingTrace trace = ticket.report().orElseThrow().attempts().get(0);
            assertThat(trace.requestId()).isEqualTo("order 66");
            assertThat(trace.priority()).isEqualTo(Priority.LOW);
        }
    }

    @Test
    void acceptsAJobOnceByItsKey() {
        try (BatchDispatcher batch = rig.manual(this::draw).build()) {
            BatchTicket first = batch.submit(SMALL, PAYLOAD, "key");
            assertThat(batch.submit(SMALL, PAYLOAD, "key").id()).isEqualTo(first.id());
            rig.work.all();
            BatchTicket again = batch.submit(SMALL, PAYLOAD, "key");
            assertThat(again.id()).isEqualTo(first.id());
            CompletableFuture<byte[]> result = again.result();
            rig.work.all();
            assertThat(result)
                    .isCompletedWithValueMatching(drawn -> Arrays.equals(drawn, bytes("drawn of a cat on two")));
            assertThat(runs).containsExactly(1);
        }
    }

    @Test
    void refusesWhatCouldNeverRunAndWhatDoesNotFit() {
        BatchRig tight = new BatchRig(1);
        try (tight;
                BatchDispatcher batch = tight.manual(this::draw).build()) {
            assertThatThrownBy(() -> batch.submit(RouteRequest.workload("huge"), PAYLOAD))
                    .isInstanceOf(UnknownWorkloadException.class);
            assertThatThrownBy(() -> batch.submit(BIG.avoid("one"), PAYLOAD))
                    .isInstanceOf(NoEligibleSubstrateException.class);
            assertThat(tight.store.open()).isZero();
            batch.submit(SMALL, PAYLOAD);
            assertThatThrownBy(() -> batch.submit(SMALL, PAYLOAD))
                    .isInstanceOf(BatchFullException.class)
                    .hasMessageContaining("jobs 1/1");
            tight.work.all();
        }
    }

    // capacity

    @Test
    void waitsForAPlaceWithoutAnAttemptAndLeavesNoTraceOfIt() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            rig.seconds(100);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            assertThat(ticket.report().orElseThrow().job().attempts()).isZero();
            assertThat(rig.router.recentTraces()).isEmpty();
            other.succeed();
            rig.seconds(1);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
        }
    }

    @Test
    void letsJobsPastOneThatFindsNoPlaceAndKeepsItsTurn() {
        try (BatchDispatcher batch = rig.manual(this::draw).build()) {
            BatchTicket first = batch.submit(BIG, bytes("1"));
            BatchTicket second = batch.submit(BIG, bytes("2"));
            BatchTicket third = batch.submit(BIG, bytes("3"));
            BatchTicket small = batch.submit(SMALL, bytes("4"));
            assertThat(List.of(first.state(), second.state(), third.state(), small.state()))
                    .containsExactly(BatchState.RUNNING, BatchState.QUEUED, BatchState.QUEUED, BatchState.RUNNING);
            rig.work.next();
            assertThat(second.state()).as("at once, not at the next tick").isEqualTo(BatchState.RUNNING);
            assertThat(third.state()).isEqualTo(BatchState.QUEUED);
            rig.work.all();
            assertThat(third.state()).isEqualTo(BatchState.SUCCEEDED);
        }
    }

    @Test
    void reachesEveryJobBehindManyThatFindNoPlace() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            for (int n = 0; n < 99; n++) {
                rig.store.offer(BatchJob.of("big" + n, BIG, PAYLOAD, null, 0, rig.time.wall()));
            }
            rig.store.offer(BatchJob.of("small", SMALL, PAYLOAD, null, 0, rig.time.wall()));
            rig.seconds(2);
            assertThat(rig.store.find("small").orElseThrow().state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(batch.running()).isZero();
            assertThat(other.substrateId()).isEqualTo("one");
        }
    }

    @Test
    void runsNoMoreThanItMay() {
        try (BatchDispatcher batch = rig.manual(this::draw).maxRunning(2).build()) {
            for (int n = 0; n < 5; n++) {
                batch.submit(SMALL, PAYLOAD);
            }
            assertThat(batch.running()).isEqualTo(2);
            assertThat(rig.work.size()).isEqualTo(2);
            rig.work.all();
            assertThat(runs).hasSize(5);
        }
    }

    @Test
    void standsBackWhileSomebodyElseWaits() {
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            Placement held = rig.router.tryPlace(BIG).orElseThrow();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(BIG.maxWait(Duration.ofSeconds(60)));
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            held.close();
            Placement granted = waiter.join();
            rig.seconds(5);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            granted.close();
            rig.seconds(1);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
        }
    }

    // failures

    @Test
    void aPoisonJobEndsAsADeadLetterAfterItsAttempts() {
        BatchWork poison = failing(new IllegalStateException("poison"));
        try (BatchDispatcher batch = rig.direct(poison).build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            rig.seconds(30);
            assertThat(runs).containsExactly(1, 2, 3, 4, 5);
            assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
            assertThat(failure(ticket.result()))
                    .isInstanceOfSatisfying(
                            BatchDeadException.class,
                            dead -> assertThat(dead.reasons()).hasSize(5).allMatch(reason -> reason.contains("poison")))
                    .hasMessageContaining(ticket.id());
            assertThat(batch.deadLetters()).singleElement().satisfies(letter -> {
                assertThat(letter.attempts()).hasSize(5);
                assertThat(letter.attempts().get(4).lastAttempt().orElseThrow().outcome())
                        .isEqualTo(Outcome.REQUEST_FAULT);
            });
        }
    }

    @Test
    void pausesLongerEachTime() {
        try (BatchDispatcher batch =
                rig.direct(failing(new IllegalStateException("poison"))).build()) {
            batch.submit(SMALL, PAYLOAD);
            List<Long> seconds = new ArrayList<>();
            for (long second = 0; second < 40; second++) {
                int before = runs.size();
                rig.seconds(1);
                if (runs.size() > before) {
                    seconds.add(second + 1);
                }
            }
            assertThat(seconds).hasSize(4);
            assertThat(seconds.get(0)).isBetween(1L, 2L);
            assertThat(seconds.get(1) - seconds.get(0)).isBetween(1L, 3L);
            assertThat(seconds.get(2) - seconds.get(1)).isBetween(2L, 5L);
            assertThat(seconds.get(3) - seconds.get(2)).isBetween(4L, 9L);
        }
    }

    @Test
    void aPoisonThatRuinsItsWorkerIsCountedToo() {
        BatchWork poison = failing(new IOException("connection reset"));
        try (BatchDispatcher batch = rig.direct(poison).maxAttempts(4).build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            rig.seconds(600);
            assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
            assertThat(runs).hasSize(4);
        }
    }

    @Test
    void aPoisonThatRunsTheWorkerOutOfMemoryIsCountedToo() {
        BatchWork poison = failing(SubstrateFaultException.outOfMemory("CUDA out of memory"));
        try (BatchDispatcher batch = rig.direct(poison).build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            rig.seconds(600);
            assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
        }
    }

    @Test
    void aWorkerThatIsAwayOrFullDoesNotUseUpTheAttempts() {
        for (Exception failure :
                List.of(new ConnectException("refused"), new BackpressureException(Duration.ofSeconds(2)))) {
            try (BatchDispatcher batch = rig.direct((placement, job) -> {
                        runs.add(job.attempts());
                        if (runs.size() < 8) {
                            throw failure;
                        }
                        return PAYLOAD;
                    })
                    .build()) {
                runs.clear();
                BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
                rig.seconds(3600);
                assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
                assertThat(runs).hasSize(8).containsOnly(1);
                assertThat(ticket.report().orElseThrow().reasons()).hasSize(7);
                rig.router.reset("one");
                rig.router.reset("two");
            }
        }
    }

    @Test
    void aResultThatIsNullAndAnErrorAreFailures() {
        try (BatchDispatcher batch = rig.direct((placement, job) -> {
                    if (job.attempts() == 1) {
                        return null;
                    }
                    throw new StackOverflowError("deep");
                })
                .maxAttempts(2)
                .build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            rig.seconds(10);
            assertThat(ticket.report().orElseThrow().reasons())
                    .satisfiesExactly(
                            first -> assertThat(first).contains("the work's result"),
                            second -> assertThat(second).contains("deep"));
        }
    }

    @Test
    void workThatMustNotRunTwiceIsGivenUpAfterARunThatMayHaveBegun() {
        try (BatchDispatcher batch =
                rig.direct(failing(new IOException("reset"))).build()) {
            BatchTicket ticket = batch.submit(SMALL.idempotent(false), PAYLOAD);
            assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
            rig.seconds(20); // what was broken off may still run there for a while
        }
        try (BatchDispatcher batch = rig.direct((placement, job) -> {
                    runs.add(job.attempts());
                    if (runs.size() == 2) {
                        throw new ConnectException("refused");
                    }
                    return PAYLOAD;
                })
                .build()) {
            BatchTicket ticket = batch.submit(SMALL.idempotent(false), PAYLOAD);
            rig.seconds(5);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(runs).hasSize(3);
        }
    }

    @Test
    void aReloadMayTakeAWorkloadAwayAndBringItBack() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            BatchTicket lucky = batch.submit(BIG, PAYLOAD);
            BatchTicket hopeless = batch.submit(BIG, PAYLOAD);
            rig.router.reload(BatchRig.builder()
                    .workload(Workload.builder("small").route("two").build())
                    .build());
            other.succeed();
            rig.seconds(3_000);
            assertThat(lucky.report().orElseThrow().job().attempts()).isZero();
            hopeless.cancel();
            rig.router.reload(BatchRig.policy());
            rig.seconds(300);
            assertThat(lucky.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(lucky.report().orElseThrow().reasons()).allMatch(reason -> reason.contains("no workload 'big'"));
        }
    }

    @Test
    void aWorkloadThatStaysAwayMakesDeadLetters() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            rig.router.reload(BatchRig.builder()
                    .workload(Workload.builder("small").route("two").build())
                    .build());
            other.succeed();
            rig.seconds(3_600);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            rig.seconds(310);
            assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
            assertThat(ticket.report().orElseThrow().reasons())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("refused for PT1H");
            assertThat(ticket.report().orElseThrow().job().attempts()).isZero();
            assertThat(ticket.report().orElseThrow().attempts())
                    .allMatch(trace -> trace.refusal().isPresent());
            assertThat(ticket.report().orElseThrow().substrate()).isEmpty();
            assertThat(runs).isEmpty();
        }
    }

    @Test
    void aJobWhoseDeadlineHasPassedIsGivenUp() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            BatchTicket ticket = batch.submit(BIG.deadline(Duration.ofSeconds(10)), PAYLOAD);
            rig.seconds(9);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            rig.seconds(2);
            assertThat(ticket.state()).isEqualTo(BatchState.DEAD);
            assertThat(ticket.report().orElseThrow().reasons())
                    .singleElement()
                    .asString()
                    .contains("deadline");
            other.succeed();
        }
    }

    // cancelling

    @Test
    void cancelsAJobThatWaits() {
        try (BatchDispatcher batch = rig.direct(this::draw).build();
                Placement other = rig.router.tryPlace(BIG).orElseThrow()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            CompletableFuture<byte[]> result = ticket.result();
            assertThat(ticket.cancel()).isTrue();
            assertThat(ticket.cancel()).isFalse();
            assertThat(failure(result)).isInstanceOf(BatchCancelledException.class);
            assertThat(failure(ticket.result())).isInstanceOf(BatchCancelledException.class);
            other.succeed();
            rig.seconds(10);
            assertThat(runs).isEmpty();
        }
    }

    @Test
    void cancelsARunThatWaitsForItsThreadAndFreesThePlaceAtOnce() {
        try (BatchDispatcher batch = rig.manual(this::draw).build()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            assertThat(ticket.cancel()).isTrue();
            assertThat(rig.idle()).isTrue();
            rig.work.all();
            assertThat(runs).isEmpty();
            assertThat(ticket.state()).isEqualTo(BatchState.CANCELLED);
        }
    }

    @Test
    void aCancelBetweenClaimAndStartKeepsTheRunFromBeginning() {
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            public boolean start(BatchClaim claim, RoutingTrace trace) {
                rig.store.cancel(claim.job().id());
                return super.start(claim, trace);
            }
        };
        try (BatchDispatcher batch = BatchDispatcher.builder(rig.router, store, this::draw)
                .timeSource(rig.time)
                .executor(Runnable::run)
                .storeExecutor(Runnable::run)
                .build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            assertThat(ticket.state()).isEqualTo(BatchState.CANCELLED);
            assertThat(runs).isEmpty();
        }
    }

    @Test
    void anEndThatTheStoreDidNotTakeIsRecordedLater() {
        List<Boolean> answers = new ArrayList<>();
        BatchQueue store = new ForwardingBatchQueue(rig.store) {
            @Override
            public boolean complete(BatchClaim claim, byte[] result, RoutingTrace trace) {
                boolean recorded = answers.size() > 1 && super.complete(claim, result, trace);
                answers.add(recorded);
                if (!recorded) {
                    throw new IllegalStateException("the store is away");
                }
                return true;
            }
        };
        try (BatchDispatcher batch = BatchDispatcher.builder(rig.router, store, this::draw)
                .timeSource(rig.time)
                .executor(Runnable::run)
                .storeExecutor(Runnable::run)
                .every(Duration.ofSeconds(50))
                .build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            assertThat(rig.idle()).isTrue();
            rig.seconds(99);
            assertThat(ticket.state()).as("its claim is kept").isEqualTo(BatchState.RUNNING);
            rig.seconds(1);
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(answers).containsExactly(false, false, true);
            assertThat(runs).containsExactly(1);
            assertThat(batch.running()).isZero();
        }
    }

    @Test
    void cancellingInterruptsTheRunAndThrowsItsResultAway() {
        List<BatchTicket> tickets = new ArrayList<>();
        try (BatchDispatcher batch = rig.manual((placement, job) -> {
                    runs.add(job.attempts());
                    assertThat(tickets.get(0).cancel()).isTrue();
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    return PAYLOAD;
                })
                .build()) {
            tickets.add(batch.submit(BIG, PAYLOAD));
            rig.work.next();
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the interrupt belonged to the run")
                    .isFalse();
            assertThat(tickets.get(0).state()).isEqualTo(BatchState.CANCELLED);
            assertThat(failure(tickets.get(0).result())).isInstanceOf(BatchCancelledException.class);
            assertThat(rig.store.result(tickets.get(0).id())).isEmpty();
        }
    }

    @Test
    void aCancelThroughAnotherDispatcherReachesTheRunAtItsNextRenewal() {
        try (BatchDispatcher batch = rig.manual(this::draw).build();
                BatchDispatcher other = rig.direct(this::draw).build()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            CompletableFuture<byte[]> result = ticket.result();
            assertThat(other.ticket(ticket.id()).orElseThrow().cancel()).isTrue();
            assertThat(rig.idle()).isFalse();
            rig.seconds(20);
            assertThat(rig.idle()).isTrue();
            assertThat(failure(result)).isInstanceOf(BatchCancelledException.class);
            assertThat(runs).isEmpty();
        }
    }

    // closing and crashing

    @Test
    void keepsItsClaimWhileTheWorkRuns() {
        try (BatchDispatcher batch = rig.manual(this::draw).build();
                BatchDispatcher other = rig.direct(this::draw).name("other").build()) {
            BatchTicket ticket = batch.submit(BIG, PAYLOAD);
            rig.seconds(3600);
            assertThat(ticket.state()).isEqualTo(BatchState.RUNNING);
            rig.work.next();
            assertThat(ticket.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(other.running()).isZero();
            assertThat(runs).containsExactly(1);
        }
    }

    @Test
    void closingLetsRunsEndAndLeavesTheRestToTheNext() {
        BatchDispatcher batch = rig.manual(this::draw).build();
        BatchTicket running = batch.submit(BIG, PAYLOAD);
        BatchTicket queued = batch.submit(BIG, PAYLOAD);
        CompletableFuture<byte[]> result = running.result();
        CompletableFuture<byte[]> late = queued.result();
        batch.close();
        rig.work.next(); // lets go of the one that waits
        assertThat(failure(late)).isInstanceOf(BatchGoneException.class).hasMessageContaining("stays in the store");
        assertThatThrownBy(() -> batch.submit(BIG, PAYLOAD)).isInstanceOf(IllegalStateException.class);
        rig.work.all();
        assertThat(result).isCompletedWithValueMatching(drawn -> Arrays.equals(drawn, bytes("drawn of a cat on one")));
        assertThat(queued.state()).isEqualTo(BatchState.QUEUED);
        rig.seconds(200);
        assertThat(rig.work.size()).isZero();
        try (BatchDispatcher next = rig.direct(this::draw).build()) {
            assertThat(next.ticket(queued.id()).orElseThrow().state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(next.ticket("nobody")).isEmpty();
        }
        assertThat(rig.time.scheduled()).as("but for the router's own").isLessThanOrEqualTo(2);
    }

    @Test
    void anotherTakesOverWhatACrashedOneHadBegun() {
        BatchRig.Tasks dead = new BatchRig.Tasks();
        BatchDispatcher crashed = rig.manual(this::draw)
                .name("crashed")
                .executor(dead)
                .storeExecutor(new Crashing(3))
                .build();
        BatchTicket ticket = crashed.submit(SMALL, PAYLOAD);
        assertThat(dead.size()).isEqualTo(1);
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            rig.seconds(59);
            assertThat(runs).isEmpty();
            rig.seconds(2);
            assertThat(runs).containsExactly(2);
            BatchReport report =
                    batch.ticket(ticket.id()).orElseThrow().report().orElseThrow();
            assertThat(report.state()).isEqualTo(BatchState.SUCCEEDED);
            assertThat(report.reasons()).containsExactly("the claim of crashed ran out during a run");
            assertThat(report.attempts()).hasSize(2);
            dead.next(); // it was only asleep
            assertThat(runs).as("not run again after its success").containsExactly(2);
        }
    }

    @Test
    void aJobThatKillsEveryDispatcherEndsAsADeadLetter() {
        BatchJob job = BatchJob.of("killer", SMALL, PAYLOAD, null, 0, rig.time.wall());
        rig.store.offer(job);
        List<BatchRig.Tasks> graves = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            BatchRig.Tasks grave = new BatchRig.Tasks();
            graves.add(grave);
            BatchDispatcher.builder(BatchRig.router(rig.time), rig.store, this::draw)
                    .timeSource(rig.time)
                    .executor(grave)
                    .storeExecutor(new Crashing(1))
                    .build();
            rig.seconds(61);
        }
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            assertThat(batch.ticket("killer").orElseThrow().state()).isEqualTo(BatchState.DEAD);
            assertThat(batch.deadLetters().get(0).reasons()).hasSize(6).endsWith("attempts 5/5");
            assertThat(runs).isEmpty();
        }
        graves.forEach(BatchRig.Tasks::all);
        assertThat(runs).isEmpty();
    }

    @Test
    void closesWithItsRouter() {
        BatchDispatcher batch = rig.direct(this::draw).build();
        Placement other = rig.router.tryPlace(BIG).orElseThrow();
        BatchTicket ticket = batch.submit(BIG, PAYLOAD);
        rig.router.close();
        assertThatThrownBy(() -> batch.submit(BIG, PAYLOAD)).isInstanceOf(RouterClosedException.class);
        rig.seconds(5);
        assertThatThrownBy(() -> batch.submit(BIG, PAYLOAD)).isInstanceOf(IllegalStateException.class);
        assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
        other.close();
    }

    @Test
    void anExecutorThatTakesNothingCostsNoAttempt() {
        try (BatchDispatcher batch = rig.manual(this::draw)
                .executor(task -> {
                    throw new java.util.concurrent.RejectedExecutionException("full");
                })
                .build()) {
            BatchTicket ticket = batch.submit(SMALL, PAYLOAD);
            rig.seconds(20);
            assertThat(ticket.state()).isEqualTo(BatchState.QUEUED);
            assertThat(ticket.report().orElseThrow().job().attempts()).isZero();
            assertThat(rig.idle()).isTrue();
        }
    }

    @Test
    void listsItsDefaultsAndRefusesWhatMakesNoSense() {
        BatchDispatcher.Builder builder = BatchDispatcher.builder(rig.router, rig.store, this::draw);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxRunning(0))
                .withMessage("maxRunning: 0 (expected: >= 1)");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.claimFor(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.every(Duration.ofDays(366)));
        try (BatchDispatcher batch = rig.direct(this::draw).build()) {
            assertThatIllegalArgumentException().isThrownBy(() -> batch.submit(SMALL, PAYLOAD, ""));
        }
    }

    /** Takes so many tasks, then its process is dead. */
    private static final class Crashing implements java.util.concurrent.Executor {
        private int left;

        Crashing(int tasks) {
            left = tasks;
        }

        @Override
        public void execute(Runnable task) {
            if (left-- > 0) {
                task.run();
            }
        }
    }
}
