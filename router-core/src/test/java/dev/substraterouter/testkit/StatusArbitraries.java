package dev.substraterouter.testkit;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Statuses that the substrates of a policy may report, drawn from the limits that the policy gives each of them: what is healthy here is
 * healthy by that policy. Of several GPUs a status tells each or the sums alone. Stateless and thread-safe.
 */
public final class StatusArbitraries {
    private static final Arbitrary<Double> NEAR =
            Arbitraries.doubles().between(0, 1).ofScale(2);
    private static final Arbitrary<Boolean> EITHER = Arbitraries.of(false, true);

    private StatusArbitraries() {}

    /** Any status: mostly healthy, else degraded in one way, or partly unknown. */
    public static Arbitrary<SubstrateStatus> any(Policy policy, Substrate substrate) {
        return Arbitraries.frequencyOf(
                Tuple.of(5, healthy(policy, substrate)),
                Tuple.of(3, degraded(policy, substrate)),
                Tuple.of(2, partlyUnknown(policy, substrate)));
    }

    /** Statuses of an empty substrate that pass every limit of its gate, margins included. */
    public static Arbitrary<SubstrateStatus> healthy(Policy policy, Substrate substrate) {
        return Combinators.combine(cool(policy, substrate), EITHER)
                .as((figures, each) -> figures.status(policy, substrate, each, Set.of()));
    }

    /**
     * Statuses that are bad in one way: too busy, too hot, full of others' memory or jobs, unreachable, or without a required attribute.
     * Whether that shuts the substrate depends on what its limits require and ignore.
     */
    public static Arbitrary<SubstrateStatus> degraded(Policy policy, Substrate substrate) {
        Figures limits = Figures.limits(policy, substrate);
        int most = substrate.maxConcurrentJobs().orElse(8);
        Arbitrary<Figures> bad = Combinators.combine(
                        cool(policy, substrate), NEAR, Arbitraries.integers().between(0, 5))
                .as((figures, how, what) -> switch (what) {
                    case 0 -> figures.util(between(limits.utilPct(), 100, how));
                    case 1 -> figures.temp(limits.tempC() + 20 * how);
                    case 2 -> figures.used(0.5 + how / 2);
                    case 3 -> figures.jobs(most + (int) (3 * how));
                    case 4 -> figures.unreachable();
                    default -> figures.withoutAttributes();
                });
        return Combinators.combine(bad, EITHER)
                .as((figures, each) -> figures.status(policy, substrate, each, Set.of()));
    }

    /** Statuses that pass every limit as far as they go, of which one measure or more is missing. */
    public static Arbitrary<SubstrateStatus> partlyUnknown(Policy policy, Substrate substrate) {
        return Combinators.combine(
                        cool(policy, substrate),
                        EITHER,
                        Arbitraries.of(Measure.class).set().ofMinSize(1))
                .as((figures, each, unknown) -> figures.status(policy, substrate, each, unknown));
    }

    /** The least remarkable healthy status of a substrate: cool, idle, empty, with every attribute that is required of it. */
    static SubstrateStatus idle(Policy policy, Substrate substrate) {
        return new Figures(0, 30, 0, 0, true, true).status(policy, substrate, substrate.gpus() > 1, Set.of());
    }

    private static Arbitrary<Figures> cool(Policy policy, Substrate substrate) {
        Figures limits = Figures.healthyAgainBelow(policy, substrate);
        return Combinators.combine(NEAR, NEAR)
                .as((util, temp) -> new Figures(
                        tenths(0.9 * util * limits.utilPct()), tenths(0.9 * temp * limits.tempC()), 0, 0, true, true));
    }

    /** Figures that people can read. */
    private static double tenths(double value) {
        return Math.floor(value * 10) / 10;
    }

    private static double between(double low, double high, double share) {
        return Math.min(high, low + (Math.max(low, high) - low) * share);
    }
}
