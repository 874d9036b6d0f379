package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static dev.substraterouter.cases.CaseRig.after;
import static dev.substraterouter.cases.CaseRig.on;
import static dev.substraterouter.cases.CaseRig.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.cases.CaseRig.Crew;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What takes a substrate out and what does not, what is told of it, and how it comes back. */
class EjectionCasesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    static Stream<Throwable> faultsOfTheRequest() {
        return Stream.of(
                new IllegalArgumentException("400: context too long"),
                new Exception("422"),
                new CompletionException(new IllegalStateException("409")),
                new AssertionError("a bug of the caller"),
                new OutOfMemoryError("the caller's heap"),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("faultsOfTheRequest")
    @DisplayName("requests that are at fault themselves go back as they are and eject nothing [R26]")
    void requestsAtFaultEjectNothing(Throwable atFault) {
        try (CaseRig rig = new CaseRig(
                policy(2, "a", "b").ejection(after(1, SECOND).build()).build())) {
            AtomicInteger runs = new AtomicInteger();
            for (int request = 0; request < 20; request++) {
                assertThat(catchThrowable(() -> rig.router.call(WORK, placement -> {
                            runs.incrementAndGet();
                            throw sneak(atFault);
                        })))
                        .isSameAs(atFault);
                assertThat(rig.router.callAsync(WORK, placement -> {
                            runs.incrementAndGet();
                            return CompletableFuture.failedFuture(atFault);
                        }))
                        .isCompletedExceptionally();
                rig.place(WORK).fail(atFault);
            }
            assertThat(runs).hasValue(40);
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            assertThat(rig.heard(RouterEvent.FellBack.class)).isEmpty();
            assertThat(rig.place(WORK).substrateId()).isEqualTo("a");
        }
    }

    @Test
    @DisplayName("faults of requests between faults of the substrate do not count towards its ejection [R26]")
    void requestFaultsDoNotCount() {
        try (CaseRig rig =
                new CaseRig(policy(9, "a").ejection(after(3, SECOND).build()).build())) {
            rig.fault("a");
            rig.fault("a");
            for (int request = 0; request < 20; request++) {
                rig.place(WORK).fail(new IllegalArgumentException("400"));
            }
            assertThat(rig.out("a")).isFalse();
            rig.fault("a");
            assertThat(rig.out("a")).isTrue();
        }
    }

    @Test
    @DisplayName("a worker that says it is full is left alone for as long as it says, and never ejected [R28]")
    void fullIsNotBroken() throws Exception {
        try (CaseRig rig = new CaseRig(
                policy(9, "a", "b").ejection(after(1, SECOND).build()).build())) {
            for (int round = 0; round < 20; round++) {
                String served = rig.router.call(WORK, placement -> {
                    if (placement.substrateId().equals("a")) {
                        throw new BackpressureException(Duration.ofSeconds(4));
                    }
                    return placement.substrateId();
                });
                assertThat(served).isEqualTo("b");
                rig.time.advance(Duration.ofMillis(3_999));
                assertThat(rig.router.recommend(WORK).best().orElseThrow().substrateId())
                        .isEqualTo("b");
                rig.time.advance(Duration.ofMillis(1));
                assertThat(rig.router.recommend(WORK).best().orElseThrow().substrateId())
                        .isEqualTo("a");
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("a worker that is full but says not for how long is left alone for one polling interval [R28]")
    void fullForAnUnknownTime() {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                .poll(PollSettings.builder().every(Duration.ofSeconds(3)).build())
                .build())) {
            rig.place(WORK).busy(Duration.ZERO);
            rig.time.advance(Duration.ofSeconds(3).minusNanos(1));
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName("a status later than the worker's refusal ends the waiting at once [R28]")
    void laterStatusEndsBusy() {
        try (CaseRig rig = new CaseRig(policy(9, "a").build())) {
            rig.place(WORK).busy(Duration.ofMinutes(10));
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(Duration.ofHours(1)));
            rig.time.advance(SECOND);
            assertThat(waiter).isNotDone();
            rig.idle("a");
            assertThat(waiter).isCompleted();
        }
    }

    @Test
    @DisplayName("a status that came with the worker's refusal is not later than it [R28]")
    void carriedStatusDoesNotEndBusy() {
        try (CaseRig rig = new CaseRig(policy(9, "a").build())) {
            rig.place(WORK).fail(new BackpressureException(Duration.ofSeconds(4), Statuses.idle(32)));
            assertThat(rig.view("a").status()).contains(Statuses.idle(32));
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.time.advance(Duration.ofSeconds(4));
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName(
            "the same request comes back to a worker that was full after its word, never sooner than a second [R28]")
    void fullWorkerIsTriedAgain() {
        try (CaseRig rig = new CaseRig(policy(9, "a").build())) {
            for (Duration word : List.of(Duration.ofMillis(100), Duration.ofSeconds(4))) {
                AtomicInteger runs = new AtomicInteger();
                CompletableFuture<String> answer = rig.router.callAsync(
                        WORK,
                        placement -> runs.incrementAndGet() < 3
                                ? CompletableFuture.failedFuture(new BackpressureException(word))
                                : CompletableFuture.completedFuture("done"));
                Duration pause = word.compareTo(SECOND) < 0 ? SECOND : word;
                assertThat(runs).hasValue(1);
                rig.time.advance(pause.minusNanos(1));
                assertThat(runs).hasValue(1);
                rig.time.advance(Duration.ofNanos(1));
                assertThat(runs).hasValue(2);
                rig.time.advance(pause);
                assertThat(answer).isCompletedWithValue("done");
            }
        }
    }

    @Test
    @DisplayName("every failed attempt counts against its own substrate, even when all fail alike [R29]")
    void everyAttemptCounts() {
        SubstrateFaultException shared = new SubstrateFaultException("502"); // one object for all attempts
        try (CaseRig rig = new CaseRig(
                policy(9, "a", "b", "c").ejection(after(2, SECOND).build()).build())) {
            assertThatThrownBy(() -> rig.router.call(WORK, placement -> {
                        throw shared;
                    }))
                    .isSameAs(shared);
            assertThat(failed(rig)).containsExactly("a", "b", "c");
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            assertThat(rig.router.callAsync(WORK, placement -> CompletableFuture.failedFuture(shared)))
                    .isCompletedExceptionally();
            assertThat(failed(rig)).containsExactly("a", "b", "c", "a", "b", "c");
            assertThat(rig.heard(RouterEvent.Ejected.class))
                    .extracting(RouterEvent.Ejected::substrateId)
                    .containsExactly("a", "b", "c");
        }
    }

    @Test
    @DisplayName("with everything out, a request waits for the first that comes back within its wait [R31]")
    void waitsForTheFirstToReturn() {
        try (CaseRig rig = aSoonerThanB()) {
            Duration left = rig.left("a");
            CompletableFuture<Placement> waits = rig.router.placeAsync(WORK.maxWait(Duration.ofSeconds(5)));
            CompletableFuture<Placement> hasDeadline = rig.router.placeAsync(WORK.deadline(Duration.ofSeconds(5)));
            rig.time.advance(left.minusNanos(1));
            assertThat(waits).isNotDone();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(waits).isCompleted();
            assertThat(waits.join().substrateId()).isEqualTo("a");
            assertThat(hasDeadline).as("one trial at a time").isNotDone();
            waits.join().succeed();
            assertThat(hasDeadline.join().substrateId()).isEqualTo("a");
        }
    }

    @Test
    @DisplayName(
            "with everything out for longer than it may wait, a request is refused at once and told when to come back [R31]")
    void refusedAtOnceWhenNothingReturnsInTime() {
        try (CaseRig rig = aSoonerThanB()) {
            Duration left = rig.left("a");
            for (RouteRequest request : List.of(WORK.maxWait(SECOND), WORK.deadline(SECOND))) {
                assertThatThrownBy(() -> rig.router.place(request))
                        .isInstanceOfSatisfying(SubstratesBusyException.class, refused -> {
                            assertThat(refused.reason()).isEqualTo(RefusalReason.BEYOND_WAIT);
                            assertThat(refused.retryAfter()).contains(left);
                        })
                        .hasMessageContaining("a ejected for another")
                        .hasMessageContaining("b ejected for another");
            }
        }
    }

    @Test
    @DisplayName("one that could come at any moment is worth waiting for, whatever else is out [R31]")
    void waitsWhileOneCouldCome() {
        try (CaseRig rig = aSoonerThanB()) {
            rig.awaitTrial("a");
            Placement trial = rig.place(on("a"));
            CompletableFuture<Placement> waits = rig.router.placeAsync(WORK.maxWait(SECOND));
            assertThat(waits).isNotDone();
            trial.succeed();
            assertThat(waits.join().substrateId()).isEqualTo("a");
        }
    }

    @Test
    @DisplayName("who is out is listed with its state, until when, why, and when it may try again [R32]")
    void viewsTellOfEjections() {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                .ejection(after(1, Duration.ofSeconds(20))
                        .trialTimeout(Duration.ofSeconds(30))
                        .build())
                .build())) {
            assertThat(rig.view("a").verdict().passes()).isTrue();
            assertThat(rig.view("a").lastError()).isEmpty();
            rig.eject("a");
            assertThat(rig.view("a").verdict().passes()).isFalse();
            assertThat(reasons(rig)).containsExactly(Reason.EJECTED);
            assertThat(rig.view("a").ejectedUntil()).isPresent();
            assertThat(rig.view("a").verdict().reason())
                    .contains("ejected for another")
                    .contains("cable pulled");
            RouterEvent.Ejected event = rig.heard(RouterEvent.Ejected.class).get(0);
            assertThat(event.window()).isEqualTo(rig.left("a"));
            assertThat(event.error().orElseThrow()).contains("cable pulled");
            assertThat(event.observed()).isEqualTo(1);
            assertThat(event.limit()).isEqualTo(1);

            rig.awaitTrial("a");
            assertThat(rig.view("a").verdict().passes()).as("its trial is free").isTrue();
            Placement trial = rig.place(WORK);
            assertThat(reasons(rig)).containsExactly(Reason.TRIAL_RUNNING);
            assertThat(rig.view("a").verdict().reason()).contains("cable pulled");
            rig.time.advance(Duration.ofSeconds(30));
            assertThat(reasons(rig)).containsExactly(Reason.EJECTED);
            assertThat(rig.view("a").lastError())
                    .as("why it is out after a silent trial")
                    .isPresent();
            trial.close();

            rig.awaitTrial("a");
            rig.place(WORK).succeed();
            assertThat(reasons(rig)).isEmpty();
            assertThat(rig.view("a").ejectedUntil()).isEmpty();
        }
    }

    @Test
    @DisplayName("a pool of one goes through the same states, and says so when it refuses [R34]")
    void poolOfOne() {
        try (CaseRig rig = new CaseRig(policy(9, "a")
                .ejection(after(3, Duration.ofSeconds(20)).build())
                .build())) {
            rig.fault("a");
            rig.fault("a");
            assertThat(rig.out("a")).isFalse();
            rig.fault("a");
            assertThat(rig.out("a")).isTrue();
            Duration left = rig.left("a");
            assertThatThrownBy(() -> rig.router.place(WORK.maxWait(SECOND)))
                    .isInstanceOfSatisfying(RoutingException.class, refused -> assertThat(refused.retryAfter())
                            .contains(left))
                    .hasMessageContaining("cable pulled");
            rig.awaitTrial("a");
            rig.fault("a");
            assertThat(rig.out("a")).as("a failed trial").isTrue();
            rig.awaitTrial("a");
            rig.place(WORK).succeed();
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName("a thousand picks at the moment the ejection ends get exactly one trial [R35]")
    void exactlyOneTrial() throws Exception {
        try (CaseRig rig = new CaseRig(
                        policy(100, "a").ejection(after(1, SECOND).build()).build());
                Crew crew = new Crew(20)) {
            rig.eject("a");
            rig.awaitTrial("a");
            for (int round = 0; round < 100; round++) {
                List<Placement> admitted = new ArrayList<>();
                crew.atOnce(thread -> {
                    for (int pick = 0; pick < 50; pick++) {
                        rig.router.tryPlace(WORK).ifPresent(placement -> {
                            synchronized (admitted) {
                                admitted.add(placement);
                            }
                        });
                    }
                });
                assertThat(admitted).hasSize(1);
                assertThat(rig.leases("a")).isEqualTo(1);
                admitted.get(0).close(); // says nothing: the trial is free again
            }
        }
    }

    @Test
    @DisplayName("while the trial runs nobody else gets in, until it has a result or has been silent too long [R37]")
    void nobodyBesideTheTrial() {
        try (CaseRig rig = new CaseRig(policy(9, "a", "b")
                .ejection(after(1, SECOND).trialTimeout(Duration.ofSeconds(5)).build())
                .build())) {
            rig.eject("a");
            rig.awaitTrial("a");
            Placement slow = rig.place(WORK);
            assertThat(slow.substrateId()).isEqualTo("a");
            for (int arrival = 0; arrival < 50; arrival++) {
                rig.time.advance(Duration.ofMillis(99));
                assertThat(rig.router.tryPlace(on("a"))).isEmpty();
                Placement elsewhere = rig.place(WORK);
                assertThat(elsewhere.substrateId()).isEqualTo("b");
                assertThat(elsewhere
                                .trace()
                                .attempts()
                                .get(0)
                                .considered()
                                .get(0)
                                .has(Reason.TRIAL_RUNNING))
                        .isTrue();
                elsewhere.succeed();
            }
            rig.time.advance(Duration.ofMillis(50)); // 5 s in all
            assertThat(rig.out("a")).as("silent for too long").isTrue();
            slow.succeed();
            assertThat(rig.out("a")).as("a result that came too late").isTrue();
            rig.awaitTrial("a");
            Placement second = rig.place(WORK);
            second.succeed();
            assertThat(rig.place(WORK).substrateId()).isEqualTo("a");
        }
    }

    @Test
    @DisplayName("a trial may take twice what the work is expected to take, loading included [R37]")
    void slowWorkGetsALongTrial() {
        var slow = Candidate.builder("a")
                .expectedLatency(Duration.ofSeconds(40))
                .loadTime(Duration.ofSeconds(15))
                .build();
        try (CaseRig rig = new CaseRig(policy(9, "a")
                .workloads(Workload.builder("slow").route(slow).build())
                .ejection(after(1, SECOND).trialTimeout(Duration.ofSeconds(5)).build())
                .build())) {
            rig.eject("a");
            rig.awaitTrial("a");
            Placement trial = rig.place(RouteRequest.workload("slow"));
            rig.time.advance(Duration.ofSeconds(95).minusNanos(1));
            assertThat(rig.out("a")).isFalse();
            trial.succeed();
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
        }
    }

    @Test
    @DisplayName("who comes back gets a tenth, a quarter, a half, and then the whole of its share [R38]")
    void comesBackByDegrees() {
        try (CaseRig rig = new CaseRig(policy(20, "a")
                .ejection(after(1, SECOND).ramp(Duration.ofSeconds(12)).build())
                .build())) {
            rig.ejectAndReturn("a");
            List<Placement> open = new ArrayList<>();
            for (int share : new int[] {2, 5, 10, 20}) {
                open.addAll(rig.takeAll(WORK));
                assertThat(open).hasSize(share);
                rig.time.advance(Duration.ofSeconds(4).minusNanos(1));
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
                rig.time.advance(Duration.ofNanos(1));
            }
            open.forEach(Placement::succeed);
            assertThat(rig.leases("a")).isZero();
        }
    }

    @Test
    @DisplayName("each step of the way back lets in exactly those who wait and fit [R38]")
    void stepsWakeWaiters() {
        try (CaseRig rig = new CaseRig(policy(20, "a")
                .ejection(after(1, SECOND).ramp(Duration.ofSeconds(12)).build())
                .queue(QueueLimits.builder()
                        .capacity(100)
                        .retryEvery(Duration.ofHours(1))
                        .build())
                .build())) {
            rig.ejectAndReturn("a");
            List<CompletableFuture<Placement>> asked = new ArrayList<>();
            for (int request = 0; request < 30; request++) {
                asked.add(rig.router.placeAsync(WORK));
            }
            for (int share : new int[] {2, 5, 10, 20}) {
                assertThat(asked.stream().filter(CompletableFuture::isDone)).hasSize(share);
                rig.time.advance(Duration.ofSeconds(4));
            }
        }
    }

    @Test
    @DisplayName("one that can hold a single job gets it at once, and a fault on the way back counts in full [R38]")
    void smallShares() {
        try (CaseRig rig =
                new CaseRig(policy(1, "a").ejection(after(2, SECOND).build()).build())) {
            rig.ejectAndReturn("a");
            assertThat(rig.takeAll(WORK)).hasSize(1).allSatisfy(Placement::succeed);
            rig.fault("a");
            assertThat(rig.out("a")).isFalse();
            rig.fault("a");
            assertThat(rig.out("a")).isTrue();
        }
    }

    @Test
    @DisplayName("a pin to a substrate that is out is refused with the reason, not served there [R40]")
    void pinDoesNotReachWhoIsOut() {
        try (CaseRig rig = new CaseRig(policy(9, "a", "b")
                .ejection(after(1, Duration.ofSeconds(20)).build())
                .build())) {
            rig.eject("a");
            for (int request = 0; request < 20; request++) {
                assertThat(rig.router.tryPlace(on("a"))).isEmpty();
                assertThatThrownBy(() -> rig.router.place(on("a").maxWait(Duration.ZERO)))
                        .isInstanceOf(SubstratesBusyException.class)
                        .hasMessageContaining("a ejected for another");
                assertThat(rig.router.placeAsync(on("a").maxWait(SECOND))).isCompletedExceptionally();
            }
            assertThat(rig.leases("a")).isZero();
        }
    }

    @Test
    @DisplayName("a preference for a substrate that is out is a wish, and goes elsewhere [R40]")
    void preferenceDoesNotReachWhoIsOut() {
        try (CaseRig rig = new CaseRig(policy(9, "a", "b")
                .ejection(after(1, Duration.ofSeconds(20)).build())
                .build())) {
            assertThat(rig.place(WORK.prefer("b")).substrateId()).isEqualTo("b");
            rig.eject("b");
            for (int request = 0; request < 5; request++) {
                assertThat(rig.place(WORK.prefer("b")).substrateId()).isEqualTo("a");
            }
            rig.router.cordon("a");
            assertThat(rig.router.tryPlace(WORK.prefer("b"))).isEmpty();
            rig.router.uncordon("a");
            rig.awaitTrial("b");
            assertThat(rig.place(WORK.prefer("b")).substrateId()).isEqualTo("b");
        }
    }

    @Test
    @DisplayName("every sort of fault that is the substrate's counts, whatever it is wrapped in [R29]")
    void everySortOfNodeFaultCounts() {
        List<Throwable> faults = List.of(
                new ConnectException("refused"),
                new NoRouteToHostException(),
                new UnknownHostException("legion"),
                new IOException("reset"),
                new TimeoutException(),
                new SubstrateFaultException("500"),
                new CompletionException(new IOException("reset")),
                new ExecutionException(new SubstrateFaultException("500")));
        for (Throwable fault : faults) {
            try (CaseRig rig = new CaseRig(
                    policy(9, "a", "b").ejection(after(1, SECOND).build()).build())) {
                Optional<String> served = catching(() -> rig.router.call(WORK, placement -> {
                    if (placement.substrateId().equals("a")) {
                        throw sneak(fault);
                    }
                    return placement.substrateId();
                }));
                assertThat(served).as(fault.toString()).contains("b");
                assertThat(rig.out("a")).as(fault.toString()).isTrue();
                assertThat(rig.out("b")).isFalse();
            }
        }
    }

    private interface Asked {
        String get() throws Exception;
    }

    private static Optional<String> catching(Asked asked) {
        try {
            return Optional.of(asked.get());
        } catch (Exception none) {
            return Optional.empty();
        }
    }

    /** Both out for about nine seconds, a five seconds sooner than b. */
    private static CaseRig aSoonerThanB() {
        CaseRig rig = new CaseRig(policy(9, "a", "b")
                .ejection(after(1, Duration.ofSeconds(9)).build())
                .build());
        rig.eject("a");
        rig.time.advance(Duration.ofSeconds(5));
        rig.eject("b");
        assertThat(rig.left("a")).isBetween(SECOND, Duration.ofSeconds(5));
        assertThat(rig.left("b")).isGreaterThan(Duration.ofSeconds(5));
        return rig;
    }

    private static List<String> failed(CaseRig rig) {
        return rig.heard(RouterEvent.Failed.class).stream()
                .map(RouterEvent.Failed::substrateId)
                .toList();
    }

    private static List<Reason> reasons(CaseRig rig) {
        return rig.view("a").reasons().stream().map(Finding::reason).toList();
    }

    /** Throws whatever it is given, for work that declares no such thing. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneak(Throwable t) throws E {
        throw (E) t;
    }
}
