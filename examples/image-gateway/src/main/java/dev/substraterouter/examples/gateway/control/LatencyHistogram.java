package dev.substraterouter.examples.gateway.control;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How long things took, by size: each step is 10 % wider than the one before, from 1 ms to beyond an hour, so a quantile is off by 5 % at the
 * most. Always of one size. Not thread-safe.
 */
final class LatencyHistogram {
    private static final double STEP = Math.log(1.1);
    private static final int STEPS = 160;

    private final int[] counts = new int[STEPS];
    private long total;

    void add(Duration latency) {
        double millis = Math.max(1, latency.toNanos() / 1e6);
        counts[(int) Math.min(STEPS - 1, Math.log(millis) / STEP)]++;
        total++;
    }

    void add(LatencyHistogram other) {
        for (int step = 0; step < STEPS; step++) {
            counts[step] += other.counts[step];
        }
        total += other.total;
    }

    void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    /** The value, in seconds, that a share of all do not exceed; empty without any. */
    OptionalDouble quantile(double share) {
        long rank = (long) Math.ceil(share * total);
        long seen = 0;
        for (int step = 0; step < STEPS; step++) {
            seen += counts[step];
            if (seen >= rank && seen > 0) {
                return OptionalDouble.of(Math.exp((step + 0.5) * STEP) / 1e3);
            }
        }
        return OptionalDouble.empty();
    }
}
