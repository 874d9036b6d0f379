package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The goals G1 to G13, each measured in its own setting. */
final class Goals {
    private static final int MANY_PLACES = 16;
    private static final double CLEAN = 0;

    private final Bench bench;
    private final Variations variations;

    private Goals(Bench bench) {
        this.bench = bench;
        this.variations = new Variations(bench);
    }

    /** All goals that can be measured, those with the clairvoyant only if there is one. */
    static List<Goal> of(Bench bench) {
        return new Goals(bench).all();
    }

    private List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        goals.add(noOverloads());
        goals.add(outOfMemoryAtTheClient());
        goals.add(outOfMemoryAttempts());
        goals.add(nearTheOracle());
        if (bench.clairvoyant(Cell.ALL.get(0)).isPresent()) {
            goals.add(nearTheClairvoyant());
        }
        goals.add(belowNaive());
        goals.add(inTime());
        goals.add(inTimeByDeadline());
        goals.add(lost());
        goals.add(lostWithManyPlaces());
        goals.add(slowStatuses());
        goals.addAll(variations.wrongTimes());
        goals.addAll(variations.ownersCost());
        goals.addAll(variations.coldModels());
        goals.addAll(variations.hysteresis());
        goals.addAll(variations.severalRouters());
        return goals;
    }

    private Goal noOverloads() {
        Goal goal = new Goal("G1", "overloads in all runs", "", 0);
        for (int routers : List.of(1, 2, 4)) {
            Setting setting = routers == 1 ? Setting.ROUTER : Variations.admitting(routers);
            double all = Cell.ALL.stream()
                    .mapToDouble(cell -> bench.run(setting, cell).overloads())
                    .sum();
            goal.atMost(
                    routers == 1 ? "1 router" : routers + " routers, nodes admit", new Estimate(all, CLEAN, 1), CLEAN);
        }
        return goal;
    }

    private Goal outOfMemoryAtTheClient() {
        double failed = Cell.ALL.stream()
                .mapToDouble(cell -> bench.run(Setting.ROUTER, cell).failed())
                .sum();
        return new Goal("G2", "failures that reach a client in all runs", "", 0)
                .atMost("6 cells", new Estimate(failed, CLEAN, 1), CLEAN);
    }

    private Goal outOfMemoryAttempts() {
        Goal goal = new Goal("G2", "out-of-memory attempts", " /1000 placements", 2);
        for (Cell cell : Cell.ALL) {
            goal.atMost(cell, bench.run(Setting.ROUTER, cell).estimate(Measure.OUT_OF_MEMORY), 1);
        }
        return goal;
    }

    private Goal nearTheOracle() {
        Goal goal = new Goal("G3", "penalised latency by the oracle's", " ×", 3);
        for (Cell cell : Cell.ALL) {
            Series oracle = bench.run(Setting.ORACLE, cell);
            goal.atMost(cell, bench.run(Setting.ROUTER, cell).ratio(oracle, Measure.PENALISED_LATENCY), 1.03);
        }
        return twins(goal, Cell.ALL, Setting.ROUTER);
    }

    private Goal nearTheClairvoyant() {
        Goal goal = new Goal("G4", "mean latency by the clairvoyant's, queue without end", " ×", 2);
        List<Double> limits = List.of(1.08, 1.15, 1.30, 1.15, 1.35, 1.55);
        for (int at = 0; at < limits.size(); at++) {
            Cell cell = Cell.ALL.get(at);
            double[] mean = bench.runFew(Variations.UNBOUNDED, cell).of(Measure.MEAN_LATENCY);
            double[] least = bench.clairvoyantServingAll(cell).orElseThrow();
            goal.atMost(cell, Series.ratio(mean, least), limits.get(at));
            goal.twin(bench.runFew(Variations.UNBOUNDED, cell), bench.runFew(Variations.UNBOUNDED_STATIC, cell));
        }
        return goal;
    }

    private Goal belowNaive() {
        Goal goal = new Goal("G5", "penalised latency below the naive router's", " %", 1);
        List<Double> limits = List.of(25.0, 25.0, 25.0, 30.0, 17.0, 13.0);
        for (int at = 0; at < limits.size(); at++) {
            Cell cell = Cell.ALL.get(at);
            Estimate ratio =
                    bench.run(Setting.ROUTER, cell).ratio(bench.run(Setting.NAIVE, cell), Measure.PENALISED_LATENCY);
            goal.atLeast(
                    cell,
                    new Estimate(100 * (1 - ratio.mean()), 100 * ratio.halfWidth(), ratio.runs()),
                    limits.get(at));
        }
        return twins(goal, Cell.ALL, Setting.ROUTER);
    }

    private Goal inTime() {
        Goal goal = new Goal("G6", "interactive requests in time", " %", 1);
        List<Double> limits = List.of(92.0, 86.0, 76.0, 75.0, 60.0, 51.0);
        for (int at = 0; at < limits.size(); at++) {
            Cell cell = Cell.ALL.get(at);
            goal.atLeast(cell, bench.run(Setting.ROUTER, cell).estimate(Measure.IN_TIME), limits.get(at));
        }
        return twins(goal, Cell.ALL, Setting.ROUTER);
    }

    private Goal inTimeByDeadline() {
        Setting deadline = Variations.DEADLINE;
        Goal goal = new Goal("G6", "interactive requests in time, order deadline", " %", 1)
                .atLeast(
                        Cell.poisson(270),
                        bench.run(deadline, Cell.poisson(270)).estimate(Measure.IN_TIME),
                        80)
                .atLeast(Cell.bursty(180), bench.run(deadline, Cell.bursty(180)).estimate(Measure.IN_TIME), 65);
        return twins(goal, List.of(Cell.poisson(270), Cell.bursty(180)), deadline);
    }

    private Goal lost() {
        Cell cell = Cell.poisson(180);
        return new Goal("G7", "lost requests, N = 4", " %", 2)
                .atMost(cell, bench.run(Setting.ROUTER, cell).estimate(Measure.LOST), 2);
    }

    private Goal lostWithManyPlaces() {
        Setting many = Setting.router("router, N = 16", Sub2.places(MANY_PLACES));
        return new Goal("G7", "lost requests, N = 16", " %", 2)
                .atMost(Cell.poisson(180), bench.run(many, Cell.poisson(180)).estimate(Measure.LOST), 0.3)
                .atMost(Cell.bursty(180), bench.run(many, Cell.bursty(180)).estimate(Measure.LOST), 6);
    }

    private Goal slowStatuses() {
        Setting slow = Setting.router("router, poll 30 s", Sub2.pollEvery("30s"));
        Goal goal = new Goal("G8", "penalised latency above that with 5-s statuses, statuses every 30 s", " %", 1);
        for (Cell cell : Cell.ALL) {
            goal.atMost(cell, more(bench.run(slow, cell), bench.run(Setting.ROUTER, cell)), 4);
        }
        return twins(goal, Cell.ALL, slow);
    }

    /** By how many percent the penalised latency is above another's. */
    static Estimate more(Series of, Series than) {
        return percentMore(of.ratio(than, Measure.PENALISED_LATENCY));
    }

    /** A ratio as percent above 1. */
    static Estimate percentMore(Estimate ratio) {
        return new Estimate(100 * (ratio.mean() - 1), 100 * ratio.halfWidth(), ratio.runs());
    }

    private Goal twins(Goal goal, List<Cell> cells, Setting setting) {
        Function<Cell, Series> statically = cell -> bench.run(Setting.STATIC, cell);
        cells.forEach(cell -> goal.twin(bench.run(setting, cell), statically.apply(cell)));
        return goal;
    }
}
