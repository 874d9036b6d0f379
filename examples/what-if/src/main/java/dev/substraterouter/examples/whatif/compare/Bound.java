package dev.substraterouter.examples.whatif.compare;

import dev.substraterouter.simulate.Scenario;

/**
 * How well a run could have been placed.
 *
 * @param clairvoyantSeconds the penalised latency of a schedule by somebody who knows everything in advance
 * @param clairvoyantLostPct the share of requests which that schedule leaves out at their charge, percent
 * @param lowestSeconds a penalised latency below which no placement comes
 */
public record Bound(double clairvoyantSeconds, double clairvoyantLostPct, double lowestSeconds) {
    /** Checks the figures. */
    public Bound {
        if (!(clairvoyantSeconds >= 0 && lowestSeconds >= 0 && clairvoyantLostPct >= 0 && clairvoyantLostPct <= 100)) {
            throw new IllegalArgumentException("clairvoyant " + clairvoyantSeconds + " s, " + clairvoyantLostPct
                    + " % lost, lowest " + lowestSeconds + " s (expected: 0 or more, at most 100 %)");
        }
    }

    /** What was charged to a contender as a multiple of the clairvoyant schedule's; 1 where there was nothing to do. */
    double regret(double penalisedSeconds) {
        return clairvoyantSeconds == 0 ? 1 : penalisedSeconds / clairvoyantSeconds;
    }

    /** Finds the bound of one run. */
    @FunctionalInterface
    public interface Source {
        /**
         * The bound.
         *
         * @param run what happens, with the run's seed and load
         */
        Bound of(Scenario run);
    }
}
