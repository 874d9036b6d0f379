package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static dev.substraterouter.cases.CaseRig.after;
import static dev.substraterouter.cases.CaseRig.on;
import static dev.substraterouter.cases.CaseRig.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.cases.CaseRig.Crew;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is taken comes back, once, however the work ends. */
class InFlightCasesTest {
    private static final EjectionLimits NEVER =
            after(1000, Duration.ofSeconds(1)).build();

    static Stream<Throwable> waysToFail() {
        return Stream.of(
                new TimeoutException(),
                new IOException("reset"),
                new ConnectException("refused"),
                new SubstrateFaultException("500"),
                SubstrateFaultException.outOfMemory("cuda"),
                new BackpressureException(Duration.ofMillis(1)),
                new InterruptedException(),
                new CancellationException(),
                new IllegalArgumentException("400"),
                new OutOfMemoryError("the caller's"),
                new Unspeakable());
    }

    /** A failure that fails to say what it is. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new IllegalStateException("cannot be told");
        }
    }

    @ParameterizedTest
    @MethodSource("waysToFail")
    @DisplayName("ten permits are back after ten failures of any sort, without a restart [R41] [R46]")
    void permitsComeBack(Throwable failure) {
        try (CaseRig rig = new CaseRig(policy(10, "a")
                .ejection(NEVER)
                .queue(QueueLimits.builder().capacity(0).build())
                .build())) {
            for (int way = 0; way < 3; way++) {
                for (Placement placement : takeAll(rig, 10)) {
                    placement.fail(failure);
                }
                eachIsBack(rig);
                for (int call = 0; call < 10; call++) {
                    assertThat(catchThrowable(() -> rig.router.call(WORK, placement -> {
                                throw sneak(failure);
                            })))
                            .isSameAs(failure);
                    assertThat(Thread.interrupted()).isFalse();
                    rig.time.advance(Duration.ofSeconds(5)); // the word of one that is full
                }
                eachIsBack(rig);
                for (int call = 0; call < 10; call++) {
                    assertThat(rig.router.callAsync(WORK, placement -> CompletableFuture.failedFuture(failure)))
                            .isCompletedExceptionally();
                    rig.time.advance(Duration.ofSeconds(5));
                }
                eachIsBack(rig);
            }
        }
    }

    @Test
    @DisplayName(
            "work that timed out may still run: its permit counts until a status asked later, or not longer than a status stays fresh [R41]")
    void timedOutWorkStillCounts() {
        try (CaseRig rig = new CaseRig(policy(10, "a").ejection(NEVER).build())) {
            takeAll(rig, 10).forEach(placement -> placement.fail(new TimeoutException()));
            assertThat(rig.leases("a")).isEqualTo(10);
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.idle("a");
            assertThat(rig.leases("a")).isZero();
            takeAll(rig, 10).forEach(placement -> placement.fail(new TimeoutException()));
            rig.time.advance(Duration.ofSeconds(15).minusNanos(1));
            assertThat(rig.leases("a")).isEqualTo(10);
            rig.time.advance(Duration.ofNanos(1));
            assertThat(rig.leases("a")).isZero();
            assertThat(rig.takeAll(WORK)).hasSize(10);
        }
    }

    @Test
    @DisplayName("who waits beside work that was written off is looked at now and then, not without end [R41]")
    void noSpinningAfterExpiry() {
        HandDrivenTime time = new HandDrivenTime();
        AtomicInteger alarms = new AtomicInteger();
        TimeSource counting = new TimeSource() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public Instant wall() {
                return time.wall();
            }

            @Override
            public Cancellable schedule(Duration delay, Runnable task) {
                if (alarms.incrementAndGet() > 1000) {
                    throw new AssertionError("alarms without end");
                }
                return time.schedule(delay, task);
            }
        };
        Policy policy = policy(1, "a")
                .ejection(NEVER)
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofSeconds(13))
                        .build())
                .build();
        try (CaseRig rig = new CaseRig(
                policy, time, SubstrateRouter.builder().timeSource(counting).executor(Runnable::run))) {
            rig.idle("a");
            rig.time.advance(Duration.ofMillis(1));
            rig.place(WORK).nodeFault(new IOException("reset"));
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(Duration.ofMinutes(2)));
            rig.time.advance(Duration.ofMinutes(1));
            assertThat(waiter).as("its status is stale").isNotDone();
            assertThat(alarms).hasValueLessThan(100);
            rig.idle("a");
            assertThat(waiter).isCompleted();
        }
    }

    @Test
    @DisplayName("a fault classifier that throws, or knows no answer, loses no permit and hides no failure [R41]")
    void brokenClassifier() {
        Consumer<Throwable> thrower = t -> {
            throw new IllegalStateException("classifier");
        };
        for (Consumer<Throwable> broken : List.<Consumer<Throwable>>of(thrower, t -> {})) {
            HandDrivenTime time = new HandDrivenTime();
            try (CaseRig rig = new CaseRig(
                    policy(10, "a").build(),
                    time,
                    SubstrateRouter.builder()
                            .timeSource(time)
                            .executor(Runnable::run)
                            .faultClassifier(t -> {
                                broken.accept(t);
                                return unknown();
                            }))) {
                IOException failure = new IOException("reset");
                for (int round = 0; round < 20; round++) {
                    assertThat(catchThrowable(() -> rig.router.call(WORK, placement -> {
                                throw failure;
                            })))
                            .isSameAs(failure);
                    assertThat(rig.router.callAsync(WORK, placement -> CompletableFuture.failedFuture(failure)))
                            .isCompletedExceptionally();
                    rig.place(WORK).fail(failure);
                }
                assertThat(rig.leases("a")).isZero();
            }
        }
    }

    @Test
    @DisplayName("failures whose causes go round in a circle are looked through in finite time [R41]")
    void circularCauses() {
        IllegalStateException one = new IllegalStateException("one");
        IllegalStateException other = new IllegalStateException("other", one);
        one.initCause(other);
        HandDrivenTime time = new HandDrivenTime();
        for (FaultKind kind : FaultKind.values()) {
            try (CaseRig rig = new CaseRig(
                    policy(10, "a").build(),
                    time,
                    SubstrateRouter.builder()
                            .timeSource(time)
                            .executor(Runnable::run)
                            .faultClassifier(t -> kind))) {
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20), () -> rig.place(WORK).fail(one));
                rig.idle("a");
                assertThat(rig.leases("a")).isZero();
            }
        }
    }

    @Test
    @DisplayName("an interrupt on the way out changes nothing: released once, and the interrupt is still there [R43]")
    void interruptWhileReleasing() throws Exception {
        try (CaseRig rig = new CaseRig(policy(4, "a").ejection(NEVER).build());
                Crew crew = new Crew(2)) {
            List<Consumer<Placement>> ways = List.of(
                    Placement::close,
                    Placement::succeed,
                    placement -> placement.fail(new IllegalArgumentException()),
                    placement -> placement.busy(Duration.ofNanos(1)),
                    placement -> placement.nodeFault(new IOException()));
            for (Consumer<Placement> way : ways) {
                List<Placement> all = takeAll(rig, 4);
                CompletableFuture<Placement> waiting = rig.router.placeAsync(WORK);
                Thread.currentThread().interrupt();
                all.forEach(way);
                all.forEach(Placement::close);
                assertThat(Thread.interrupted()).isTrue();
                rig.time.advance(Duration.ofMillis(1));
                rig.idle("a");
                assertThat(waiting).isCompleted();
                assertThat(rig.leases("a")).isEqualTo(1);
                waiting.join().close();
            }
            for (int round = 0; round < 300; round++) {
                Placement placement = rig.place(WORK);
                AtomicReference<Thread> releaser = new AtomicReference<>();
                crew.atOnce(thread -> {
                    if (thread == 0) {
                        releaser.set(Thread.currentThread());
                        placement.close();
                        Thread.interrupted();
                    } else {
                        Thread victim = releaser.get();
                        if (victim != null) {
                            victim.interrupt();
                        }
                    }
                });
                assertThat(rig.leases("a")).isZero();
            }
            takeAll(rig, 4);
        }
    }

    @Test
    @DisplayName(
            "work that was interrupted gives its permit back once, at the latest when nothing can run any more [R43]")
    void interruptedWork() throws Exception {
        try (CaseRig rig = new CaseRig(policy(1, "a").ejection(NEVER).build())) {
            assertThatThrownBy(() -> rig.router.call(WORK, placement -> {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("stopped in the middle");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(rig.leases("a")).as("may still run").isEqualTo(1);
            rig.time.advance(Duration.ofSeconds(15));
            assertThat(rig.leases("a")).isZero();
            assertThat(rig.out("a")).isFalse();
            assertThat(rig.takeAll(WORK)).hasSize(1);
        }
    }

    @Test
    @DisplayName("many ends of one placement, at once and late, are one end: no count falls too low [R44]")
    void manyEndsAreOne() throws Exception {
        try (CaseRig rig = new CaseRig(policy(3, "a").ejection(NEVER).build());
                Crew crew = new Crew(6)) {
            Placement other = rig.place(WORK);
            for (int round = 0; round < 300; round++) {
                Placement placement = rig.place(WORK);
                crew.atOnce(thread -> {
                    switch (thread) {
                        case 0 -> placement.succeed();
                        case 1 -> placement.fail(new IllegalArgumentException());
                        case 2 -> placement.fail(new CancellationException());
                        default -> placement.close();
                    }
                });
                assertThat(rig.leases("a")).isEqualTo(1);
                placement.close();
                placement.nodeFault(new IOException("late"));
                assertThat(rig.leases("a")).isEqualTo(1);
            }
            assertThat(rig.takeAll(WORK)).hasSize(2);
            assertThat(rig.leases("a")).isEqualTo(3);
            other.close();
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("an end that comes after the work was written off does not count twice [R44]")
    void lateEndAfterExpiry() {
        try (CaseRig rig = new CaseRig(policy(2, "a").ejection(NEVER).build())) {
            Placement failed = rig.place(WORK);
            Placement open = rig.place(WORK);
            failed.nodeFault(new IOException());
            rig.time.advance(Duration.ofSeconds(15));
            assertThat(rig.leases("a")).isEqualTo(1);
            failed.close();
            failed.succeed();
            assertThat(rig.leases("a")).isEqualTo(1);
            open.close();
            assertThat(rig.leases("a")).isZero();
        }
    }

    @Test
    @DisplayName("a substrate that leaves and returns with work running has that work on its count [R46]")
    void leavesAndReturns() {
        Policy both = policy(3, "a", "b").build();
        Policy without = policy(3, "b").build();
        try (CaseRig rig = new CaseRig(both)) {
            List<Placement> running = takeAll(rig, 2);
            for (int churn = 0; churn < 5; churn++) {
                rig.router.reload(without);
                rig.time.advance(Duration.ofSeconds(30));
                assertThat(rig.place(WORK)).satisfies(placement -> {
                    assertThat(placement.substrateId()).isEqualTo("b");
                    placement.close();
                });
                rig.router.reload(both);
                assertThat(rig.leases("a")).isEqualTo(2);
            }
            Placement third = rig.place(on("a"));
            assertThat(rig.router.tryPlace(on("a"))).isEmpty();
            rig.router.reload(without);
            running.get(0).succeed();
            rig.router.reload(both);
            assertThat(rig.leases("a")).isEqualTo(2);
            running.get(1).succeed();
            third.succeed();
            assertThat(rig.leases("a")).isZero();
            assertThat(rig.takeAll(on("a"))).hasSize(3);
        }
    }

    @Test
    @DisplayName("the end of work from before a substrate left touches no count of the time after [R47]")
    void endOfAnEarlierLife() {
        Policy both = policy(2, "a", "b").build();
        Policy without = policy(2, "b").build();
        try (CaseRig rig = new CaseRig(both)) {
            Placement idleBefore = rig.place(on("a"));
            idleBefore.succeed();
            Placement before = rig.place(on("a"));
            rig.router.reload(without);
            before.succeed();
            rig.time.advance(Duration.ofSeconds(30));
            rig.router.reload(both);
            assertThat(rig.leases("a")).isZero();
            Placement now = rig.place(on("a"));
            before.close();
            before.nodeFault(new IOException());
            idleBefore.close();
            assertThat(rig.leases("a")).isEqualTo(1);
            assertThat(rig.takeAll(on("a"))).hasSize(1);
            now.close();
            assertThat(rig.leases("a")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("leaving and returning while work begins and ends keeps the count right, whichever wins [R47]")
    void churnUnderLoad() throws Exception {
        Policy both = policy(4, "a", "b").build();
        Policy without = policy(4, "b").build();
        try (CaseRig rig = new CaseRig(both);
                Crew crew = new Crew(3)) {
            for (int round = 0; round < 150; round++) {
                crew.atOnce(thread -> {
                    if (thread == 0) {
                        rig.router.reload(without);
                        rig.router.reload(both);
                    } else {
                        for (int request = 0; request < 5; request++) {
                            try (Placement placement = rig.place(WORK)) {
                                placement.succeed();
                            }
                        }
                    }
                });
                assertThat(rig.leases("a")).isZero();
                assertThat(rig.leases("b")).isZero();
            }
            assertThat(rig.takeAll(on("a"))).hasSize(4);
        }
    }

    @Test
    @DisplayName("what is taken by any of the ways in shows in the public view at once [R49] [R53]")
    void everyWayInCounts() throws Exception {
        try (CaseRig rig = new CaseRig(policy(7, "a").build())) {
            List<Placement> open = new ArrayList<>();
            open.add(rig.router.place(WORK));
            assertThat(rig.leases("a")).isEqualTo(1);
            open.add(rig.router.tryPlace(WORK).orElseThrow());
            assertThat(rig.leases("a")).isEqualTo(2);
            open.add(rig.router.placeAsync(WORK).join());
            assertThat(rig.leases("a")).isEqualTo(3);
            open.add(rig.router.place(on("a")));
            assertThat(rig.leases("a")).as("another workload, by a pin").isEqualTo(4);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> answer = rig.router.callAsync(on("a"), placement -> work);
            assertThat(rig.leases("a")).isEqualTo(5);
            rig.router.call(WORK, placement -> {
                assertThat(rig.leases("a")).isEqualTo(6);
                open.add(rig.place(WORK));
                assertThat(rig.leases("a")).isEqualTo(7);
                assertThat(rig.router.tryPlace(on("a")))
                        .as("all count against one limit")
                        .isEmpty();
                return "";
            });
            assertThat(rig.leases("a")).isEqualTo(6);
            assertThat(rig.view("a").maxConcurrentJobs()).isEqualTo(7);
            work.complete("done");
            assertThat(answer).isCompletedWithValue("done");
            open.forEach(Placement::close);
            assertThat(rig.leases("a")).isZero();
        }
    }

    @Test
    @DisplayName("looking takes nothing [R49]")
    void lookingTakesNothing() {
        try (CaseRig rig = new CaseRig(policy(1, "a").build())) {
            for (int look = 0; look < 50; look++) {
                assertThat(rig.router.recommend(WORK).best()).isPresent();
                rig.router.routes();
                assertThat(rig.leases("a")).isZero();
            }
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName("a call cancelled at any step of its way gives everything back [R50]")
    void cancelledAtEveryStep() {
        HandDrivenTime time = new HandDrivenTime();
        Queue<Runnable> later = new ArrayDeque<>();
        try (CaseRig rig = new CaseRig(
                policy(1, "a", "b").ejection(NEVER).build(),
                time,
                SubstrateRouter.builder().timeSource(time).executor(later::add))) {
            for (int step = 0; step < 6; step++) {
                AtomicInteger starts = new AtomicInteger();
                List<CompletableFuture<String>> works = new ArrayList<>();
                Placement a = rig.place(on("a"));
                Placement b = rig.place(on("b"));
                CompletableFuture<String> answer = rig.router.callAsync(WORK, placement -> {
                    starts.incrementAndGet();
                    works.add(new CompletableFuture<>());
                    return works.get(works.size() - 1);
                });
                cancelIf(step == 0, answer); // it waits
                a.close();
                cancelIf(step == 1, answer); // it was granted a place and does not know yet
                runAll(later);
                cancelIf(step == 2, answer); // it works
                if (step >= 3) {
                    b.close();
                    works.get(0).completeExceptionally(new ConnectException("refused"));
                    cancelIf(step == 3, answer); // it is about to be placed again
                    int before = starts.get();
                    runAll(later);
                    assertThat(starts.get() - before)
                            .as("attempts begun after step " + step)
                            .isEqualTo(step == 3 ? 0 : 1);
                    cancelIf(step == 4, answer); // it works elsewhere
                }
                if (step == 5) {
                    works.get(1).complete("done");
                    cancelIf(true, answer); // it is done
                    assertThat(answer).isCompletedWithValue("done");
                } else {
                    assertThat(answer).isCancelled();
                }
                b.close();
                runAll(later);
                assertThat(works).as("step " + step).allMatch(CompletableFuture::isDone);
                assertThat(starts).hasValue(step < 2 ? 0 : step < 4 ? 1 : 2);
                rig.idle("a");
                rig.idle("b");
                runAll(later);
                assertThat(rig.leases("a")).as("a after step " + step).isZero();
                assertThat(rig.leases("b")).as("b after step " + step).isZero();
                assertThat(rig.router.routes().get(0).waiting()).isZero();
            }
        }
    }

    @Test
    @DisplayName("cancelling races with being placed, hundreds of times, and leaves nothing behind [R50]")
    void cancelRacesWithGrant() throws Exception {
        try (CaseRig rig = new CaseRig(policy(1, "a").ejection(NEVER).build());
                Crew crew = new Crew(3)) {
            for (int round = 0; round < 400; round++) {
                Placement holder = rig.place(WORK);
                CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
                CompletableFuture<String> work = new CompletableFuture<>();
                CompletableFuture<String> call = rig.router.callAsync(WORK, placement -> work);
                crew.atOnce(thread -> {
                    switch (thread) {
                        case 0 -> holder.succeed();
                        case 1 -> waiter.cancel(false);
                        default -> call.cancel(true);
                    }
                });
                if (!waiter.isCancelled()) {
                    waiter.join().close();
                }
                rig.idle("a"); // what was cancelled while it worked may still run until a status says otherwise
                assertThat(rig.leases("a")).isZero();
                assertThat(rig.router.routes().get(0).waiting()).isZero();
            }
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName("an executor that does not take a task, for whatever reason, costs nobody a place [R50]")
    void executorThatTakesNothing() {
        List<Consumer<Runnable>> refusals = List.of(
                task -> {
                    throw new RejectedExecutionException("shut down");
                },
                task -> {
                    throw new IllegalStateException("no thread");
                },
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
        for (Consumer<Runnable> refuses : refusals) {
            HandDrivenTime time = new HandDrivenTime();
            AtomicReference<Consumer<Runnable>> executor = new AtomicReference<>(Runnable::run);
            try (CaseRig rig = new CaseRig(
                    policy(2, "a", "b").ejection(NEVER).build(),
                    time,
                    SubstrateRouter.builder().timeSource(time).executor(task -> executor.get()
                            .accept(task)))) {
                List<Placement> open = rig.takeAll(WORK);
                List<CompletableFuture<Placement>> waiters =
                        List.of(rig.router.placeAsync(WORK), rig.router.placeAsync(WORK));
                executor.set(refuses);
                open.forEach(Placement::succeed);
                assertThat(waiters).allMatch(CompletableFuture::isDone);
                waiters.forEach(waiter -> waiter.join().close());
                CompletableFuture<String> answer = rig.router.callAsync(
                        WORK,
                        placement -> placement.substrateId().equals("a")
                                ? CompletableFuture.failedFuture(new ConnectException())
                                : CompletableFuture.completedFuture("b"));
                assertThat(answer).isCompletedWithValue("b");
                executor.set(Runnable::run);
                rig.forgetEvents();
                rig.place(WORK).close();
                assertThat(rig.heard(RouterEvent.Placed.class))
                        .as("listeners hear again")
                        .hasSize(1);
                assertThat(rig.leases("a")).isZero();
                assertThat(rig.leases("b")).isZero();
            }
        }
    }

    @Test
    @DisplayName("interrupting races with being placed, hundreds of times, and leaves nothing behind [R50]")
    void interruptRacesWithGrant() throws Exception {
        try (CaseRig rig = new CaseRig(policy(1, "a").ejection(NEVER).build());
                Crew crew = new Crew(3)) {
            for (int round = 0; round < 300; round++) {
                Placement holder = rig.place(WORK);
                CompletableFuture<Thread> placer = new CompletableFuture<>();
                AtomicInteger placed = new AtomicInteger();
                crew.atOnce(thread -> {
                    switch (thread) {
                        case 0 -> {
                            placer.complete(Thread.currentThread());
                            try (Placement placement = rig.router.place(WORK)) {
                                placed.incrementAndGet();
                                placement.succeed();
                            } catch (InterruptedException gaveUp) {
                                // the other way it may end
                            }
                            Thread.interrupted();
                        }
                        case 1 -> placer.get(10, TimeUnit.SECONDS).interrupt();
                        default -> holder.close();
                    }
                });
                assertThat(rig.leases("a")).isZero();
                assertThat(rig.router.routes().get(0).waiting()).isZero();
            }
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName(
            "when the client is gone the work is told so, and counts until the substrate has shown that it stopped [R55]")
    void cancelledWorkCountsUntilSeenToBeGone() {
        try (CaseRig rig = new CaseRig(policy(1, "a").ejection(NEVER).build())) {
            for (boolean confirmed : new boolean[] {true, false}) {
                CompletableFuture<String> work = new CompletableFuture<>();
                CompletableFuture<String> answer = rig.router.callAsync(WORK, placement -> work);
                answer.cancel(true);
                assertThat(work).isCancelled();
                assertThat(rig.leases("a")).isEqualTo(1);
                assertThat(rig.router.tryPlace(WORK))
                        .as("not admitted beside it")
                        .isEmpty();
                if (confirmed) {
                    rig.idle("a");
                } else {
                    rig.time.advance(Duration.ofSeconds(15).minusNanos(1));
                    assertThat(rig.leases("a")).isEqualTo(1);
                    rig.time.advance(Duration.ofNanos(1));
                }
                assertThat(rig.leases("a")).isZero();
                rig.place(WORK).close();
            }
        }
    }

    @Test
    @DisplayName("work that cannot be cancelled counts until it ends, whatever the caller does with the future [R55]")
    void workThatCannotBeCancelled() {
        List<Consumer<CompletableFuture<String>>> leavings = List.of(
                answer -> answer.cancel(true),
                answer -> answer.completeExceptionally(new TimeoutException()),
                answer -> answer.complete("somebody else's"),
                answer -> {});
        try (CaseRig rig = new CaseRig(policy(1, "a").ejection(NEVER).build())) {
            for (Consumer<CompletableFuture<String>> leaves : leavings) {
                CompletableFuture<String> work = new CompletableFuture<>();
                CompletableFuture<String> answer =
                        rig.router.callAsync(WORK, placement -> work.minimalCompletionStage());
                leaves.accept(answer);
                rig.time.advance(Duration.ofMinutes(30));
                assertThat(rig.leases("a")).isEqualTo(1);
                work.complete("at last");
                assertThat(rig.leases("a")).isZero();
            }
        }
    }

    @Test
    @DisplayName(
            "a place is taken before the model loads and kept until the work is over, whatever the status shows meanwhile [R56]")
    void reservedFromBeforeTheLoad() {
        Policy policy = Policy.builder()
                .substrates(Substrate.builder("a")
                        .vramGb(32)
                        .maxConcurrentJobs(4)
                        .utilPerJobPct(0)
                        .build())
                .health(HealthLimits.builder().staleAfter(Duration.ofHours(1)).build())
                .workloads(
                        Workload.builder("big")
                                .vramGb(24)
                                .route(Candidate.builder("a")
                                        .loadTime(Duration.ofSeconds(60))
                                        .build())
                                .build(),
                        Workload.builder("small").vramGb(12).route("a").build())
                .build();
        try (CaseRig rig = new CaseRig(policy)) {
            rig.idle("a");
            Placement loading = rig.place(RouteRequest.workload("big"));
            for (int second = 0; second < 60; second += 5) {
                assertThat(rig.router.tryPlace(RouteRequest.workload("small"))).isEmpty();
                rig.time.advance(Duration.ofSeconds(5));
                rig.router.reportStatus(
                        "a", Statuses.healthy(32).vramUsedGb(second / 5.0).build());
            }
            rig.router.reportStatus(
                    "a", Statuses.healthy(32).vramUsedGb(24).runningJobs(1).build());
            assertThat(rig.router.tryPlace(RouteRequest.workload("small"))).isEmpty();
            loading.succeed();
            rig.idle("a");
            assertThat(rig.router.tryPlace(RouteRequest.workload("small"))).isPresent();
        }
    }

    @Test
    @DisplayName("a resident model that a request was placed for is not given up for another's memory [R56]")
    void placedForMeansNotIdle() {
        Policy policy = Policy.builder()
                .substrates(Substrate.builder("a")
                        .vramGb(32)
                        .maxConcurrentJobs(4)
                        .utilPerJobPct(0)
                        .idleVram(IdleVram.EVICTABLE)
                        .build())
                .workloads(
                        Workload.builder("one")
                                .vramGb(20)
                                .route(Candidate.builder("a")
                                        .model("one")
                                        .jobVramGb(1)
                                        .build())
                                .build(),
                        Workload.builder("two")
                                .vramGb(20)
                                .route(Candidate.builder("a").model("two").build())
                                .build())
                .build();
        RouteRequest two = RouteRequest.workload("two");
        try (CaseRig rig = new CaseRig(policy)) {
            rig.router.reportStatus(
                    "a", Statuses.healthy(32).vramUsedGb(20).loadedModels("one").build());
            assertThat(rig.router.recommend(two).best())
                    .as("idle, so it may go")
                    .isPresent();
            Placement one = rig.place(RouteRequest.workload("one"));
            assertThat(rig.router.tryPlace(two)).as("about to be used").isEmpty();
            one.succeed();
            assertThat(rig.router.tryPlace(two)).isPresent();
        }
    }

    private static List<Placement> takeAll(CaseRig rig, int expected) {
        List<Placement> all = new ArrayList<>();
        for (int taken = 0; taken < expected; taken++) {
            all.add(rig.place(WORK));
        }
        return all;
    }

    /** Everything is free again, at the latest when the substrate has reported that nothing runs there. */
    private static void eachIsBack(CaseRig rig) {
        rig.time.advance(Duration.ofMillis(1));
        rig.idle("a");
        assertThat(rig.leases("a")).isZero();
        List<Placement> all = rig.takeAll(WORK);
        assertThat(all).hasSize(10);
        all.forEach(Placement::succeed);
    }

    private static void cancelIf(boolean now, CompletableFuture<?> future) {
        if (now) {
            future.cancel(true);
        }
    }

    private static void runAll(Queue<Runnable> later) {
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
        }
    }

    /** What a classifier that knows no answer might say. */
    private static FaultKind unknown() {
        return null;
    }

    /** Throws whatever it is given, for work that declares no such thing. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneak(Throwable t) throws E {
        throw (E) t;
    }
}
