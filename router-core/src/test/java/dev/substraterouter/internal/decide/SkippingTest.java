package dev.substraterouter.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.gate.GateState.End;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A decision over many candidates skips those that are shut, and must be the one that a look at each would be. */
class SkippingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int STEPS = 1_500;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void decidesAsALookAtEachWould(long seed) {
        Pool pool = new Pool(new SplittableRandom(seed));
        int skipped = 0;
        for (int step = 0; step < STEPS; step++) {
            pool.step();
            Ask ask = Ask.of(pool.request(), step, pool.now);
            RoutePlan route = Objects.requireNonNull(pool.revision.compiled.route(ask.request()));
            Decision quick = decide(pool, route, ask, null);
            Decision exact = decide(pool, route, ask, new Marks(pool.revision.substrates()));
            assertThat(told(quick)).as("seed %d, step %d", seed, step).isEqualTo(told(exact));
            skipped += quick.placed() || route.many == null ? 0 : 1;
            pool.maybeTake(quick);
        }
        assertThat(skipped).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void isShutOnlyWhatNoTimeOpens(long seed) {
        Pool pool = new Pool(new SplittableRandom(seed));
        int shut = 0;
        for (int step = 0; step < STEPS; step++) {
            pool.step();
            Ask ask = Ask.of(pool.request(), step, pool.now);
            RoutePlan route = Objects.requireNonNull(pool.revision.compiled.route(ask.request()));
            for (CandidatePlan candidate : route.candidates) {
                CellState state = pool.revision.current(candidate.substrate.index);
                for (long later = 0;
                        state.shut() && ask.avoid().isEmpty() && later <= 40 * SECOND;
                        later += 500_000_000L + later / 2) {
                    Reason reason = Check.test(state, candidate, route, ask, null, 0, pool.now + later);
                    assertThat(reason)
                            .as("seed %d, step %d, %s", seed, step, candidate)
                            .isNotNull();
                    assertThat(Check.forGood(Objects.requireNonNull(reason))).isFalse();
                    assertThat(Decision.outFor(state, ask, pool.now + later)).isEqualTo(-1);
                    shut++;
                }
            }
        }
        assertThat(shut).isPositive();
    }

    private static Decision decide(Pool pool, RoutePlan route, Ask ask, @Nullable Marks marks) {
        return Objects.requireNonNull(
                Decider.decide(pool.revision, pool.revision, route, ask, marks, 0, pool.now), "an old revision");
    }

    private static List<Object> told(Decision decision) {
        return List.of(
                decision.placed() ? decision.candidate() : "none",
                decision.considered(),
                decision.placed() || decision.couldCome(),
                decision.placed() ? 0 : decision.allOutFor(),
                decision.placed() ? 0 : decision.retryAfter(),
                decision.placed() ? 0 : decision.unlisted(),
                decision.fellBack(),
                decision.oldestStatusNanos());
    }

    /** Many substrates to which anything happens. */
    private static final class Pool {
        private final SplittableRandom dice;
        private final Map<String, Cell> cells = new ConcurrentHashMap<>();
        private final List<Runnable> ends = new ArrayList<>();
        private final int most;
        private Revision revision;
        private long now;

        Pool(SplittableRandom dice) {
            this.dice = dice;
            this.most = 70 + dice.nextInt(130);
            this.now = dice.nextLong();
            this.revision = Revision.of(policy().withRevision(1), cells, null, dice::nextLong);
        }

        /** Mostly figures that all have; sometimes a need that few can serve. */
        RouteRequest request() {
            Need.Builder need = Need.builder().spansGpus(dice.nextBoolean());
            if (dice.nextInt(4) > 0) {
                need.vramGb(4 + 4 * dice.nextInt(4));
            }
            RouteRequest request = RouteRequest.need(need.build());
            return dice.nextInt(10) > 0 ? request : request.avoid("s" + dice.nextInt(most));
        }

