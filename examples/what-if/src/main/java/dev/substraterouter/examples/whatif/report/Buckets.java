package dev.substraterouter.examples.whatif.report;

import dev.substraterouter.simulate.SimulationReport.Timeline;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Steps of a timeline put together to fewer, wider ones, so that counts of rare events can be seen. */
final class Buckets {
    private static final int MOST = 72;
    private static final double[] ROUND_SECONDS = {10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400};

    private final int steps;
    private final int perBucket;
    private final double stepSeconds;

    private Buckets(int steps, double stepSeconds) {
        this.steps = steps;
        this.perBucket = perBucket(steps, stepSeconds);
        this.stepSeconds = stepSeconds;
    }

    /** A round time where the steps fit into one. */
    private static int perBucket(int steps, double stepSeconds) {
        for (double seconds : ROUND_SECONDS) {
            long inOne = Math.round(seconds / stepSeconds);
            if (inOne >= 1 && inOne * MOST >= steps && Math.abs(inOne * stepSeconds - seconds) < 1e-6) {
                return (int) inOne;
            }
        }
        return Math.max(1, (steps + MOST - 1) / MOST);
    }

    static Buckets of(Timeline timeline) {
        return new Buckets(timeline.waiting().size(), timeline.stepSeconds());
    }

    int count() {
        return (steps + perBucket - 1) / perBucket;
    }

    /** When a bucket begins, hours. */
    double startHours(int bucket) {
        return bucket * perBucket * stepSeconds / 3600;
    }

    /** How wide a bucket is, hours. */
    double hours() {
        return perBucket * stepSeconds / 3600;
    }

    double minutes() {
        return perBucket * stepSeconds / 60;
    }

    long sum(List<Long> values, int bucket) {
        return Math.round(total(bucket, at -> (double) values.get(at)));
    }

    double mean(List<Double> values, int bucket) {
        return total(bucket, values::get) / (end(bucket) - bucket * perBucket);
    }

    private int end(int bucket) {
        return Math.min(steps, (bucket + 1) * perBucket);
    }

    private double total(int bucket, IntToDoubleFunction value) {
        double total = 0;
        for (int at = bucket * perBucket; at < end(bucket); at++) {
            total += value.applyAsDouble(at);
        }
        return total;
    }
}
