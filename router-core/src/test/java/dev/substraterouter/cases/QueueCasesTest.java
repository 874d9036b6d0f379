package dev.substraterouter.cases;

import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.pool;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the section "Queue, N+1, lost wake-up, leaked grants". */
@ExtendWith(QuietLog.class)
@Timeout(120)
class QueueCasesTest {
    private static final Duration WAIT = Duration.ofMillis(200);

    private static Policy.Builder withQueue(Policy.Builder policy, int capacity) {
        return policy.queue(QueueLimits.builder().capacity(capacity).build());
    }

    // J13

    private enum GivingUp {
        TIME_OUT,
        CANCEL,
        TIME_OUT_OF_THE_FUTURE,
        INTERRUPT
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(GivingUp.class)
    @DisplayName("waiters that give up leave nothing behind, however often [J13]")
    void waitersThatGiveUpLeaveNothingBehind(GivingUp how) throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            for (int round = 0; round < 8; round++) {
                Placement holder = rig.place();
                giveUp(rig, how);
                assertThat(rig.waiting()).isZero();
                holder.close();
                assertThat(rig.leases()).isZero();
                rig.place().close();
            }
        }
    }

    private static void giveUp(Rig rig, GivingUp how) throws Exception {
        if (how == GivingUp.INTERRUPT) {
            List<Thread> threads = new ArrayList<>();
            AtomicInteger interrupted = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        rig.router.place(WORK).close();
                    } catch (InterruptedException expected) {
                        interrupted.incrementAndGet();
                    }
                });
                threads.add(thread);
                thread.start();
            }
            rig.awaitQueued(4);
            for (Thread thread : threads) {
                thread.interrupt();
                thread.join(20_000);
            }
            assertThat(interrupted).hasValue(4);
            return;
        }
        List<CompletableFuture<Placement>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            futures.add(rig.router.placeAsync(WORK.maxWait(WAIT)));
        }
        assertThat(rig.waiting()).isEqualTo(4);
        switch (how) {
            case TIME_OUT -> {
                rig.time.advance(WAIT);
                for (CompletableFuture<Placement> future : futures) {
                    assertThat(refusal(future).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
                }
            }
            case CANCEL -> futures.forEach(future -> future.cancel(true));
            case TIME_OUT_OF_THE_FUTURE ->
                futures.forEach(future -> future.completeExceptionally(new TimeoutException()));
            case INTERRUPT -> throw new AssertionError();
        }
    }

    @Test
    @DisplayName("a release that finds only waiters past their time grants to nobody, and the place is free [J13]")
    void aReleaseDoesNotGrantToTheDead() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            Placement holder = rig.place();
            CompletableFuture<Placement> dead = rig.router.placeAsync(WORK.maxWait(WAIT));
            CompletableFuture<Placement> alive = rig.router.placeAsync(WORK.maxWait(WAIT.multipliedBy(3)));
            rig.time.advance(WAIT.multipliedBy(2));
            assertThat(dead).isCompletedExceptionally();
            holder.close();
            assertThat(alive).isCompleted();
            assertThat(rig.leases()).isEqualTo(1);
            alive.join().close();
            assertThat(rig.leases()).isZero();
        }
    }

    // J14

    @Test
    @DisplayName("three requests in a row on one slot are all served, in the order of arrival [J14]")
    void everyHandOnCountsRight() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            List<CompletableFuture<Placement>> futures = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                futures.add(rig.router.placeAsync(WORK));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(futures.get(i)).as("request %d", i).isCompleted();
                for (int later = i + 1; later < 3; later++) {
                    assertThat(futures.get(later)).as("request %d", later).isNotDone();
                }
                rig.time.advance(Duration.ofMillis(10));
                futures.get(i).join().succeed();
            }
            assertThat(rig.leases()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName(
            "in any run of arrivals, ends and withdrawals, slots are full while anybody waits, and equals go by arrival [J14]")
    void equalsGoByArrival(long seed) {
        Random random = new Random(seed);
        int slots = 1 + random.nextInt(3);
        try (Rig rig = new Rig(withQueue(pool(slots, "v100"), 50))) {
            Deque<CompletableFuture<Placement>> waiting = new ArrayDeque<>();
            List<Placement> running = new ArrayList<>();
            for (int step = 0; step < 2_000; step++) {
                int what = random.nextInt(10);
                if (what < 5 && waiting.size() < 50) {
                    waiting.add(rig.router.placeAsync(WORK.maxWait(Duration.ofHours(1))));
                } else if (what < 9 && !running.isEmpty()) {
                    running.remove(random.nextInt(running.size())).succeed();
                } else if (!waiting.isEmpty()) {
                    CompletableFuture<Placement> gone = random.nextBoolean() ? waiting.pollFirst() : waiting.pollLast();
                    gone.cancel(false);
                }
                while (!waiting.isEmpty() && waiting.peekFirst().isDone()) {
                    running.add(waiting.pollFirst().join());
                }
                String at = "seed " + seed + ", step " + step;
                assertThat(waiting).as(at).noneMatch(CompletableFuture::isDone);
                assertThat(rig.leases()).as(at).isEqualTo(running.size());
                assertThat(rig.waiting()).as(at).isEqualTo(waiting.size());
                assertThat(waiting.isEmpty() || running.size() == slots).as(at).isTrue();
            }
        }
    }

    // J16

    @Test
    @DisplayName("of 100 at once with 4 places exactly 4 wait and 96 are refused, 1,000 times [J16]")
    void exactlyAsManyWaitAsThereArePlaces() throws Exception {
        exactlyAsManyWaitAsThereArePlaces(1_000);
    }

    @Tag("soak")
    @Timeout(600)
    @Test
    @DisplayName("of 100 at once with 4 places exactly 4 wait and 96 are refused, 10,000 times [J16]")
    void exactlyAsManyWaitAsThereArePlacesForLong() throws Exception {
        exactlyAsManyWaitAsThereArePlaces(10_000);
    }

    private static void exactlyAsManyWaitAsThereArePlaces(int rounds) throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100", "legion"), 4));
                Crew crew = new Crew(100)) {
            rig.place();
            rig.place();
            List<CompletableFuture<Placement>> futures = Collections.synchronizedList(new ArrayList<>());
            crew.rounds(rounds, 100, round -> futures.add(rig.router.placeAsync(WORK)), round -> {
                List<CompletableFuture<Placement>> stay =
                        futures.stream().filter(future -> !future.isDone()).toList();
                assertThat(stay).hasSize(4);
                assertThat(rig.waiting()).isEqualTo(4);
                assertThat(futures.stream()
                                .filter(future ->
                                        future.isDone() && refusal(future).reason() == RefusalReason.QUEUE_FULL)
                                .count())
                        .isEqualTo(96);
                stay.forEach(future -> future.cancel(false));
                assertThat(rig.waiting()).isZero();
                futures.clear();
                rig.forgetEvents();
            });
        }
    }

    @Test
    @DisplayName("of 100 threads that place at once with 4 places exactly 96 are refused, and the 4 are served [J16]")
    void exactlyAsManyThreadsWaitAsThereArePlaces() throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4));
                Crew crew = new Crew(100)) {
            AtomicReference<Placement> holder = new AtomicReference<>(rig.place());
            AtomicInteger refused = new AtomicInteger();
            AtomicInteger served = new AtomicInteger();
            crew.rounds(
                    100,
                    100,
                    round -> {
                        try {
                            rig.router.place(WORK).close();
                            served.incrementAndGet();
                        } catch (SubstratesBusyException busy) {
                            assertThat(busy.reason()).isEqualTo(RefusalReason.QUEUE_FULL);
                            if (refused.incrementAndGet() == 96) {
                                holder.get().close(); // only now may anybody be served
                            }
                        }
                    },
                    round -> {
                        assertThat(refused.getAndSet(0)).isEqualTo(96);
                        assertThat(served.getAndSet(0)).isEqualTo(4);
                        assertThat(rig.leases()).isZero();
                        holder.set(rig.place());
                    });
        }
    }

    // J17

    static Stream<Arguments> whatFreesAPlace() {
        return Stream.of(
                arguments("a lease ends", (Freeing) (rig, holder) -> holder.succeed()),
                arguments("a lease ends by neutral close", (Freeing) (rig, holder) -> holder.close()),
                arguments("a status says healthy", (Freeing) (rig, holder) -> rig.healthy("v100")),
                arguments("an operator lifts the cordon", (Freeing) (rig, holder) -> rig.router.uncordon("v100")),
                arguments("a reload raises the limit", (Freeing) (rig, holder) ->
                        rig.router.reload(withQueue(pool(2, "v100"), 4).build())));
    }

    /** What makes the one substrate admissible again. */
    private interface Freeing {
        void free(Rig rig, Placement holder);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatFreesAPlace")
    @DisplayName(
            "whatever frees a place while a request begins to wait, the request gets it and nobody else does [J17]")
    void noWakeUpIsLost(String what, Freeing freeing) throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4));
                Crew crew = new Crew(2)) {
            AtomicReference<Placement> holder = new AtomicReference<>();
            AtomicReference<CompletableFuture<Placement>> future = new AtomicReference<>();
            Crew.Check prepare = round -> {
                if (what.contains("lease")) {
                    holder.set(rig.place());
                } else if (what.contains("status")) {
                    rig.loaded("v100");
                } else if (what.contains("cordon")) {
                    rig.router.cordon("v100");
                } else {
                    rig.router.reload(withQueue(pool(1, "v100"), 4).build());
                    holder.set(rig.place());
                }
            };
            prepare.look(0);
            crew.rounds(
                    what.contains("lease") ? 20_000 : 3_000,
                    List.of(round -> freeing.free(rig, holder.get()), round -> future.set(rig.router.placeAsync(WORK))),
                    round -> {
                        // both calls are back, so the place is the waiter's, without any time having passed
                        assertThat(future.get()).isCompleted();
                        assertThat(rig.waiting()).isZero();
                        int held = what.contains("reload") ? 2 : 1;
                        assertThat(rig.leases())
                                .as("a grant is held until its placement is closed")
                                .isEqualTo(held);
                        future.get().join().close();
                        assertThat(rig.leases()).isEqualTo(held - 1);
                        if (what.contains("reload")) {
                            holder.get().close();
                        }
                        rig.forgetEvents();
                        prepare.look(round + 1);
                    });
        }
    }

    @Test
    @DisplayName("a thread that begins to wait while the place comes free does not sleep through it [J17]")
    void noThreadSleepsThroughARelease() throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4));
                Crew crew = new Crew(2)) {
            AtomicReference<Placement> holder = new AtomicReference<>(rig.place());
            AtomicReference<Placement> next = new AtomicReference<>();
            // hand-driven time stands still: a lost wake-up would wait for ever and fail the round
            crew.rounds(
                    10_000,
                    List.of(round -> holder.get().close(), round -> next.set(rig.router.place(WORK))),
                    round -> {
                        assertThat(rig.leases()).isEqualTo(1);
                        holder.set(next.get());
                        rig.forgetEvents();
                    });
        }
    }

    // J19

    @Test
    @DisplayName("with N places the Nth waits and the next one is refused at once, with each candidate's reason [J19]")
    void theBoundIsExactFromBothSides() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100", "legion"), 4))) {
            rig.place();
            rig.place();
            for (int i = 0; i < 4; i++) {
                assertThat(rig.router.placeAsync(WORK)).isNotDone();
            }
            assertThatThrownBy(() -> rig.router.place(WORK))
                    .isInstanceOf(SubstratesBusyException.class)
                    .hasMessageContaining("waiting 4/4")
                    .hasMessageContaining("v100 jobs 1/1")
                    .hasMessageContaining("legion jobs 1/1");
        }
    }

    @Test
    @DisplayName("nobody is refused while there are as many slots as askers [J19]")
    void nobodyIsRefusedWhileAPlaceIsFree() throws Exception {
        try (Rig rig = new Rig(withQueue(pool(2, "v100", "legion"), 0));
                Crew crew = new Crew(4)) {
            crew.rounds(
                    200,
                    4,
                    round -> {
                        for (int i = 0; i < 50; i++) {
                            rig.router
                                    .tryPlace(WORK)
                                    .orElseThrow(() -> new AssertionError("refused while a slot was free"))
                                    .close();
                        }
                    },
                    round -> {
                        assertThat(rig.leases()).isZero();
                        rig.forgetEvents();
                    });
        }
    }

    @Test
    @DisplayName("nobody is refused while there are as many slots and places as askers [J19]")
    void nobodyIsRefusedWhileAWaitingPlaceIsFree() throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100", "legion"), 4));
                Crew crew = new Crew(6)) {
            AtomicInteger most = new AtomicInteger();
            AtomicInteger at = new AtomicInteger();
            crew.rounds(
                    200,
                    6,
                    round -> {
                        for (int i = 0; i < 10; i++) {
                            try (Placement placement = rig.router.place(WORK)) {
                                most.accumulateAndGet(at.incrementAndGet(), Math::max);
                                at.decrementAndGet();
                                placement.succeed();
                            }
                        }
                    },
                    round -> {
                        assertThat(rig.leases()).isZero();
                        assertThat(most.get()).isBetween(1, 2);
                        rig.forgetEvents();
                    });
        }
    }

    // J20

    @ParameterizedTest(name = "{0} free")
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("of several that grasp at once, as many win as slots are free: no overshoot turns anybody away [J20]")
    void asManyWinAsSlotsAreFree(int free) throws Exception {
        try (Rig rig = new Rig(withQueue(pool(free, "v100"), 0));
                Crew crew = new Crew(4)) {
            List<Placement> won = Collections.synchronizedList(new ArrayList<>());
            crew.rounds(3_000, 4, round -> rig.router.tryPlace(WORK).ifPresent(won::add), round -> {
                assertThat(won).hasSize(free);
                assertThat(rig.leases()).isEqualTo(free);
                won.forEach(Placement::close);
                won.clear();
                rig.forgetEvents();
            });
        }
    }

    // J22

    @Test
    @DisplayName("twenty wake-ups for nothing do not lengthen a wait [J22]")
    void wakeUpsDoNotLengthenAWait() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            rig.place();
            CompletableFuture<Placement> future = rig.router.placeAsync(WORK.maxWait(WAIT));
            for (int wake = 0; wake < 20; wake++) {
                rig.time.advance(WAIT.dividedBy(20).minusNanos(1));
                rig.freshen();
                rig.router.reload(rig.router.policy());
                rig.router.uncordon("v100");
                assertThat(future).isNotDone();
            }
            rig.time.advance(Duration.ofNanos(19));
            assertThat(future).isNotDone();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(refusal(future).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
            assertThat(refusal(future).trace().waited()).isEqualTo(WAIT);
        }
    }

    @Test
    @DisplayName("a parked thread that is woken for nothing goes at its time [J22]")
    void spuriousUnparksDoNotLengthenAWait() throws Exception {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            rig.place();
            AtomicReference<SubstratesBusyException> refused = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    rig.router.place(WORK.maxWait(WAIT));
                } catch (SubstratesBusyException expected) {
                    refused.set(expected);
                } catch (InterruptedException unexpected) {
                    throw new AssertionError(unexpected);
                }
            });
            thread.start();
            rig.awaitQueued(1);
            for (int wake = 0; wake < 20; wake++) {
                LockSupport.unpark(thread);
                rig.time.advance(WAIT.dividedBy(20));
            }
            thread.join(20_000);
            assertThat(refused.get().trace().waited()).isEqualTo(WAIT);
        }
    }

    @Test
    @DisplayName("all attempts of a request wait out of one budget [J22]")
    void allAttemptsWaitOutOfOneBudget() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            Placement holder = rig.place();
            Duration budget = Duration.ofSeconds(3);
            AtomicInteger attempts = new AtomicInteger();
            CompletableFuture<Object> future = rig.router.callAsync(WORK.maxWait(budget), placement -> {
                attempts.incrementAndGet();
                return CompletableFuture.failedFuture(new BackpressureException(Duration.ofSeconds(1)));
            });
            rig.time.advance(Duration.ofMillis(1500));
            holder.close(); // the first attempt, after 1.5 s; the second after another 1 s; then 0.5 s are left
            assertThat(attempts).hasValue(1);
            rig.time.advance(Duration.ofMillis(1000));
            assertThat(attempts).hasValue(2);
            rig.time.advance(Duration.ofMillis(500));
            assertThat(future).isCompletedExceptionally();
            assertThat(attempts).hasValue(2);
            assertThat(rig.lastTrace().waited()).isLessThanOrEqualTo(budget);
        }
    }

    // J23

    @Test
    @DisplayName("a placement that is ended on several threads at once is ended once [J23]")
    void endingTwiceAtOnceEndsOnce() throws Exception {
        try (Rig rig = new Rig(withQueue(pool(3, "v100"), 0));
                Crew crew = new Crew(4)) {
            Placement other = rig.place();
            AtomicReference<Placement> twice = new AtomicReference<>(rig.place());
            crew.rounds(
                    3_000,
                    List.of(
                            round -> twice.get().close(),
                            round -> twice.get().succeed(),
                            round -> twice.get().fail(new IllegalArgumentException()),
                            round -> rig.time.advance(
                                    Duration.ofSeconds(5))), // and what looks after overdue leases runs
                    round -> {
                        assertThat(rig.leases()).isEqualTo(1);
                        assertThat(rig.traces()).hasSize(round + 1);
                        assertThat(rig.lastTrace().attempts().get(0).outcome())
                                .isIn(Outcome.NEUTRAL, Outcome.SUCCEEDED, Outcome.REQUEST_FAULT);
                        rig.freshen();
                        rig.forgetEvents();
                        twice.set(rig.place());
                    });
            other.close();
            twice.get().close();
            assertThat(rig.leases()).isZero();
        }
    }

    // J25

    static Stream<Arguments> whatACallerDoesWithItsFuture() {
        return Stream.of(
                arguments("nothing", (Consumer<CompletableFuture<?>>) future -> {}),
                arguments("waits too short", (Consumer<CompletableFuture<?>>)
                        future -> assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS))
                                .isInstanceOf(TimeoutException.class)),
                arguments("times it out", (Consumer<CompletableFuture<?>>)
                        future -> future.completeExceptionally(new TimeoutException())),
                arguments("completes it", (Consumer<CompletableFuture<?>>) future -> future.complete(null)),
                arguments("cancels it", (Consumer<CompletableFuture<?>>) future -> future.cancel(true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatACallerDoesWithItsFuture")
    @DisplayName("an asynchronous lease ends with its work, whatever the caller does with the future [J25, J31]")
    void anAsynchronousLeaseEndsWithItsWork(String what, Consumer<CompletableFuture<?>> caller) {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletionStage<String> cannotBeCancelled = work.minimalCompletionStage();
            CompletableFuture<String> future = rig.router.callAsync(WORK, placement -> {
                assertThat(rig.leases()).as("work starts with its lease").isEqualTo(1);
                return cannotBeCancelled;
            });
            rig.time.advance(Duration.ofSeconds(1));
            caller.accept(future);
            rig.time.advance(Duration.ofSeconds(4));
            assertThat(rig.leases()).isEqualTo(1);
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            work.complete("done");
            assertThat(rig.leases()).isZero();
            rig.place().close();
        }
    }

    @Test
    @DisplayName("work whose stage is cancelled counts until a status that was asked later [J25, J31]")
    void cancelledWorkCountsUntilALaterStatus() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> future = rig.router.callAsync(WORK, placement -> work);
            future.cancel(true);
            assertThat(work).isCancelled();
            assertThat(rig.leases()).as("the worker may still be at it").isEqualTo(1);
            rig.time.advance(Duration.ofSeconds(1));
            rig.freshen();
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    @DisplayName("a call whose future is given up between two attempts starts no other attempt [J25, J31]")
    void nothingIsStartedForNobody() {
        Deque<Runnable> later = new ArrayDeque<>();
        AtomicReference<Executor> executor = new AtomicReference<>(Runnable::run);
        for (GivingUp how : List.of(GivingUp.CANCEL, GivingUp.TIME_OUT_OF_THE_FUTURE)) {
            try (Rig rig = new Rig(
                    withQueue(pool(1, "v100", "legion"), 4),
                    builder -> builder.executor(task -> executor.get().execute(task)))) {
                List<String> started = new ArrayList<>();
                CompletableFuture<Object> first = new CompletableFuture<>();
                CompletableFuture<Object> future = rig.router.callAsync(WORK, placement -> {
                    started.add(placement.substrateId());
                    return started.size() == 1 ? first : new CompletableFuture<>();
                });
                executor.set(later::add);
                first.completeExceptionally(new IOException("connection reset"));
                if (how == GivingUp.CANCEL) {
                    future.cancel(true);
                } else {
                    future.completeExceptionally(new TimeoutException());
                }
                executor.set(Runnable::run);
                while (!later.isEmpty()) {
                    later.poll().run();
                }
                assertThat(started).containsExactly("v100");
                assertThat(rig.leases("legion")).isZero();
                assertThat(rig.waiting()).isZero();
            }
        }
    }

    // J26, J28

    static Stream<Arguments> brokenObservers() {
        return Stream.of(
                arguments("listener", (Consumer<SubstrateRouter.Builder>) builder -> builder.listener(event -> {
                    throw new IllegalStateException("listener");
                })),
                arguments("listener with an error", (Consumer<SubstrateRouter.Builder>)
                        builder -> builder.listener(event -> {
                            throw new LinkageError("listener");
                        })),
                arguments("trace sink", (Consumer<SubstrateRouter.Builder>) builder -> builder.traceSink(trace -> {
                    throw new IllegalStateException("sink");
                })),
                arguments("fault classifier", (Consumer<SubstrateRouter.Builder>)
                        builder -> builder.faultClassifier(failure -> {
                            throw new IllegalStateException("classifier");
                        })),
                arguments("executor", (Consumer<SubstrateRouter.Builder>) builder -> builder.executor(task -> {
                    throw new IllegalStateException("executor");
                })),
                arguments("executor without a thread left", (Consumer<SubstrateRouter.Builder>)
                        builder -> builder.executor(task -> {
                            throw new InternalError("unable to create native thread");
                        })),
                arguments("fault classifier beside a log appender", (Consumer<SubstrateRouter.Builder>)
                        builder -> builder.faultClassifier(failure -> {
                            throw new IllegalStateException("classifier");
                        })),
                arguments("log appender", (Consumer<SubstrateRouter.Builder>) builder -> {}));
    }

    private static final class ThrowingAppender extends Handler {
        @Override
        public void publish(LogRecord record) {
            throw new IllegalStateException("appender");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenObservers")
    @DisplayName("a throwing observer keeps neither a lease, nor a result, nor a waiter [J26, J28]")
    void aThrowingObserverHurtsNobody(String what, Consumer<SubstrateRouter.Builder> broken) throws Exception {
        Handler appender = new ThrowingAppender();
        if (what.contains("log appender")) {
            QuietLog.LOG.addHandler(appender);
        }
        try (Rig rig = new Rig(withQueue(pool(1, "v100", "legion"), 4), broken)) {
            for (int round = 0; round < 3; round++) {
                Placement primary = rig.place();
                Placement fallback = rig.place();
                CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
                CompletableFuture<Placement> second = rig.router.placeAsync(WORK);
                assertThatCode(primary::close).doesNotThrowAnyException();
                assertThat(waiter).isCompleted();
                assertThatCode(fallback::succeed).doesNotThrowAnyException();
                assertThat(second).isCompleted();
                waiter.join().close();
                assertThatCode(() -> second.join().fail(new IllegalArgumentException("bad request")))
                        .doesNotThrowAnyException();
                assertThat(rig.leases()).isZero();

                assertThat(rig.router.<String, RuntimeException>call(WORK, placement -> "done"))
                        .isEqualTo("done");
                CompletableFuture<String> work = new CompletableFuture<>();
                CompletableFuture<String> result = rig.router.callAsync(WORK, placement -> work);
                work.complete("later");
                assertThat(result).isCompletedWithValue("later");
                IllegalArgumentException mine = new IllegalArgumentException("mine");
                assertThatThrownBy(() -> rig.router.call(WORK, placement -> {
                            throw mine;
                        }))
                        .isSameAs(mine);
                assertThat(rig.leases()).isZero();
            }
        } finally {
            QuietLog.LOG.removeHandler(appender);
        }
    }

    @Test
    @DisplayName("a listener that threw hears the next event all the same [J26, J28]")
    void aListenerThatThrewHearsTheNextEvent() {
        List<RouterEvent> heard = new ArrayList<>();
        Handler appender = new ThrowingAppender();
        QuietLog.LOG.addHandler(appender);
        try (Rig rig = new Rig(
                pool(2, "v100"),
                builder -> builder.listener(event -> {
                    heard.add(event);
                    throw new IllegalStateException("listener");
                }))) {
            rig.place().close();
            rig.place().close();
            assertThat(heard).hasSize(2).allMatch(RouterEvent.Placed.class::isInstance);
        } finally {
            QuietLog.LOG.removeHandler(appender);
        }
    }

    // J29

    private static final class Unspeakable extends IOException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    @DisplayName("whatever the work throws, it goes back to the caller and the lease ends [J29]")
    void whateverTheWorkThrowsTheLeaseEnds() {
        List<Throwable> failures = List.of(
                new IllegalStateException("mine"),
                new IOException("reset"),
                new ExceptionInInitializerError(),
                new LinkageError("host"),
                new AssertionError("mine"),
                new InterruptedException(),
                new CompletionException(new IOException("wrapped")),
                new CompletionException(null),
                new Unspeakable());
        for (Throwable failure : failures) {
            try (Rig rig = new Rig(withQueue(pool(1, "v100"), 0))) {
                assertThatThrownBy(() -> rig.router.call(WORK.idempotent(false), placement -> {
                            assertThat(rig.leases()).isEqualTo(1);
                            throw failure instanceof Error error ? throwError(error) : (Exception) failure;
                        }))
                        .isSameAs(failure);
                rig.time.advance(Duration.ofSeconds(1));
                rig.freshen();
                assertThat(rig.leases()).as("%s", failure.getClass()).isZero();
                rig.place().close();
            }
        }
    }

    private static Exception throwError(Error error) {
        throw error;
    }

    @Test
    @DisplayName("an asynchronous start that throws, returns nothing, or returns a broken stage ends the lease [J29]")
    void aFailedStartEndsTheLease() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 0))) {
            List<CompletableFuture<Object>> futures = List.of(
                    rig.router.callAsync(WORK, placement -> {
                        throw new IllegalStateException("mine");
                    }),
                    rig.router.callAsync(WORK, placement -> {
                        throw new LinkageError();
                    }),
                    rig.router.callAsync(WORK, placement -> null),
                    rig.router.callAsync(WORK, placement -> CompletableFuture.failedFuture(new Unspeakable2())),
                    rig.router.callAsync(WORK, placement -> new CompletableFuture<>() {
                        @Override
                        public CompletableFuture<Object> whenComplete(
                                java.util.function.BiConsumer<? super Object, ? super Throwable> action) {
                            throw new UnsupportedOperationException("broken stage");
                        }
                    }));
            for (CompletableFuture<Object> future : futures) {
                assertThat(future).isCompletedExceptionally();
            }
            assertThat(rig.leases()).isZero();
            rig.place().close();
            assertThat(rig.traces()).hasSize(futures.size() + 1);
        }
    }

    private static final class Unspeakable2 extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new IllegalStateException("no words");
        }
    }

    // J32

    @Test
    @DisplayName("after the router is closed open placements end inline, without any executor [J32]")
    void placementsEndAfterTheRouterIsClosed() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Rig rig = new Rig(withQueue(pool(1, "v100", "legion"), 4), builder -> builder.executor(executor));
        Placement placement = rig.place();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = rig.router.callAsync(WORK, at -> work);
        CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
        CompletableFuture<Void> drained = rig.router.drain("v100");
        executor.shutdownNow();
        rig.router.close();
        assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.CLOSED);
        assertThatCode(placement::close).doesNotThrowAnyException();
        assertThat(drained).isCompleted();
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(rig.leases()).isZero();
        assertThatCode(placement::close).doesNotThrowAnyException();
        assertThatThrownBy(() -> rig.router.tryPlace(WORK)).isInstanceOf(RouterClosedException.class);
    }

    @Test
    @DisplayName("a call that fails after the router is closed gets its own failure, with the refusal suppressed [J32]")
    void aCallThatFailsAfterCloseGetsItsOwnFailure() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Rig rig = new Rig(withQueue(pool(1, "v100", "legion"), 4), builder -> builder.executor(executor));
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = rig.router.callAsync(WORK, at -> work);
        executor.shutdownNow();
        rig.router.close();
        IOException reset = new IOException("connection reset");
        work.completeExceptionally(reset);
        assertThatThrownBy(result::join).cause().isSameAs(reset);
        assertThat(reset.getSuppressed()).hasExactlyElementsOfTypes(RouterClosedException.class);
    }

    // J34

    @Test
    @DisplayName("under endless HIGH load a LOW waiter is served once it has aged twice [J34]")
    void aLowWaiterIsServedOnceItHasAged() {
        try (Rig rig = new Rig(pool(1, "v100")
                .queue(QueueLimits.builder()
                        .capacity(10)
                        .agesAfter(Duration.ofSeconds(10))
                        .build()))) {
            RouteRequest high = WORK.priority(Priority.HIGH).maxWait(Duration.ofMinutes(5));
            Deque<CompletableFuture<Placement>> stream = new ArrayDeque<>();
            stream.add(rig.router.placeAsync(high));
            stream.add(rig.router.placeAsync(high));
            CompletableFuture<Placement> low =
                    rig.router.placeAsync(WORK.priority(Priority.LOW).maxWait(Duration.ofMinutes(5)));
            int served = 0;
            while (!low.isDone() && served < 100) {
                rig.time.advance(Duration.ofSeconds(1));
                stream.add(rig.router.placeAsync(high)); // there is always one that waits
                stream.poll().join().succeed();
                served++;
            }
            assertThat(low).isCompleted();
            assertThat(low.join().trace().waited()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(25));
        }
    }

    @Test
    @DisplayName("a LOW waiter that gives its place to a HIGH request is told that it was outranked [J34]")
    void aLowWaiterIsToldThatItWasOutranked() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 2))) {
            rig.place();
            RouteRequest low = WORK.priority(Priority.LOW);
            CompletableFuture<Placement> older = rig.router.placeAsync(low);
            CompletableFuture<Placement> newer = rig.router.placeAsync(low);
            CompletableFuture<Placement> high = rig.router.placeAsync(WORK.priority(Priority.HIGH));
            assertThat(high).isNotDone();
            assertThat(older).isNotDone();
            assertThat(refusal(newer).reason()).isEqualTo(RefusalReason.OUTRANKED);
            assertThat(refusal(newer)).hasMessageContaining("outranked").hasMessageContaining("v100 jobs 1/1");
            assertThat(refusal(newer).retryAfter()).isPresent();
            CompletableFuture<Placement> late = rig.router.placeAsync(low);
            assertThat(refusal(late).reason()).isEqualTo(RefusalReason.QUEUE_FULL);
        }
    }

    @Test
    @DisplayName("a LOW waiter whose time is up before it has aged is told so, at its time [J34]")
    void aLowWaiterTimesOutAtItsTime() {
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4))) {
            Placement holder = rig.place();
            CompletableFuture<Placement> low =
                    rig.router.placeAsync(WORK.priority(Priority.LOW).maxWait(Duration.ofSeconds(5)));
            for (int second = 0; second < 4; second++) {
                rig.time.advance(Duration.ofSeconds(1));
                CompletableFuture<Placement> high = rig.router.placeAsync(WORK.priority(Priority.HIGH));
                holder.close();
                holder = high.join();
            }
            assertThat(low).isNotDone();
            rig.time.advance(Duration.ofSeconds(1));
            assertThat(refusal(low).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
        }
    }

    @Test
    @DisplayName("the release of a lease never waits for a waiter to take it [J17]")
    void aReleaseNeverWaits() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.submit(() -> blocked.await(20, TimeUnit.SECONDS));
        ExecutorService releaser = Executors.newSingleThreadExecutor();
        try (Rig rig = new Rig(withQueue(pool(1, "v100"), 4), builder -> builder.executor(executor))) {
            Placement holder = rig.place();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            Future<?> released = releaser.submit(holder::close);
            released.get(10, TimeUnit.SECONDS);
            assertThat(waiter).as("the executor is stuck").isNotDone();
            assertThat(rig.leases()).as("granted, and not told yet, counts").isEqualTo(1);
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            blocked.countDown();
            waiter.get(10, TimeUnit.SECONDS).close();
            assertThat(rig.leases()).isZero();
        } finally {
            blocked.countDown();
            executor.shutdownNow();
            releaser.shutdownNow();
        }
    }
}
