package dev.substraterouter.trace;

import dev.substraterouter.trace.PathReport.Row;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Counts the attempts of one row of a {@link PathReport}. Not thread-safe. */
final class PathTally {
    private static final double MEDIAN = 0.5;
    private static final double P95 = 0.95;
    private static final double NANOS_PER_SECOND = 1e9;

    private final SortedSet<String> substrates = new TreeSet<>();
    private final Sample latency = new Sample();
    private final Sample quality = new Sample();
    private final Sample computeCost = new Sample();
    private final Sample observedCost = new Sample();
    private long attempts;
    private long served;
    private long failed;
    private long reviewKnown;
    private long reviewed;

    /** Counts an attempt. */
    void attempt(Attempt attempt) {
        attempts++;
        if (substrates.size() < PathReport.MAX_KEYS) {
            substrates.add(attempt.substrateId());
        }
        switch (attempt.outcome()) {
            case SUCCEEDED -> served(attempt);
            case NODE_FAULT, NOT_STARTED -> failed++;
            case OPEN, BUSY, REQUEST_FAULT, NEUTRAL -> {}
        }
    }

    /** Counts what became known of the answer of an attempt that was counted before. */
    void observed(Observation observation) {
        observation.quality().ifPresent(quality::add);
        observation.cost().ifPresent(observedCost::add);
        observation.reviewed().ifPresent(yes -> {
            reviewKnown++;
            reviewed += yes ? 1 : 0;
        });
    }

    /** What was counted. */
    Row row(PathReport.Key key) {
        double[] latencies = latency.sorted();
        return new Row(
                key,
                attempts,
                served,
                failed,
                Intervals.quantile(latencies, MEDIAN),
                Intervals.quantile(latencies, P95),
                Intervals.meanOfShares(quality.sorted()),
                Intervals.share(reviewed, reviewKnown),
                Intervals.mean(computeCost.sorted()),
                Intervals.mean(observedCost.sorted()),
                Collections.unmodifiableSortedSet(new TreeSet<>(substrates)));
    }

    /** The costs that an aspect compares, in ascending order. */
    double[] costs(PathReport.Aspect aspect) {
        return (aspect == PathReport.Aspect.COMPUTE_COST ? computeCost : observedCost).sorted();
    }

    private void served(Attempt attempt) {
        served++;
        attempt.latency().ifPresent(value -> latency.add(seconds(value)));
        attempt.cost().ifPresent(computeCost::add);
    }

    private static double seconds(Duration value) {
        return value.getSeconds() + value.getNano() / NANOS_PER_SECOND;
    }
}
