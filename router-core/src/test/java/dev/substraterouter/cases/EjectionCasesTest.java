package dev.substraterouter.cases;

import static dev.substraterouter.cases.Rig.SECOND;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.pool;
import static dev.substraterouter.cases.Rig.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.FaultClassifier;
import dev.substraterouter.Placement;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of the section "Ejection, panic, flapping, fallback". */
@ExtendWith(QuietLog.class)
@Timeout(60)
class EjectionCasesTest {
    private static final Duration WINDOW = Duration.ofSeconds(30);

    /** Three faults in a row, or five of ten, take a substrate out for about 30 s; no ramp on the way back. */
    private static EjectionLimits.Builder ejection() {
        return EjectionLimits.builder()
                .consecutiveFaults(3)
                .faultsOfLast(5, 10)
                .window(WINDOW)
                .maxWindow(Duration.ofMinutes(10))
                .ramp(Duration.ZERO);
    }

    private static Policy.Builder ejecting(Policy.Builder policy) {
        return policy.ejection(ejection().build());
    }

    // J35, J37

    @Test
    @DisplayName(
            "when every substrate is out the refusal names each with its reason and the earliest return [J35, J37]")
    void allOutIsARefusalThatExplainsItself() {
        try (Rig rig = new Rig(ejecting(pool(4, "v100", "legion", "rented")))) {
            for (String id : List.of("v100", "legion", "rented")) {
                rig.eject(id);
                rig.time.advance(SECOND);
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(3);
            Duration earliest = Stream.of("v100", "legion", "rented")
                    .map(rig::outFor)
                    .min(Duration::compareTo)
                    .orElseThrow();
            assertThatThrownBy(() -> rig.router.place(WORK.maxWait(SECOND)))
                    .isInstanceOfSatisfying(SubstratesBusyException.class, refused -> {
                        assertThat(refused.reason()).isEqualTo(RefusalReason.BEYOND_WAIT);
                        assertThat(refused.retryAfter()).contains(earliest);
                        assertThat(refused.trace().waited()).isZero();
                        assertThat(refused.trace().considered())
                                .hasSize(3)
                                .allMatch(candidate -> candidate.has(Reason.EJECTED));
                        assertThat(refused)
                                .hasMessageContaining("v100 ejected")
                                .hasMessageContaining("legion ejected")
                                .hasMessageContaining("rented ejected")
                                .hasMessageContaining("IOException")
                                .hasMessageContaining("retry after");
                    });
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            assertThat(rig.leases()).isZero();
        }
    }

    @Test
    @DisplayName(
            "when every substrate is out for less than the wait, the request waits for the first that returns [J37]")
    void allOutWithinTheWaitIsAWait() {
        try (Rig rig = new Rig(ejecting(pool(4, "v100", "legion")))) {
            rig.eject("v100");
            rig.time.advance(Duration.ofSeconds(12));
            rig.eject("legion");
            Duration first = rig.outFor("v100");
            assertThat(first).isLessThan(rig.outFor("legion"));
            CompletableFuture<Placement> future = rig.router.placeAsync(WORK.maxWait(Duration.ofMinutes(1)));
            rig.time.advance(first.minusNanos(1));
            assertThat(future).isNotDone();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(future).isCompleted();
            assertThat(future.join().substrateId()).isEqualTo("v100");
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).hasSize(1);
        }
    }

    @Test
    @DisplayName("one that is out and one that is merely full is a wait, not a refusal [J37]")
    void oneOutAndOneFullIsAWait() {
        try (Rig rig = new Rig(ejecting(pool(1, "v100", "legion")))) {
            rig.eject("v100");
            Placement holder = rig.place();
            assertThat(holder.substrateId()).isEqualTo("legion");
            CompletableFuture<Placement> future = rig.router.placeAsync(WORK.maxWait(SECOND));
            assertThat(future).isNotDone();
            holder.close();
            assertThat(future.join().substrateId()).isEqualTo("legion");
        }
    }

    // J38

