package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static dev.substraterouter.cases.CaseRig.after;
import static dev.substraterouter.cases.CaseRig.on;
import static dev.substraterouter.cases.CaseRig.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.substraterouter.AsyncWork;
import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.cases.CaseRig.Crew;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one trial by which a substrate comes back: never two, never stuck. */
class TrialCasesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    @DisplayName("a trial that never ends is a fault after its time, by default, and the next one comes later [J1]")
    void trialThatNeverEnds() {
        try (CaseRig rig = new CaseRig(policy(9, "a").build())) { // every limit at its default
            rig.eject("a");
            List<Duration> windows = new ArrayList<>();
            for (int trial = 0; trial < 6; trial++) {
                windows.add(rig.left("a"));
                rig.awaitTrial("a");
                assertThat(rig.place(WORK)).as("a trial that stays open").isNotNull();
                rig.time.advance(Duration.ofSeconds(60).minusNanos(1));
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
                assertThat(rig.out("a")).isFalse();
                rig.time.advance(Duration.ofNanos(1));
                assertThat(rig.out("a")).isTrue();
            }
            for (int trial = 1; trial < 4; trial++) {
                assertThat(windows.get(trial)).as("backs off").isGreaterThan(windows.get(trial - 1));
            }
            assertThat(windows).allMatch(window -> window.compareTo(Duration.ofSeconds(60)) <= 0);
            rig.awaitTrial("a");
            rig.place(WORK).succeed();
            assertThat(rig.heard(RouterEvent.Ejected.class))
                    .hasSize(7)
                    .extracting(RouterEvent.Ejected::rule)
                    .endsWith("trial stayed silent");
            rig.time.advance(Duration.ofSeconds(10));
            assertThat(rig.router.tryPlace(WORK))
                    .as("back, with its full share")
                    .isPresent();
            assertThat(rig.leases("a")).as("no open placement is taken away").isEqualTo(7);
        }
    }

    @Test
    @DisplayName("a silent trial keeps nobody waiting for ever: who waits is served when the next is due [J1]")
    void waitersOutliveASilentTrial() {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                .ejection(after(1, Duration.ofSeconds(5))
                        .trialTimeout(Duration.ofSeconds(10))
                        .build())
                .queue(QueueLimits.builder()
                        .maxWait(Duration.ofMinutes(5))
                        .retryEvery(Duration.ofHours(1))
                        .build())
                .build())) {
            rig.eject("a");
            rig.awaitTrial("a");
            Placement silent = rig.place(WORK);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            rig.time.advance(Duration.ofSeconds(10));
            assertThat(waiter).isNotDone();
            rig.time.advance(rig.left("a"));
            assertThat(waiter).isCompleted();
            waiter.join().succeed();
            silent.close();
        }
    }

    static Stream<Consumer<Placement>> endsThatSayNothing() {
        return Stream.of(
                Placement::close,
                placement -> placement.fail(new IllegalArgumentException("400")),
                placement -> placement.fail(new Exception("422")),
                placement -> placement.fail(new CancellationException()),
                placement -> placement.fail(new InterruptedException()),
                placement -> placement.fail(new AssertionError("the caller's")),
                placement -> placement.fail(SubstrateFaultException.outOfMemory("cuda")),
                placement -> placement.fail(new BackpressureException(SECOND)),
                placement -> placement.busy(SECOND));
    }

    @ParameterizedTest
    @MethodSource("endsThatSayNothing")
    @DisplayName("a trial whose end says nothing of the substrate is free for the next caller [J2]")
    void endThatSaysNothing(Consumer<Placement> end) {
        try (CaseRig rig =
                new CaseRig(policy(9, "a").ejection(after(1, SECOND).build()).build())) {
            rig.eject("a");
            rig.awaitTrial("a");
            for (int trial = 0; trial < 20; trial++) {
                Placement placement = rig.place(WORK);
                assertThat(rig.router.tryPlace(WORK)).as("one at a time").isEmpty();
                end.accept(placement);
                rig.time.advance(Duration.ofSeconds(5)); // the word of one that was full
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).hasSize(20);
            assertThat(rig.heard(RouterEvent.Returned.class)).isEmpty();
            rig.place(WORK).succeed();
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
        }
    }

    @Test
    @DisplayName("who waits for the trial gets it as soon as it is free again [J2]")
    void waiterGetsTheFreedTrial() {
        try (CaseRig rig =
                new CaseRig(policy(9, "a").ejection(after(1, SECOND).build()).build())) {
            rig.eject("a");
            rig.awaitTrial("a");
            Placement trial = rig.place(WORK);
            CompletableFuture<Placement> first = rig.router.placeAsync(WORK);
            CompletableFuture<Placement> second = rig.router.placeAsync(WORK);
            trial.close();
            assertThat(first).isCompleted();
            assertThat(second).isNotDone();
            first.join().nodeFault(new IOException());
            assertThat(second).isNotDone();
            rig.awaitTrial("a");
            assertThat(second).isCompleted();
        }
    }

    static Stream<SubstrateStatus> statusesThatForbid() {
        return Stream.of(
                Statuses.healthy(32).vramUsedGb(30).build(),
                Statuses.healthy(32).runningJobs(2).build(),
                Statuses.healthy(32).queuedJobs(5).build(),
                Statuses.loaded(32),
                Statuses.healthy(32).gpuTempC(95).build(),
                Statuses.healthy(32).reachable(false).build());
    }

    @ParameterizedTest
    @MethodSource("statusesThatForbid")
    @DisplayName("what another rule turns away does not use up the trial [J4]")
    void trialIsTakenLast(SubstrateStatus forbids) {
        try (CaseRig rig = new CaseRig(judged())) {
            rig.router.reportStatus("b", Statuses.idle(32));
            rig.idle("a");
            rig.eject("a");
            Duration left = rig.left("a");
            rig.router.reportStatus("a", forbids);
            rig.time.advance(left);
            for (int request = 0; request < 20; request++) {
                try (Placement placement = rig.place(WORK)) {
                    assertThat(placement.substrateId()).isEqualTo("b");
                }
            }
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).isEmpty();
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
            rig.idle("a");
            assertThat(rig.place(WORK).substrateId()).isEqualTo("a");
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).hasSize(1);
            assertThat(rig.place(WORK).substrateId()).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("a cordon, a reserve and a job too big do not use up the trial either [J4]")
    void trialIsNotTakenByWhoMayNotCome() {
        Policy policy = policy(2, "b")
                .ejection(after(1, SECOND).build())
                .substrates(Substrate.builder("a")
                        .maxConcurrentJobs(2)
                        .reserveForHigh(2)
                        .vramGb(32)
                        .build())
                .workloads(
                        Workload.builder("on-a").pin("a").build(),
                        Workload.builder("huge").vramGb(40).pin("a").build())
                .build();
        RouteRequest high = on("a").priority(Priority.HIGH);
        try (CaseRig rig = new CaseRig(policy)) {
            rig.place(high).nodeFault(new IOException());
            rig.idle("a");
            rig.awaitTrial("a");
            rig.router.cordon("a");
            assertThat(rig.router.tryPlace(high)).isEmpty();
            rig.router.uncordon("a");
            assertThat(rig.router.tryPlace(on("a"))).as("kept for HIGH").isEmpty();
            assertThat(catchThrowable(() -> rig.router.tryPlace(RouteRequest.workload("huge"))))
                    .isInstanceOf(RoutingException.class);
            assertThat(rig.router.recommend(high).best()).isPresent();
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).isEmpty();
            assertThat(rig.router.tryPlace(high)).isPresent();
            assertThat(rig.router.tryPlace(high)).isEmpty();
        }
    }

    /** One way in which asynchronous work may end without a result. */
    private record BadEnd(String name, AsyncWork<String> work) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<BadEnd> badEnds() {
        return Stream.of(
                new BadEnd("fails", placement -> CompletableFuture.failedFuture(new IOException("reset"))),
                new BadEnd(
                        "fails, wrapped",
                        placement -> CompletableFuture.supplyAsync(
                                () -> {
                                    throw new java.io.UncheckedIOException(new IOException("reset"));
                                },
                                Runnable::run)),
                new BadEnd("was cancelled", placement -> {
                    CompletableFuture<String> stage = new CompletableFuture<>();
                    stage.cancel(true);
                    return stage;
                }),
                new BadEnd("throws before there is a stage", placement -> {
                    throw new IOException("no route");
                }),
                new BadEnd("throws an error before there is a stage", placement -> {
                    throw new LinkageError();
                }),
                new BadEnd("gives no stage", placement -> null),
                new BadEnd(
                        "says it is full",
                        placement -> CompletableFuture.failedFuture(new BackpressureException(SECOND))));
    }

    @ParameterizedTest
    @MethodSource("badEnds")
    @DisplayName("asynchronous work that ends in whatever way ends its lease once, and no trial hangs on it [J7]")
    void asynchronousEnds(BadEnd end) {
        try (CaseRig rig = new CaseRig(policy(1, "a")
                .ejection(after(1, SECOND).build())
                .queue(QueueLimits.builder().maxWait(Duration.ZERO).build())
                .build())) {
            for (int round = 0; round < 5; round++) {
                CompletableFuture<String> answer = rig.router.callAsync(WORK, end.work());
                assertThat(answer).isDone().isCompletedExceptionally();
                rig.idle("a");
                assertThat(rig.leases("a")).isZero();
                if (rig.out("a")) {
                    rig.awaitTrial("a");
                }
                rig.time.advance(Duration.ofSeconds(5));
                Placement placement = rig.place(WORK); // its trial, where it was out
                placement.close();
                assertThat(rig.leases("a")).isZero();
            }
            assertThat(rig.router.callAsync(WORK, placement -> CompletableFuture.completedFuture("well")))
                    .isCompletedWithValue("well");
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName(
            "a failed call that finds no other place ends with the worker's own failure, the refusal beside it [J7]")
    void failureCarriesTheRefusal() {
        List<AsyncWork<String>> works = List.of(
                placement -> CompletableFuture.failedFuture(new IOException("reset")),
                placement -> CompletableFuture.supplyAsync(
                                () -> "", Runnable::run) // a later stage: its failure is told in a wrapper
                        .thenCompose(nothing -> CompletableFuture.failedFuture(new IOException("reset"))));
        for (AsyncWork<String> work : works) {
            try (CaseRig rig = new CaseRig(policy(1, "a", "b").build())) {
                rig.place(on("b"));
                CompletableFuture<String> answer = rig.router.callAsync(WORK.maxWait(Duration.ZERO), work);
                Throwable failure = catchThrowable(answer::get).getCause();
                assertThat(failure).isInstanceOf(IOException.class).hasMessage("reset");
                assertThat(failure.getSuppressed()).singleElement().satisfies(refusal -> assertThat(refusal)
                        .isInstanceOf(RoutingException.class)
                        .hasMessageContaining("a failed this request before")
                        .hasMessageContaining("b jobs 1/1"));
            }
        }
    }

    @Test
    @DisplayName("cancelling the call of a trial frees the trial and tells the work [J7]")
    void cancelledTrial() {
        try (CaseRig rig =
                new CaseRig(policy(9, "a").ejection(after(1, SECOND).build()).build())) {
            rig.eject("a");
            rig.awaitTrial("a");
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> answer = rig.router.callAsync(WORK, placement -> work);
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            answer.cancel(true);
            assertThat(work).isCancelled();
            assertThat(rig.router.tryPlace(WORK)).as("the trial").isPresent();
        }
    }

    @Test
    @DisplayName("two hundred at the instant the ejection ends: one is the trial, the others go elsewhere [J8]")
    void oneTrialAndTheOthersElsewhere() throws Exception {
        try (CaseRig rig = new CaseRig(policy(1000, "a", "b")
                        .ejection(after(1, SECOND).build())
                        .build());
                Crew crew = new Crew(200)) {
            for (int round = 0; round < 40; round++) {
                rig.eject("a");
                rig.awaitTrial("a");
                List<Placement> onA = new ArrayList<>();
                AtomicInteger onB = new AtomicInteger();
                crew.atOnce(thread -> {
                    Placement placement = rig.place(WORK);
                    if (placement.substrateId().equals("a")) {
                        synchronized (onA) {
                            onA.add(placement);
                        }
                    } else {
                        onB.incrementAndGet();
                        placement.succeed();
                    }
                });
                assertThat(onA).hasSize(1);
                assertThat(onB).hasValue(199);
                onA.get(0).nodeFault(new IOException());
                rig.idle("a");
                assertThat(rig.out("a")).isTrue();
                rig.router.reset("a");
            }
        }
    }

    @Test
    @DisplayName("results of trials racing with the callers after them admit one at a time [J8]")
    void oneAtATime() throws Exception {
        try (CaseRig rig = new CaseRig(
                        policy(1000, "a").ejection(after(1, SECOND).build()).build());
                Crew crew = new Crew(8)) {
            rig.eject("a");
            rig.awaitTrial("a");
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            for (int round = 0; round < 100; round++) {
                crew.atOnce(thread -> {
                    for (int request = 0; request < 20; request++) {
                        rig.router.tryPlace(WORK).ifPresent(trial -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            running.decrementAndGet();
                            trial.close();
                        });
                    }
                });
            }
            assertThat(most).hasValue(1);
            assertThat(rig.leases("a")).isZero();
        }
    }

    @Test
    @DisplayName("faults reported together at the threshold are one ejection, and nobody's call throws [J10]")
    void oneEjection() throws Exception {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                        .ejection(after(4, Duration.ofSeconds(30)).build())
                        .build());
                Crew crew = new Crew(4)) {
            for (int round = 0; round < 300; round++) {
                List<Placement> open = List.of(rig.place(WORK), rig.place(WORK), rig.place(WORK), rig.place(WORK));
                Placement fifth = rig.place(WORK);
                rig.forgetEvents();
                crew.atOnce(thread -> open.get(thread).nodeFault(new IOException("fault " + thread)));
                fifth.nodeFault(new IOException("too late to matter"));
                assertThat(rig.heard(RouterEvent.Ejected.class)).singleElement().satisfies(event -> {
                    assertThat(event.observed()).isEqualTo(4);
                    assertThat(event.error()).isPresent();
                });
                rig.idle("a");
                rig.router.reset("a");
                assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("success and fault of the same trial, and its silence, at once: one change, told once [J10]")
    void oneResultOfATrial() throws Exception {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                        .ejection(after(1, Duration.ofSeconds(1)).build())
                        .build());
                Crew crew = new Crew(3)) {
            rig.eject("a");
            for (int round = 0; round < 200; round++) {
                rig.awaitTrial("a");
                Placement trial = rig.place(WORK);
                rig.forgetEvents();
                crew.atOnce(thread -> {
                    switch (thread) {
                        case 0 -> trial.succeed();
                        case 1 -> trial.nodeFault(new IOException());
                        default -> rig.time.advance(Duration.ofSeconds(60));
                    }
                });
                rig.idle("a");
                int changes = rig.heard(RouterEvent.Ejected.class).size()
                        + rig.heard(RouterEvent.Returned.class).size();
                assertThat(changes).isEqualTo(1);
                rig.router.reset("a");
                rig.eject("a");
            }
        }
    }

    @Test
    @DisplayName("what happens to a substrate is heard in its order, though a listener makes more of it happen [J10]")
    void heardInOrder() {
        HandDrivenTime time = new HandDrivenTime();
        AtomicReference<CaseRig> there = new AtomicReference<>();
        List<String> heard = new ArrayList<>();
        try (CaseRig rig = new CaseRig(
                policy(9, "a")
                        .ejection(after(1, SECOND)
                                .trialTimeout(Duration.ofMillis(1))
                                .build())
                        .build(),
                time,
                SubstrateRouter.builder()
                        .timeSource(time)
                        .executor(Runnable::run)
                        .listener(event -> {
                            heard.add(event.getClass().getSimpleName());
                            if (event instanceof RouterEvent.Ejected ejected
                                    && ejected.error().isEmpty()) {
                                there.get().router.reset("a");
                            }
                        }))) {
            there.set(rig);
            rig.eject("a");
            rig.awaitTrial("a");
            Placement silent = rig.place(WORK);
            rig.time.advance(Duration.ofMillis(1).plus(SECOND)); // before anybody has noticed its silence
            heard.clear();
            Placement next = rig.place(WORK);
            assertThat(heard).containsExactly("Ejected", "TrialStarted", "Returned", "Placed");
            silent.close();
            next.close();
        }
    }

    @Test
    @DisplayName("an ejection lasts its own time, whatever was ended by hand before [J11]")
    void ejectionAfterAReset() {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                .ejection(after(1, Duration.ofSeconds(30)).build())
                .build())) {
            rig.eject("a");
            Duration first = rig.left("a");
            rig.time.advance(Duration.ofSeconds(5));
            rig.router.reset("a");
            assertThat(rig.out("a")).isFalse();
            assertThat(rig.router.tryPlace(WORK)).isPresent();
            rig.time.advance(Duration.ofSeconds(15));
            rig.eject("a");
            Duration second = rig.left("a");
            assertThat(second)
                    .isGreaterThan(first.minusSeconds(20))
                    .isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
            rig.time.advance(first.minusSeconds(20)); // when the first would have ended
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.time.advance(second.minus(first.minusSeconds(20)).minusNanos(1));
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName("a reset during a trial ends it: its late result, good or bad, is of another time [J11]")
    void resetDuringATrial() {
        for (boolean good : new boolean[] {true, false}) {
            try (CaseRig rig = new CaseRig(policy(9, "a")
                    .ejection(after(1, Duration.ofSeconds(30)).build())
                    .build())) {
                rig.eject("a");
                rig.awaitTrial("a");
                Placement trial = rig.place(WORK);
                rig.router.reset("a");
                rig.eject("a");
                Duration left = rig.left("a");
                if (good) {
                    trial.succeed();
                } else {
                    trial.nodeFault(new IOException());
                }
                assertThat(rig.left("a")).isEqualTo(left);
                rig.time.advance(Duration.ofSeconds(60)); // when the old trial would have been silent too long
                rig.place(WORK).succeed();
                assertThat(rig.out("a")).isFalse();
            }
        }
    }

    /** Two substrates with all measures judged, and ejection at the first fault. */
    private static Policy judged() {
        Policy.Builder policy =
                Policy.builder().ejection(after(1, Duration.ofSeconds(5)).build());
        for (String id : List.of("a", "b")) {
            policy.substrates(
                    Substrate.builder(id).vramGb(32).maxConcurrentJobs(2).build());
            policy.workloads(Workload.builder("on-" + id).vramGb(8).pin(id).build());
        }
        return policy.workloads(
                        Workload.builder("work").vramGb(8).route("a", "b").build())
                .build();
    }
}
