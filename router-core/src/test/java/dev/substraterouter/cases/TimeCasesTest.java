package dev.substraterouter.cases;

import static dev.substraterouter.cases.CaseRig.WORK;
import static dev.substraterouter.cases.CaseRig.after;
import static dev.substraterouter.cases.CaseRig.on;
import static dev.substraterouter.cases.CaseRig.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks that begin anywhere, jump, and stand still, and limits at the ends of their ranges. */
class TimeCasesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Duration YEAR = Duration.ofDays(365);

    /** Origins near both ends of the range and around zero, so that the clock wraps or changes its sign in the middle of a wait. */
    static Stream<Long> origins() {
        return Stream.of(
                Long.MIN_VALUE,
                Long.MIN_VALUE + 5,
                -Duration.ofSeconds(20).toNanos(),
                -1L,
                0L,
                Long.MAX_VALUE - Duration.ofSeconds(40).toNanos(),
                Long.MAX_VALUE - Duration.ofSeconds(10).toNanos(),
                Long.MAX_VALUE);
    }

    @ParameterizedTest
    @MethodSource("origins")
    @DisplayName("an ejection lasts its time and a trial its own, wherever the clock begins and though it wraps [J61]")
    void ejectionOnAnyClock(long origin) {
        EjectionLimits limits = after(2, Duration.ofSeconds(30))
                .trialTimeout(Duration.ofSeconds(20))
                .ramp(Duration.ofSeconds(12))
                .build();
        try (CaseRig rig = new CaseRig(policy(9, "a").ejection(limits).build(), new HandDrivenTime(origin))) {
            rig.fault("a");
            rig.time.advance(SECOND);
            rig.fault("a");
            Duration left = rig.left("a");
            assertThat(left).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
            rig.time.advance(left.minusNanos(1));
            assertThat(rig.router.tryPlace(WORK)).isEmpty();
            rig.time.advance(Duration.ofNanos(1));
            Placement silent = rig.place(WORK);
            rig.time.advance(Duration.ofSeconds(20).minusNanos(1));
            assertThat(rig.out("a")).isFalse();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(rig.out("a")).isTrue();
            silent.close();
            rig.awaitTrial("a");
            rig.place(WORK).succeed();
            assertThat(rig.router.tryPlace(WORK)).isPresent();
            assertThat(rig.router.tryPlace(WORK)).as("on its way back").isEmpty();
            rig.time.advance(Duration.ofSeconds(12));
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("origins")
    @DisplayName("waits, busy marks, stale statuses and work that may still run end in time on any clock [J61]")
    void otherDeadlinesOnAnyClock(long origin) {
        Policy policy = policy(1, "a")
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofSeconds(15))
                        .build())
                .substrates(
                        Substrate.builder("b").maxConcurrentJobs(1).vramGb(32).build())
                .workloads(Workload.builder("on-b").vramGb(8).route("b").build())
                .ejection(after(100, SECOND).build())
                .build();
        RouteRequest pinned = on("a").maxWait(Duration.ofSeconds(12));
        try (CaseRig rig = new CaseRig(policy, new HandDrivenTime(origin))) {
            rig.idle("a");
            rig.idle("b");
            Placement holder = rig.place(pinned);
            CompletableFuture<Placement> waiter = rig.router.placeAsync(pinned);
            assertThat(rig.router.tryPlace(on("b"))).isPresent();
            rig.time.advance(Duration.ofSeconds(12).minusNanos(1));
            assertThat(waiter).isNotDone();
            rig.time.advance(Duration.ofNanos(1));
            assertThat(waiter).isCompletedExceptionally();

            rig.time.advance(Duration.ofSeconds(3));
            assertThat(rig.view("b").reasons()).noneMatch(finding -> finding.reason() == Reason.STALE_STATUS);
            rig.time.advance(Duration.ofNanos(1));
            assertThat(rig.view("b").reasons()).anyMatch(finding -> finding.reason() == Reason.STALE_STATUS);

            rig.idle("a");
            holder.busy(Duration.ofSeconds(7));
            rig.time.advance(Duration.ofSeconds(7).minusNanos(1));
            assertThat(rig.router.tryPlace(pinned)).isEmpty();
            rig.time.advance(Duration.ofNanos(1));
            Placement failed = rig.place(pinned);
            rig.idle("a");
            rig.time.advance(SECOND);
            failed.nodeFault(new IOException());
            rig.time.advance(Duration.ofSeconds(15).minusNanos(1));
            assertThat(rig.leases("a")).isEqualTo(1);
            rig.time.advance(Duration.ofNanos(1));
            assertThat(rig.leases("a")).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("origins")
    @DisplayName("an unlimited wait waits, and is neither refused at once nor lost [J61]")
    void unlimitedWait(long origin) throws Exception {
        Policy policy = policy(1, "a")
                .ejection(after(1, Duration.ofHours(1)).build())
                .queue(QueueLimits.builder().capacity(10).build())
                .build();
        try (CaseRig rig = new CaseRig(policy, new HandDrivenTime(origin))) {
            for (RouteRequest patient : List.of(
                    WORK.maxWait(FOR_EVER),
                    WORK.deadline(FOR_EVER).maxWait(FOR_EVER),
                    WORK.maxWait(Duration.ofNanos(Long.MAX_VALUE)))) {
                Placement holder = rig.place(WORK);
                CompletableFuture<Placement> waiter = rig.router.placeAsync(patient);
                rig.time.advance(Duration.ofDays(3));
                assertThat(waiter).isNotDone();
                holder.succeed();
                assertThat(waiter).isCompleted();
                waiter.join().nodeFault(new IOException());
                CompletableFuture<Placement> outlasts = rig.router.placeAsync(patient);
                assertThat(outlasts).isNotDone();
                rig.idle("a");
                rig.time.advance(Duration.ofHours(1));
                outlasts.join().succeed();
                rig.time.advance(Duration.ofMinutes(1));
            }
            assertThat(rig.router.awaitReady(FOR_EVER)).isTrue();
            assertThat(rig.router.shutdown(FOR_EVER)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("origins")
    @DisplayName("a worker that says it is full for ever is left alone, until it says otherwise [J61]")
    void fullForEver(long origin) {
        for (Duration word : List.of(FOR_EVER, Duration.ofNanos(Long.MAX_VALUE))) {
            try (CaseRig rig = new CaseRig(policy(1, "a").build(), new HandDrivenTime(origin))) {
                rig.place(WORK).busy(word);
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
                rig.time.advance(Duration.ofDays(3));
                assertThat(rig.router.tryPlace(WORK)).isEmpty();
                rig.idle("a");
                assertThat(rig.router.tryPlace(WORK)).isPresent();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000001S", "PT0.01S", "PT10S"})
    @DisplayName("who was held up between reading the clock and deciding decides well on what has happened since [J61]")
    void heldUpAfterReadingTheClock(Duration ramp) {
        HandDrivenTime time = new HandDrivenTime();
        Interrupted clock = new Interrupted(time);
        Policy policy =
                policy(20, "a").ejection(after(1, SECOND).ramp(ramp).build()).build();
        try (CaseRig rig = new CaseRig(
                policy, time, SubstrateRouter.builder().timeSource(clock).executor(Runnable::run))) {
            rig.eject("a");
            rig.awaitTrial("a");
            Placement trial = rig.place(WORK);
            clock.meanwhile(() -> {
                time.advance(Duration.ofSeconds(20));
                trial.succeed();
            });
            rig.router.tryPlace(WORK).ifPresent(Placement::succeed);
            clock.meanwhile(() -> {
                time.advance(Duration.ofSeconds(20));
                rig.eject("a");
                rig.awaitTrial("a");
                rig.place(WORK).succeed();
            });
            rig.router.tryPlace(WORK).ifPresent(Placement::succeed);
            clock.meanwhile(() -> {
                time.advance(Duration.ofMinutes(20));
                rig.idle("a");
            });
            assertThat(rig.router.tryPlace(WORK)).isPresent();
        }
    }

    @Test
    @DisplayName(
            "when the clock jumps by an hour no lease is called overdue, statuses are stale, and one round of them heals it [J62]")
    void jumpAhead() {
        try (CaseRig rig = new CaseRig(Policies.smallest())) {
            reportAll(rig);
            RouteRequest dev = RouteRequest.workload("flux-dev");
            List<Placement> open = List.of(rig.place(dev), rig.place(dev), rig.place(dev));
            rig.time.advance(SECOND);
            reportAll(rig);

            rig.time.jump(Duration.ofHours(1));
            rig.time.advance(Duration.ofSeconds(30));
            assertThat(rig.heard(RouterEvent.LeaseOverdue.class)).isEmpty();
            assertThat(rig.heard(RouterEvent.StatusLost.class))
                    .as("each substrate once")
                    .extracting(RouterEvent.StatusLost::substrateId)
                    .containsExactlyInAnyOrder("mirrorforge", "legion");
            assertThat(rig.heard(RouterEvent.Ejected.class)).isEmpty();
            assertThat(rig.leases("mirrorforge") + rig.leases("legion")).isEqualTo(3);
            open.forEach(Placement::succeed);
            assertThat(rig.router.tryPlace(dev)).isEmpty();
            assertThat(rig.view("legion").verdict().reason()).contains("stale");

            reportAll(rig);
            assertThat(rig.router.tryPlace(dev)).isPresent();
            rig.time.advance(Duration.ofSeconds(10));
            assertThat(rig.heard(RouterEvent.StatusLost.class)).hasSize(2);
        }
    }

    @Test
    @DisplayName("a lease that is truly open for long is reported once, and stays [J62]")
    void trulyOverdue() {
        try (CaseRig rig = new CaseRig(policy(2, "a").build())) {
            rig.place(WORK);
            rig.time.advance(Duration.ofMinutes(9));
            assertThat(rig.heard(RouterEvent.LeaseOverdue.class)).isEmpty();
            rig.time.advance(Duration.ofHours(2));
            assertThat(rig.heard(RouterEvent.LeaseOverdue.class)).hasSize(1);
            assertThat(rig.leases("a")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("who waited through a jump is served or refused after it, not forgotten [J62]")
    void waitersOutliveAJump() {
        try (CaseRig rig = new CaseRig(policy(1, "a")
                .ejection(after(1, Duration.ofSeconds(30)).build())
                .build())) {
            Placement holder = rig.place(WORK);
            CompletableFuture<Placement> hasty = rig.router.placeAsync(WORK);
            CompletableFuture<Placement> patient = rig.router.placeAsync(WORK.maxWait(Duration.ofDays(1)));
            rig.time.jump(Duration.ofHours(1));
            assertThat(hasty).isCompletedExceptionally();
            assertThat(patient).isNotDone();
            holder.succeed();
            assertThat(patient).isCompleted();
            patient.join().nodeFault(new IOException());
            CompletableFuture<Placement> third = rig.router.placeAsync(WORK.maxWait(Duration.ofDays(1)));
            assertThat(third).isNotDone();
            rig.time.jump(Duration.ofHours(1));
            assertThat(third).as("the ejection has ended meanwhile").isCompleted();
        }
    }

    @Test
    @DisplayName("a jump of the wall clock changes nothing but what people read [J62]")
    void wallClockJumps() {
        for (Duration jump : List.of(Duration.ofDays(400), Duration.ofDays(-400))) {
            try (CaseRig rig = new CaseRig(Policies.smallestBuilder()
                    .ejection(after(1, Duration.ofSeconds(10)).build())
                    .build())) {
                reportAll(rig);
                RouteRequest fill = RouteRequest.workload("flux-fill");
                Placement onLegion = rig.place(fill);
                onLegion.nodeFault(new IOException());
                reportAll(rig);
                Duration left = rig.left("legion");
                List<Placement> rest = rig.takeAll(fill);
                CompletableFuture<Placement> waiter = rig.router.placeAsync(fill);
                rig.time.setWall(rig.time.wall().plus(jump));
                assertThat(rig.left("legion")).isEqualTo(left);
                assertThat(rig.view("mirrorforge").statusAge()).contains(Duration.ZERO);
                rig.time.advance(left.minusNanos(1));
                assertThat(waiter).isNotDone();
                assertThat(rig.heard(RouterEvent.StatusLost.class)).isEmpty();
                rig.time.advance(Duration.ofNanos(1));
                assertThat(waiter.join().substrateId()).isEqualTo("legion");
                rest.forEach(Placement::succeed);
                assertThat(rig.heard(RouterEvent.LeaseOverdue.class)).isEmpty();
            }
        }
    }

    /** A policy with one limit, or many, at an end of its range. */
    private record Extreme(String name, Policy policy) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Extreme> extremes() {
        List<Extreme> all = new ArrayList<>();
        ejection(all, "consecutive_faults 1", limits -> limits.consecutiveFaults(1));
        ejection(all, "consecutive_faults most", limits -> limits.consecutiveFaults(1_000_000));
        ejection(all, "faults_of_last 1 of 1", limits -> limits.faultsOfLast(1, 1));
        ejection(all, "faults_of_last 1 of 64", limits -> limits.faultsOfLast(1, 64));
        ejection(all, "faults_of_last 64 of 64", limits -> limits.faultsOfLast(64, 64));
        ejection(all, "window least", limits -> limits.window(Duration.ofMillis(1))
                .maxWindow(Duration.ofMillis(1)));
        ejection(all, "window most", limits -> limits.window(YEAR).maxWindow(YEAR));
        ejection(all, "max_window most", limits -> limits.maxWindow(YEAR));
        ejection(all, "trial_timeout least", limits -> limits.trialTimeout(Duration.ofMillis(1)));
        ejection(all, "trial_timeout most", limits -> limits.trialTimeout(YEAR));
        ejection(all, "ramp 0", limits -> limits.ramp(Duration.ZERO));
        ejection(all, "ramp 1 ns", limits -> limits.ramp(Duration.ofNanos(1)));
        ejection(all, "ramp most", limits -> limits.ramp(YEAR));
        ejection(all, "forget_after least", limits -> limits.forgetAfter(Duration.ofMillis(1)));
        ejection(all, "forget_after most", limits -> limits.forgetAfter(YEAR));
        queue(all, "capacity 0", limits -> limits.capacity(0));
        queue(all, "capacity 1", limits -> limits.capacity(1));
        queue(all, "capacity most", limits -> limits.capacity(100_000));
        queue(all, "retry_every least", limits -> limits.retryEvery(Duration.ofMillis(1)));
        queue(all, "retry_every most", limits -> limits.retryEvery(YEAR));
        queue(all, "max_wait 0", limits -> limits.maxWait(Duration.ZERO));
        queue(all, "max_wait 1 ns", limits -> limits.maxWait(Duration.ofNanos(1)));
        queue(all, "max_wait most", limits -> limits.maxWait(YEAR));
        queue(all, "ages_after least", limits -> limits.agesAfter(Duration.ofMillis(1)));
        queue(all, "ages_after most", limits -> limits.agesAfter(YEAR));
        queue(all, "hold_after 0", limits -> limits.holdAfter(Duration.ZERO));
        queue(all, "hold_after most", limits -> limits.holdAfter(YEAR));
        health(all, "poll least", Duration.ofMillis(10), limits -> limits.staleAfter(Duration.ofMillis(20)));
        health(all, "poll and stale_after most", YEAR.dividedBy(2), limits -> limits.staleAfter(YEAR));
        health(all, "max_gpu_util_pct least", SECOND, limits -> limits.maxGpuUtilPct(1)
                .gpuUtilMarginPct(0));
        health(all, "max_gpu_util_pct most", SECOND, limits -> limits.maxGpuUtilPct(101)
                .gpuUtilMarginPct(100));
        health(all, "max_gpu_temp_c least", SECOND, limits -> limits.maxGpuTempC(1)
                .gpuTempMarginC(0));
        health(all, "max_gpu_temp_c most", SECOND, limits -> limits.maxGpuTempC(200)
                .gpuTempMarginC(100));
        health(all, "degraded_after, healthy_after most", SECOND, limits -> limits.degradedAfter(1_000_000)
                .healthyAfter(1_000_000)
                .recoveryWindow(YEAR));
        substrate(all, "one job", substrate -> substrate.maxConcurrentJobs(1));
        substrate(all, "most jobs", substrate -> substrate.maxConcurrentJobs(1_000_000));
        substrate(all, "reserve_for_high all", substrate -> substrate.reserveForHigh(2));
        substrate(all, "util_per_job_pct 0", substrate -> substrate.utilPerJobPct(0));
        substrate(all, "64 gpus", substrate -> substrate.vramGb(1 << 20).gpus(64));
        substrate(all, "least memory", substrate -> substrate.vramGb(0.001));
        substrate(all, "all memory kept free", substrate -> substrate.vramGb(32).keepFreeGb(32));
        candidate(all, "expected_latency 1 ns", candidate -> candidate.expectedLatency(Duration.ofNanos(1)));
        candidate(all, "expected_latency and load_time most", candidate -> candidate
                .expectedLatency(YEAR)
                .loadTime(YEAR));
        all.add(new Extreme(
                "everything least",
                base(
                                1,
                                EjectionLimits.builder()
                                        .consecutiveFaults(1)
                                        .faultsOfLast(1, 1)
                                        .window(Duration.ofMillis(1))
                                        .maxWindow(Duration.ofMillis(1))
                                        .trialTimeout(Duration.ofMillis(1))
                                        .ramp(Duration.ZERO)
                                        .forgetAfter(Duration.ofMillis(1)))
                        .queue(QueueLimits.builder()
                                .capacity(0)
                                .retryEvery(Duration.ofMillis(1))
                                .maxWait(Duration.ZERO)
                                .agesAfter(Duration.ofMillis(1))
                                .holdAfter(Duration.ZERO)
                                .build())
                        .build()));
        all.add(new Extreme(
                "everything most",
                base(
                                1_000_000,
                                EjectionLimits.builder()
                                        .consecutiveFaults(1_000_000)
                                        .faultsOfLast(64, 64)
                                        .window(YEAR)
                                        .maxWindow(YEAR)
                                        .trialTimeout(YEAR)
                                        .ramp(YEAR)
                                        .forgetAfter(YEAR))
                        .queue(QueueLimits.builder()
                                .capacity(100_000)
                                .retryEvery(YEAR)
                                .maxWait(YEAR)
                                .agesAfter(YEAR)
                                .holdAfter(YEAR)
                                .build())
                        .build()));
        all.add(new Extreme(
                "its own places, none",
                base(2, EjectionLimits.builder())
                        .workloads(Workload.builder("own")
                                .route("a")
                                .queue(WorkloadQueue.builder()
                                        .capacity(0)
                                        .maxWait(Duration.ZERO)
                                        .build())
                                .build())
                        .build()));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("extremes")
    @DisplayName("every limit works at both ends of its range [J64]")
    void extremes(Extreme extreme) throws Exception {
        for (long origin : new long[] {0, Long.MAX_VALUE - Duration.ofSeconds(1).toNanos()}) {
            HandDrivenTime time = new HandDrivenTime(origin);
            try (CaseRig rig = new CaseRig(
                    extreme.policy(),
                    time,
                    SubstrateRouter.builder()
                            .timeSource(time)
                            .executor(Runnable::run)
                            .recentTraces(0))) {
                for (Duration pause : List.of(Duration.ZERO, Duration.ofMillis(5), Duration.ofSeconds(3))) {
                    for (int round = 0; round < 4; round++) {
                        liveThrough(rig, pause);
                    }
                }
                rig.router.reset("a");
                rig.router.reload(extreme.policy());
                assertThat(rig.router.shutdown(Duration.ZERO)).isTrue();
            }
        }
    }

    /** All that may happen to a router: nothing throws, and everything comes back. */
    private static void liveThrough(CaseRig rig, Duration pause) {
        rig.idle("a");
        List<Placement> open = new ArrayList<>();
        List<CompletableFuture<Placement>> asked = new ArrayList<>();
        for (Priority priority : Priority.values()) {
            RouteRequest request = WORK.priority(priority);
            asked.add(rig.router.placeAsync(request));
            asked.add(rig.router.placeAsync(request.maxWait(Duration.ZERO)));
            asked.add(rig.router.placeAsync(request.deadline(SECOND)));
            try {
                rig.router.tryPlace(request).ifPresent(open::add);
            } catch (RoutingException never) {
                assertThat(never).hasMessageContaining("could ever serve");
            }
        }
        rig.time.advance(pause);
        rig.router.substrates();
        rig.router.routes();
        for (int way = 0; way < open.size(); way++) {
            end(open.get(way), way);
            rig.time.advance(pause);
        }
        rig.router.cordon("a");
        rig.router.uncordon("a");
        // nobody waits for ever: who was granted a place gives it back, who was not withdraws
        for (int way = 0; way < asked.size(); way++) {
            CompletableFuture<Placement> one = asked.get(way);
            if (!one.cancel(false) && !one.isCompletedExceptionally()) {
                end(one.join(), way);
            }
            rig.time.advance(pause);
        }
        rig.idle("a");
        assertThat(rig.leases("a")).isZero();
        assertThat(rig.router.routes()).allMatch(route -> route.waiting() == 0);
    }

    private static void end(Placement placement, int way) {
        switch (way % 4) {
            case 0 -> placement.succeed();
            case 1 -> placement.nodeFault(new IOException());
            case 2 -> placement.busy(Duration.ofNanos(1));
            default -> placement.close();
        }
    }

    private static Policy.Builder base(int jobs, EjectionLimits.Builder ejection) {
        return policy(jobs, "a").ejection(ejection.build());
    }

    private static void ejection(List<Extreme> all, String name, UnaryOperator<EjectionLimits.Builder> change) {
        all.add(new Extreme(
                name, base(2, change.apply(EjectionLimits.builder())).build()));
    }

    private static void queue(List<Extreme> all, String name, UnaryOperator<QueueLimits.Builder> change) {
        all.add(new Extreme(
                name,
                base(2, EjectionLimits.builder())
                        .queue(change.apply(QueueLimits.builder()).build())
                        .build()));
    }

    private static void health(
            List<Extreme> all, String name, Duration poll, UnaryOperator<HealthLimits.Builder> change) {
        all.add(new Extreme(
                name,
                base(2, EjectionLimits.builder())
                        .poll(PollSettings.builder().every(poll).build())
                        .health(change.apply(HealthLimits.builder()).build())
                        .build()));
    }

    private static void substrate(List<Extreme> all, String name, UnaryOperator<Substrate.Builder> change) {
        all.add(new Extreme(
                name,
                Policy.builder()
                        .substrates(
                                change.apply(Substrate.builder("a").vramGb(32).maxConcurrentJobs(2))
                                        .build())
                        .workloads(Workload.builder("work").vramGb(8).route("a").build())
                        .build()));
    }

    private static void candidate(List<Extreme> all, String name, UnaryOperator<Candidate.Builder> change) {
        all.add(new Extreme(
                name,
                Policy.builder()
                        .substrates(Substrate.builder("a").maxConcurrentJobs(2).build())
                        .workloads(Workload.builder("work")
                                .route(change.apply(Candidate.builder("a")).build())
                                .build())
                        .build()));
    }

    private static void reportAll(CaseRig rig) {
        rig.router.reportStatus("mirrorforge", Statuses.idle(64));
        rig.router.reportStatus("legion", Statuses.idle(32));
    }

    /** A clock whose reader may be held up after it has read, while something else happens. */
    private static final class Interrupted implements TimeSource {
        private final HandDrivenTime time;
        private final AtomicReference<Runnable> meanwhile = new AtomicReference<>();

        Interrupted(HandDrivenTime time) {
            this.time = time;
        }

        void meanwhile(Runnable happens) {
            meanwhile.set(happens);
        }

        @Override
        public long nanos() {
            long now = time.nanos();
            Runnable happens = meanwhile.getAndSet(null);
            if (happens != null) {
                happens.run();
            }
            return now;
        }

        @Override
        public Instant wall() {
            return time.wall();
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task);
        }
    }
}
