package dev.substraterouter.simulate;

import org.jspecify.annotations.Nullable;

/**
 * One random scenario, run and watched. Also called by reflection, with a router that has a bug.
 */
public final class Harness {
    private Harness() {}

    /** What is wrong with the run of a seed; null: nothing was found. */
    public static @Nullable String run(long seed) {
        ScenarioDraw.Drawn drawn = ScenarioDraw.of(seed);
        InvariantWatch watch = new InvariantWatch(seed, drawn.policy(), drawn.scenario());
        try {
            watch.finish(
                    watch.over(Simulation.of(drawn.policy(), drawn.scenario())).run());
            return null;
        } catch (Broken broken) {
            return broken.getMessage();
        }
    }

    /** The report of a seed, in words. */
    public static String report(long seed) {
        ScenarioDraw.Drawn drawn = ScenarioDraw.of(seed);
        return Simulation.of(drawn.policy(), drawn.scenario()).run().toString();
    }
}