        void step() {
            now += dice.nextInt(20) == 0 ? dice.nextLong(12 * SECOND) : dice.nextLong(SECOND / 20);
            if (dice.nextInt(150) == 0) {
                Map<String, Cell> known = cells;
                revision =
                        Revision.of(policy().withRevision(revision.number + 1), known, revision.book, dice::nextLong);
                ends.clear();
                if (dice.nextBoolean()) {
                    revision.adoptAll();
                }
            }
            boolean storm = dice.nextInt(60) == 0;
            boolean bad = dice.nextInt(3) > 0;
            for (int times = storm ? 2 * most : dice.nextInt(6); times > 0; times--) {
                happen(revision.cell(dice.nextInt(revision.substrates())), bad);
            }
        }

        void maybeTake(Decision decision) {
            Lease lease =
                    decision.placed() && dice.nextBoolean() ? decision.cell().take(decision) : null;
            if (lease != null) {
                Cell cell = decision.cell();
                ends.add(() -> cell.end(lease, end(), dice.nextInt(8) == 0, now));
            }
            if (dice.nextInt(3) == 0 && !ends.isEmpty()) {
                ends.remove(dice.nextInt(ends.size())).run();
            }
        }

        private End end() {
            return switch (dice.nextInt(4)) {
                case 0 -> End.of(FaultKind.NODE, "broken", 0);
                case 1 -> End.of(FaultKind.BUSY, "", dice.nextLong(5 * SECOND));
                default -> End.SUCCEEDED;
            };
        }

        private void happen(Cell cell, boolean bad) {
            switch (dice.nextInt(40)) {
                case 0 -> cell.changeGate(gate -> gate.cordoned("operator"));
                case 1, 2, 3 -> cell.changeGate(gate -> gate.uncordoned(null));
                case 4 -> cell.changeGate(gate -> gate.reset("s"));
                case 5 -> cell.changeGate(gate -> gate.missed("timeout"));
                default ->
                    cell.tell(
                            "source " + dice.nextInt(2),
                            Cell.Asked.byHand(now),
                            now,
                            status(bad),
                            dice.nextInt(20) == 0 ? "no" : null);
            }
        }

        private SubstrateStatus status(boolean bad) {
            SubstrateStatus.Builder status = SubstrateStatus.builder();
            if (dice.nextInt(5) > 0) {
                status.gpuUtilPct(bad ? 90 : dice.nextInt(100));
            }
            if (dice.nextInt(5) > 0) {
                status.gpuTempC(bad ? 90 : dice.nextInt(100));
            }
            if (dice.nextInt(5) > 0) {
                status.vramUsedGb(dice.nextInt(33)).vramTotalGb(32);
            }
            if (dice.nextInt(5) > 0) {
                status.runningJobs(dice.nextInt(3));
            }
            for (int gpu = 0, gpus = 2 * dice.nextInt(2); gpu < gpus; gpu++) {
                status.gpu(GpuStatus.builder(gpu)
                        .utilPct(bad ? 95 : dice.nextInt(100))
                        .vramUsedGb(dice.nextInt(16))
                        .vramTotalGb(16)
                        .build());
            }
            return status.reachable(dice.nextInt(15) > 0)
                    .attribute("driver", dice.nextInt(4) > 0 ? "new" : "old")
                    .build();
        }

        private Policy policy() {
            HealthLimits.Builder health = HealthLimits.builder()
                    .staleAfter(Duration.ofSeconds(10))
                    .onStale(dice.nextInt(3) == 0 ? OnStale.HOLD : OnStale.CLOSED);
            switch (dice.nextInt(4)) {
                case 0 -> health.require(Measure.VRAM);
                case 1 -> health.require();
                case 2 -> health.requireAttributes(Map.of("driver", "new"));
                default -> {}
            }
            Policy.Builder policy = Policy.builder()
                    .health(health.build())
                    .ejection(EjectionLimits.builder().consecutiveFaults(1).build());
            for (int at = 0; at < most; at++) {
                if (dice.nextInt(40) > 0) {
                    policy.substrate(Substrate.builder("s" + at)
                            .kind(dice.nextInt(25) > 0 ? SubstrateKind.LOCAL : SubstrateKind.POOL)
                            .vramGb(32)
                            .gpus(1 + dice.nextInt(2))
                            .maxConcurrentJobs(1 + dice.nextInt(2))
                            .overflow(dice.nextInt(8) == 0)
                            .build());
                }
            }
            return policy.build();
        }
    }
}
