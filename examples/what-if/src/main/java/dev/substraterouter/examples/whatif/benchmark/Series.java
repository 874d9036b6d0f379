package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.SimulationReport.Node;
import dev.substraterouter.simulate.SimulationReport.Requests;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The figures of one setting in one cell, a figure for each run. */
final class Series {
    private final Map<Measure, double[]> figures = new EnumMap<>(Measure.class);
    private final double[] offered;
    private final double[] failed;
    private final double[] overloads;
    private final double[] leastServed;

    Series(List<SimulationReport> runs, String learnt) {
        for (Measure measure : Measure.values()) {
            figures.put(measure, runs.stream().mapToDouble(measure::of).toArray());
        }
        offered = runs.stream().mapToDouble(SimulationReport::offered).toArray();
        failed = runs.stream().mapToDouble(Series::failed).toArray();
        overloads = runs.stream()
                .mapToDouble(
                        run -> run.nodes().stream().mapToLong(Node::overloads).sum())
                .toArray();
        leastServed = runs.stream().mapToDouble(run -> least(run, learnt)).toArray();
    }

    private static double failed(SimulationReport run) {
        return run.requests().stream()
                .flatMap(one -> one.failed().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private static double least(SimulationReport run, String substrate) {
        Map<String, Long> served = new TreeMap<>();
        for (Requests one : run.requests()) {
            served.merge(one.workload(), one.servedBy().getOrDefault(substrate, 0L), Long::sum);
        }
        return served.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** A measure, run by run. */
    double[] of(Measure measure) {
        return Objects.requireNonNull(figures.get(measure)).clone();
    }

    /** A measure with its interval. */
    Estimate estimate(Measure measure) {
        return Estimate.of(of(measure));
    }

    /** How many requests came. */
    double[] offered() {
        return offered.clone();
    }

    /** How many requests failed, all runs together: the client saw what went wrong with a node. */
    double failed() {
        return sum(failed);
    }

    /** How many placements were made on a full node, all runs together. */
    double overloads() {
        return sum(overloads);
    }

    /** How many requests of a workload Legion served at least, in the run in which it were fewest. */
    double leastServed() {
        double least = Double.POSITIVE_INFINITY;
        for (double one : leastServed) {
            least = Math.min(least, one);
        }
        return least;
    }

    /** A measure as a multiple of another's, run by run, with its interval. */
    Estimate ratio(Series to, Measure measure) {
        return ratio(of(measure), to.of(measure));
    }

    /** Figures as multiples of others, run by run, with their interval. */
    static Estimate ratio(double[] figures, double[] to) {
        double[] ratios = new double[Math.min(figures.length, to.length)];
        for (int run = 0; run < ratios.length; run++) {
            ratios[run] = figures[run] / to[run];
        }
        return Estimate.of(ratios);
    }

    private static double sum(double[] figures) {
        double sum = 0;
        for (double figure : figures) {
            sum += figure;
        }
        return sum;
    }
}
