package dev.substraterouter.examples.whatif.compare;

import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleConsumer;

/**
 * Runs several entrants on the same requests: each seed at each load, one run after the other. Requests, service times and background of a
 * seed are the same for all of them, so differences are taken run by run. What is kept does not grow with the length of the runs.
 *
 * <pre>{@code
 * Results results = Comparison.of(scenario).entrants(entrants).seeds(20).loads(0.5, 1).run();
 * Estimate gain = results.difference("pin", "router", 1, Measure.PENALISED_LATENCY);
 * }</pre>
 */
public final class Comparison {
    private final Scenario scenario;
    private final List<Entrant> entrants = new ArrayList<>();
    private long firstSeed;
    private int seeds = 10;
    private List<Double> loads = List.of(1.0);
    private Runner runner = Comparison::simulate;
    private Progress progress = (entrant, load, seed, done) -> {};

    private Comparison(Scenario scenario) {
        this.scenario = Objects.requireNonNull(scenario, "scenario");
        this.firstSeed = scenario.seed();
    }

    /** A comparison without entrants yet; ten seeds from the scenario's, at its own load. */
    public static Comparison of(Scenario scenario) {
        return new Comparison(scenario);
    }

    /** More entrants. */
    public Comparison entrants(List<Entrant> more) {
        entrants.addAll(more);
        return this;
    }

    /** The seed of the first run; the next ones follow it. Default the scenario's. */
    public Comparison firstSeed(long value) {
        firstSeed = value;
        return this;
    }

    /**
     * How many seeds; default 10.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Comparison seeds(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("seeds: " + value + " (expected: 1 or more)");
        }
        seeds = value;
        return this;
    }

    /**
     * The loads, as multiples of the scenario's arrival rates; default 1.
     *
     * @throws IllegalArgumentException if there is none, or one is not above 0 or is there twice
     */
    public Comparison loads(double... factors) {
        List<Double> sorted = Arrays.stream(factors).sorted().boxed().toList();
        if (sorted.isEmpty() || !(sorted.get(0) > 0) || Set.copyOf(sorted).size() < sorted.size()) {
            throw new IllegalArgumentException("loads: " + sorted + " (expected: different factors above 0)");
        }
        loads = sorted;
        return this;
    }

    /** What runs an entrant; default a {@link Simulation}. */
    public Comparison runner(Runner value) {
        runner = Objects.requireNonNull(value, "runner");
        return this;
    }

    /** Who is told how far it is. */
    public Comparison progress(Progress value) {
        progress = Objects.requireNonNull(value, "progress");
        return this;
    }

    /**
     * Runs all of it on this thread.
     *
     * @throws IllegalArgumentException if there is no entrant or two have one name, or if an entrant cannot be run with the scenario
     * @throws IllegalStateException if two entrants did not get the same requests
     */
    public Results run() {
        checkNames();
        Results results = new Results(scenario, entrants, loads, seeds);
        int all =
                loads.stream().mapToInt(load -> results.entrantsAt(load).size()).sum() * seeds;
        int over = 0;
        for (double load : loads) {
            for (int run = 0; run < seeds; run++) {
                for (Entrant entrant : results.entrantsAt(load)) {
                    results.add(entrant, load, run, one(entrant, load, firstSeed + run, over, all));
                    over++;
                }
            }
        }
        return results;
    }

    private SimulationReport one(Entrant entrant, double load, long seed, int over, int all) {
        // As it is, so that a record, which has no other rate, is not asked for one.
        Scenario scaled = load == 1 ? scenario : scenario.withLoad(load);
        return runner.run(
                entrant, scaled.withSeed(seed), share -> progress.at(entrant, load, seed, (over + share) / all));
    }

    private void checkNames() {
        if (entrants.isEmpty()) {
            throw new IllegalArgumentException("no entrants (expected: at least one)");
        }
        Set<String> names = new HashSet<>();
        for (Entrant entrant : entrants) {
            if (!names.add(entrant.name())) {
                throw new IllegalArgumentException("two entrants are called '" + entrant.name() + "'");
            }
        }
    }

    private static SimulationReport simulate(Entrant entrant, Scenario scenario, DoubleConsumer share) {
        Simulation simulation = Simulation.of(entrant.policy(), scenario).progress(share);
        entrant.placing().ifPresent(placing -> simulation.contender(placing.get()));
        return simulation.run();
    }

    /** Runs one entrant once. */
    @FunctionalInterface
    public interface Runner {
        /**
         * Runs it.
         *
         * @param entrant who places
         * @param scenario what happens, with the run's seed and load
         * @param share told how far the run is, 0 to 1
         */
        SimulationReport run(Entrant entrant, Scenario scenario, DoubleConsumer share);
    }

    /** Told how far a comparison is. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Told now and then.
         *
         * @param entrant who is run
         * @param load at which load
         * @param seed with which seed
         * @param done the share of the whole that is done, 0 to 1
         */
        void at(Entrant entrant, double load, long seed, double done);
    }
}
