package dev.substraterouter.metrics;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Which share of the last placements was not on the primary. Thread-safe.
 *
 * <p>One number: a bit for each of the last 63, the newest lowest, and above them a bit that says how many there are.
 */
final class FallbackShare {
    private static final long FULL = 1L << 63;

    private final AtomicLong history = new AtomicLong(1);

    void add(boolean fellBack) {
        while (true) {
            long before = history.get();
            long kept = (before & FULL) == 0 ? before << 1 : (before << 1) | FULL;
            long after = fellBack ? kept | 1 : kept;
            if (after == before || history.compareAndSet(before, after)) {
                return; // a long row of the same changes nothing
            }
        }
    }

    /** From 0 to 1; NaN before the first. */
    double share() {
        long now = history.get();
        int count = 63 - Long.numberOfLeadingZeros(now);
        return count == 0 ? Double.NaN : (double) (Long.bitCount(now) - 1) / count;
    }
}