    static Stream<Arguments> howPrimariesGoBad() {
        return Stream.of(
                arguments("ejected", (Consumer<Rig>) rig -> {
                    rig.eject("v100");
                    rig.eject("legion");
                }),
                arguments("loaded by others", (Consumer<Rig>) rig -> {
                    rig.loaded("v100");
                    rig.loaded("legion");
                }),
                arguments("cordoned", (Consumer<Rig>) rig -> {
                    rig.router.cordon("v100");
                    rig.router.cordon("legion");
                }),
                arguments("not ready", (Consumer<Rig>) rig -> {
                    rig.router.reportStatus(
                            "v100", Statuses.healthy(24).reachable(false).build());
                    rig.router.reportStatus(
                            "legion", Statuses.healthy(24).reachable(false).build());
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("howPrimariesGoBad")
    @DisplayName(
            "with no healthy substrate before it, everything goes to the healthy fallback and nothing to the others [J38]")
    void everythingGoesToTheHealthyFallback(String how, Consumer<Rig> goBad) {
        try (Rig rig = new Rig(ejecting(pool(200, "v100", "legion", "rented")))) {
            goBad.accept(rig);
            for (int i = 0; i < 100; i++) {
                try (Placement placement = rig.place()) {
                    assertThat(placement.substrateId()).isEqualTo("rented");
                    placement.succeed();
                }
            }
        }
    }

    // J40

    @Test
    @DisplayName("a good status neither ends nor shortens an ejection; after the window one trial begins [J40]")
    void aGoodStatusDoesNotEndAnEjection() {
        try (Rig rig = new Rig(ejecting(pool(4, "v100")))) {
            rig.eject("v100");
            Duration out = rig.outFor("v100");
            assertThat(out)
                    .isBetween(
                            WINDOW.multipliedBy(85).dividedBy(100),
                            WINDOW.multipliedBy(115).dividedBy(100));
            for (int second = 0; second < out.toSeconds(); second++) {
                rig.time.advance(SECOND);
                rig.healthy("v100");
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
                assertThat(rig.outFor("v100")).isEqualTo(out.minus(SECOND.multipliedBy(second + 1)));
            }
            rig.time.advance(rig.outFor("v100"));
            Placement trial = rig.place();
            assertThat(rig.router.tryPlace(WORK)).as("one trial only").isEmpty();
            assertThat(rig.heard(RouterEvent.Returned.class)).isEmpty();
            rig.healthy("v100");
            assertThat(rig.heard(RouterEvent.Returned.class))
                    .as("a status is no trial result")
                    .isEmpty();
            trial.succeed();
            assertThat(rig.heard(RouterEvent.Returned.class)).containsExactly(new RouterEvent.Returned("v100", false));
        }
    }

    @Test
    @DisplayName("a bad status does not turn into an ejection, nor an ejection into a bad status [J40]")
    void healthAndEjectionAreKeptApart() {
        try (Rig rig = new Rig(ejecting(pool(4, "v100")))) {
            for (int i = 0; i < 10; i++) {
                rig.loaded("v100");
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            rig.healthy("v100");
            rig.eject("v100");
            rig.time.advance(rig.outFor("v100"));
            rig.loaded("v100");
            assertThat(rig.router.tryPlace(WORK))
                    .as("its window is over, and it is loaded")
                    .isEmpty();
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).isEmpty();
            rig.healthy("v100");
            rig.place().succeed();
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
        }
    }

    // J41

    @Test
    @DisplayName("after each return exactly as many faults as the limit says eject again [J41]")
    void everyEjectionTakesAsManyFaults() {
        try (Rig rig = new Rig(ejecting(pool(4, "v100")))) {
            for (int ejections = 0; ejections < 4; ejections++) {
                for (int fault = 1; fault <= 3; fault++) {
                    assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(ejections);
                    rig.fault();
                }
                assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(ejections + 1);
                rig.time.advance(rig.outFor("v100"));
                rig.place().succeed();
                assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(ejections + 1);
                rig.freshen();
            }
        }
    }

    @Test
    @DisplayName("the same holds on the way back, while the ramp still limits it [J41]")
    void faultsCountOnTheRampToo() {
        try (Rig rig = new Rig(
                pool(4, "v100").ejection(ejection().ramp(Duration.ofMinutes(5)).build()))) {
            rig.eject("v100");
            rig.time.advance(rig.outFor("v100"));
            rig.place().succeed();
            for (int fault = 1; fault <= 3; fault++) {
                assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
                rig.fault();
                rig.freshen();
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(2);
        }
    }

    @Test
    @DisplayName(
            "an operator's reset forgets all: the next ejection takes the full count and lasts as long as the first [J41]")
    void aResetForgetsAll() {
        try (Rig rig = new Rig(ejecting(pool(4, "v100")))) {
            rig.eject("v100");
            rig.router.reset("v100");
            rig.fault();
            rig.fault();
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
            rig.fault();
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(2);
            assertThat(rig.outFor("v100"))
                    .isLessThanOrEqualTo(WINDOW.multipliedBy(115).dividedBy(100));
        }
    }

    // J43

    static Stream<Arguments> waysToGiveUp() {
        return Stream.of(
                arguments("the placement is closed", (Consumer<Rig>)
                        rig -> rig.place().close()),
                arguments("the work is cancelled", (Consumer<Rig>) rig -> {
                    try (Placement placement = rig.place()) {
                        placement.fail(new CancellationException());
                    }
                }),
                arguments("the caller is interrupted", (Consumer<Rig>) rig -> {
                    try (Placement placement = rig.place()) {
                        placement.fail(new InterruptedException());
                    }
                }),
                arguments("a channel is closed by the caller's interrupt", (Consumer<Rig>) rig -> {
                    try (Placement placement = rig.place()) {
                        placement.fail(new UncheckedIOException(new ClosedByInterruptException()));
                    }
                }),
                arguments("a stream is ended by the caller's interrupt", (Consumer<Rig>) rig -> {
                    try (Placement placement = rig.place()) {
                        placement.fail(new InterruptedIOException("interrupted"));
                    }
                }),
                arguments("a call is interrupted", (Consumer<Rig>)
                        rig -> assertThatThrownBy(() -> rig.router.call(WORK, placement -> {
                                    throw new InterruptedException();
                                }))
                                .isInstanceOf(InterruptedException.class)),
                arguments("an asynchronous call is cancelled", (Consumer<Rig>) rig -> rig.router
                        .callAsync(WORK, placement -> new CompletableFuture<>())
                        .cancel(true)),
                arguments("a stage is cancelled behind a wrapper", (Consumer<Rig>) rig -> rig.router.callAsync(
                        WORK,
                        placement ->
                                CompletableFuture.failedFuture(new CompletionException(new CancellationException())))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waysToGiveUp")
    @DisplayName("a caller that gives up is no fault of the substrate, however often [J43]")
    void givingUpIsNoFaultOfTheSubstrate(String how, Consumer<Rig> giveUp) {
        try (Rig rig = new Rig(ejecting(pool(4, "v100")))) {
            rig.fault();
            rig.fault(); // one short of the limit
            for (int i = 0; i < 10; i++) {
                giveUp.accept(rig);
                rig.time.advance(SECOND);
                rig.freshen();
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            assertThat(rig.leases()).isZero();
            rig.fault();
            assertThat(rig.heard(RouterEvent.Ejected.class))
                    .as("and it is no success either")
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName(
            "a deadline that passes while the substrate has the request is its fault, unless the host says otherwise [J43]")
    void whatADeadlineMeansCanBeConfigured() {
        for (Exception late : List.of(
                new TimeoutException(),
                new SocketTimeoutException("Read timed out"),
                new InterruptedIOException("timeout"))) {
            FaultClassifier mine = failure -> failure == late ? FaultKind.NEUTRAL : FaultKind.NODE;
            try (Rig standard = new Rig(ejecting(pool(20, "v100")));
                    Rig configured = new Rig(ejecting(pool(20, "v100")), builder -> builder.faultClassifier(mine))) {
                for (int i = 0; i < 3; i++) {
                    standard.place().fail(late);
                    configured.place().fail(late);
                }
                assertThat(standard.heard(RouterEvent.Ejected.class))
                        .as("%s", late)
                        .hasSize(1);
                assertThat(configured.heard(RouterEvent.Ejected.class)).isEmpty();
            }
        }
    }

    // J44

    @Test
    @DisplayName(
            "a substrate that fails every other time is not ejected by the faults in a row but by those of the last ten [J44]")
    void everyOtherFaultTripsTheOtherRule() {
        try (Rig rig = new Rig(ejecting(pool(20, "v100")))) {
            int faults = 0;
            while (rig.heard(RouterEvent.Ejected.class).isEmpty()) {
                rig.fault();
                faults++;
                if (rig.heard(RouterEvent.Ejected.class).isEmpty()) {
                    rig.place().succeed();
                }
                rig.freshen();
            }
            assertThat(faults).isEqualTo(5);
            assertThat(rig.heard(RouterEvent.Ejected.class)).singleElement().satisfies(ejected -> {
                assertThat(ejected.rule()).contains("last 10");
                assertThat(ejected.observed()).isEqualTo(5);
                assertThat(ejected.limit()).isEqualTo(5);
            });
        }
    }

    @Test
    @DisplayName("a substrate that fails every third time is never ejected [J44]")
    void everyThirdFaultTripsNothing() {
        try (Rig rig = new Rig(ejecting(pool(20, "v100")))) {
            for (int i = 0; i < 300; i++) {
                if (i % 3 == 0) {
                    rig.fault();
                    rig.freshen();
                } else {
                    rig.place().succeed();
                }
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
        }
    }

    @Test
    @DisplayName("three faults spread over a day are forgotten one after the other [J44]")
    void faultsOfLongAgoAreForgotten() {
        try (Rig rig = new Rig(ejecting(pool(20, "v100")))) {
            for (int i = 0; i < 20; i++) {
                rig.fault();
                rig.time.advance(Duration.ofHours(6));
                rig.freshen();
            }
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
        }
    }

    // J46

    @Test
    @DisplayName("a reload during a fallback changes nothing; when the primary recovers it is back exactly once [J46]")
    void theWayBackIsTakenOnce() {
        try (Rig rig = new Rig(ejecting(pool(20, "v100", "legion")))) {
            rig.place().succeed();
            rig.loaded("v100");
            for (int i = 0; i < 5; i++) {
                assertThat(served(rig)).isEqualTo("legion");
            }
            Policy wider = ejecting(pool(20, "v100", "legion", "rented")).build();
            rig.router.reload(wider);
            rig.healthy("rented");
            for (int i = 0; i < 5; i++) {
                assertThat(served(rig))
                        .as("the verdict on the primary survives the reload")
                        .isEqualTo("legion");
            }
            assertThat(rig.heard(RouterEvent.Recovered.class)).isEmpty();
            rig.healthy("v100");
            for (int i = 0; i < 5; i++) {
                assertThat(served(rig)).isEqualTo("v100");
                rig.router.reload(wider);
            }
            assertThat(rig.heard(RouterEvent.Recovered.class))
                    .containsExactly(new RouterEvent.Recovered("work", "v100"));
            assertThat(rig.heard(RouterEvent.FellBack.class)).hasSize(10);
        }
    }

    @Test
    @DisplayName("an ejection survives reloads with its end, and its faults are not counted anew [J46]")
    void anEjectionSurvivesAReload() {
        try (Rig rig = new Rig(ejecting(pool(20, "v100", "legion")))) {
            rig.fault();
            rig.fault();
            rig.router.reload(rig.router.policy());
            rig.freshen();
            assertThat(rig.fault()).isEqualTo("v100");
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
            Duration out = rig.outFor("v100");
            rig.router.reload(ejecting(pool(10, "v100", "legion", "rented")).build());
            rig.freshen();
            assertThat(rig.outFor("v100")).isEqualTo(out);
            assertThat(served(rig)).isEqualTo("legion");
        }
    }

    private static String served(Rig rig) {
        try (Placement placement = rig.place()) {
            placement.succeed();
            return placement.substrateId();
        }
    }

    // J47

    @Test
    @DisplayName("repeated equal statuses do not restart the time of recovery [J47]")
    void equalStatusesDoNotRestartTheRecovery() {
        Policy.Builder policy = pool(4, "v100")
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofDays(1))
                        .recoveryWindow(Duration.ofSeconds(10))
                        .build());
        try (Rig rig = new Rig(policy)) {
            rig.loaded("v100");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(Duration.ofMinutes(5)));
            for (int second = 0; second < 10; second++) {
                rig.time.advance(SECOND);
                rig.healthy("v100");
                rig.healthy("v100");
                assertThat(waiter).as("second %d", second).isNotDone();
            }
            rig.time.advance(SECOND);
            rig.healthy("v100");
            assertThat(waiter).isCompleted();
        }
    }

    @Test
    @DisplayName("repeated equal statuses do not restart a waiter's time, an ejection, a busy mark or a trial [J47]")
    void equalStatusesRestartNoOtherTime() {
        try (Rig rig = new Rig(ejecting(pool(1, "v100")))) {
            rig.eject("v100");
            Duration out = rig.outFor("v100");
            for (int i = 0; i < 20; i++) {
                rig.healthy("v100");
                rig.router.reload(rig.router.policy());
            }
            assertThat(rig.outFor("v100")).isEqualTo(out);
            rig.time.advance(out);

            rig.place(); // the trial, which stays silent for a minute
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(Duration.ofSeconds(40)));
            for (int second = 0; second < 40; second++) {
                assertThat(waiter).isNotDone();
                rig.time.advance(SECOND);
                rig.healthy("v100");
            }
            assertThat(refusal(waiter).reason()).isEqualTo(RefusalReason.WAIT_EXPIRED);
            for (int second = 40; second < 60; second++) {
                assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(1);
                rig.healthy("v100");
                rig.time.advance(SECOND);
            }
            rig.healthy("v100");
            assertThat(rig.heard(RouterEvent.Ejected.class))
                    .as("silence is a fault")
                    .hasSize(2);
        }
    }

    // J49

    @Test
    @DisplayName("a substrate that fails fast is out after the limit and gets next to nothing of the work [J49]")
    void failingFastAttractsNoWork() throws Exception {
        try (Rig rig = new Rig(ejecting(pool(4, "v100", "legion")))) {
            Map<String, Integer> attempts = new HashMap<>();
            for (int i = 0; i < 2_000; i++) {
                rig.time.advance(Duration.ofMillis(100));
                String answer = rig.router.call(WORK, placement -> {
                    attempts.merge(placement.substrateId(), 1, Integer::sum);
                    if (placement.substrateId().equals("v100")) {
                        throw new IOException("connection reset");
                    }
                    return "done";
                });
                assertThat(answer).isEqualTo("done");
                rig.freshen();
            }
            assertThat(attempts.get("legion")).isEqualTo(2_000);
            assertThat(attempts.get("v100")).isBetween(3, 12); // the three faults, and a trial after each window
        }
    }

    @Test
    @DisplayName("work that is never answered counts against its substrate at once [J49]")
    void silenceCountsAtOnce() {
        try (Rig rig = new Rig(ejecting(pool(3, "v100", "legion")))) {
            for (int i = 1; i <= 3; i++) {
                rig.router.callAsync(WORK, placement -> new CompletableFuture<>());
                rig.freshen(); // the status of a substrate that hangs says that it is idle
                assertThat(rig.leases("v100")).isEqualTo(i);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(rig.place().substrateId()).isEqualTo("legion");
            }
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
        }
    }

    // J50

    @Test
    @DisplayName("of 50 requests between two statuses each substrate gets as many as it has slots [J50]")
    void aBurstBetweenTwoStatusesIsSpreadByOwnCount() {
        Deque<Runnable> later = new ArrayDeque<>();
        AtomicReference<Executor> executor = new AtomicReference<>(Runnable::run);
        Policy.Builder policy = pool(3, "v100", "legion", "rented")
                .queue(QueueLimits.builder().capacity(100).build());
        try (Rig rig = new Rig(
                policy, builder -> builder.executor(task -> executor.get().execute(task)))) {
            List<CompletableFuture<Placement>> futures = new ArrayList<>();
            rig.router.cordon("v100");
            rig.router.cordon("legion");
            rig.router.cordon("rented");
            for (int i = 0; i < 50; i++) {
                futures.add(rig.router.placeAsync(WORK));
            }
            executor.set(later::add); // what is granted from here on is not told, let alone started
            rig.router.uncordon("v100");
            rig.router.uncordon("legion");
            rig.router.uncordon("rented");
            assertThat(futures).noneMatch(CompletableFuture::isDone);
            for (String id : List.of("v100", "legion", "rented")) {
                assertThat(rig.leases(id)).as(id).isEqualTo(3);
            }
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            executor.set(Runnable::run);
            while (!later.isEmpty()) {
                later.poll().run();
            }
            assertThat(futures.stream().filter(CompletableFuture::isDone)).hasSize(9);
            Map<String, Integer> spread = new HashMap<>();
            futures.stream()
                    .filter(CompletableFuture::isDone)
                    .forEach(future -> spread.merge(future.join().substrateId(), 1, Integer::sum));
            assertThat(spread).isEqualTo(Map.of("v100", 3, "legion", 3, "rented", 3));
        }
    }

    @Test
    @DisplayName("what a status says of own work is not counted twice, and work of others is added to it [J50]")
    void ownAndForeignLoadAddUp() {
        Policy.Builder policy =
                pool(4, "v100").workload(Workload.builder("other").route("v100").build());
        try (Rig rig = new Rig(policy)) {
            rig.place();
            rig.place(WORK.prefer("v100"));
            rig.router.reportStatus(
                    "v100", Statuses.healthy(24).runningJobs(1).queuedJobs(2).build());
            // two of the three are own, so one slot is left
            rig.place(RouteRequest.workload("other"));
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
        }
    }
}
