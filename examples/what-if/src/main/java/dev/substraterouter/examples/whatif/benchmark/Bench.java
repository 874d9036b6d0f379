package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.bounds.Clairvoyant;
import dev.substraterouter.examples.whatif.bounds.SchedulingProblem;
import dev.substraterouter.examples.whatif.reference.ReferencePolicy;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs settings on the seeds of one range, each once; whoever asks again is told what came of it. Not thread-safe. */
final class Bench {
    private static final int STEPS = 100_000;
    /** So many runs are enough for what takes long. */
    private static final int FEW = 10;

    private final long firstSeed;
    private final int seeds;
    private final Duration length;
    private final boolean clairvoyant;
    private final Consumer<String> progress;
    private final Map<String, Series> done = new HashMap<>();
    private final Map<Cell, Bounds> bounds = new HashMap<>();

    /**
     * A bench without runs yet.
     *
     * @param firstSeed the first seed
     * @param seeds how many
     * @param length how long requests come
     * @param clairvoyant whether to look for schedules of somebody who knows everything
     * @param progress told what is run
     */
    Bench(long firstSeed, int seeds, Duration length, boolean clairvoyant, Consumer<String> progress) {
        this.firstSeed = firstSeed;
        this.seeds = seeds;
        this.length = length;
        this.clairvoyant = clairvoyant;
        this.progress = progress;
    }

    /** What came of a setting in a cell. */
    Series run(Setting setting, Cell cell) {
        return run(setting, cell, seeds, 1);
    }

    /** What came of it in the first ten runs. */
    Series runFew(Setting setting, Cell cell) {
        return run(setting, cell, few(), 1);
    }

    /** What came of it in the first ten runs with requests for twice as long. */
    Series runFewLong(Setting setting, Cell cell) {
        return run(setting, cell, few(), 2);
    }

    private int few() {
        return Math.min(seeds, FEW);
    }

    private Series run(Setting setting, Cell cell, int runs, int times) {
        String key = setting.name() + ", " + cell + (times == 1 ? "" : ", twice as long") + ", " + runs + " runs";
        Series known = done.get(key);
        if (known == null) {
            progress.accept(title() + ": " + key);
            known = simulate(setting, cell, runs, length.multipliedBy(times));
            done.put(key, known);
        }
        return known;
    }

    private Series simulate(Setting setting, Cell cell, int runs, Duration lasting) {
        Scenario scenario = Sub2.scenario(cell, setting.scenario().andThen(Sub2.lasting(lasting)));
        List<SimulationReport> reports = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            Simulation simulation = Simulation.of(setting.policy(), scenario.withSeed(firstSeed + run));
            setting.reference().ifPresent(options -> simulation.contender(ReferencePolicy.of(options)));
            reports.add(simulation.run());
        }
        return new Series(reports, "legion");
    }

    /** The mean latency of the clairvoyant in each run, lost requests charged; empty if none is looked for. */
    Optional<double[]> clairvoyant(Cell cell) {
        return bounds(cell).map(Bounds::rejecting);
    }

    /** The same if nobody may be rejected, for the first ten runs. */
    Optional<double[]> clairvoyantServingAll(Cell cell) {
        return bounds(cell).map(Bounds::servingAll);
    }

    private Optional<Bounds> bounds(Cell cell) {
        if (!clairvoyant) {
            return Optional.empty();
        }
        Bounds known = bounds.get(cell);
        if (known == null) {
            progress.accept(title() + ": clairvoyant, " + cell);
            known = search(cell);
            bounds.put(cell, known);
        }
        return Optional.of(known);
    }

    /** Starts from what the oracle does with waiting places without end. */
    private Bounds search(Cell cell) {
        Setting oracle = Setting.ORACLE.with(", unbounded", Sub2.policy(Sub2.unbounded()));
        Scenario scenario = Sub2.scenario(cell, Sub2.lasting(length));
        double[] rejecting = new double[seeds];
        double[] servingAll = new double[few()];
        for (int run = 0; run < seeds; run++) {
            Scenario seeded = scenario.withSeed(firstSeed + run);
            ReferencePolicy placing = ReferencePolicy.of(oracle.reference().orElseThrow());
            Simulation.of(oracle.policy(), seeded).contender(placing).run();
            Clairvoyant search = Clairvoyant.of(SchedulingProblem.of(oracle.policy(), seeded))
                    .steps(STEPS)
                    .seed(seeded.seed())
                    .startingFrom(placing.placements());
            rejecting[run] = search.rejecting(true).plan().meanSeconds();
            if (run < servingAll.length) {
                servingAll[run] = search.rejecting(false).plan().meanSeconds();
            }
        }
        return new Bounds(rejecting, servingAll);
    }

    /** What the range of seeds is called. */
    String title() {
        return "seeds " + firstSeed + "–" + (firstSeed + seeds - 1);
    }

    /** Figures of runs, one each. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Bounds(double[] rejecting, double[] servingAll) {}
}
