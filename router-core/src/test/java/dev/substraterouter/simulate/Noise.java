package dev.substraterouter.simulate;

import dev.substraterouter.policy.HealthLimits;

/**
 * A noisy measure judged as the specification says: the first status by the plain limit; then degraded after some bad ones in a row, and
 * healthy again after some good ones, each below the limit by the margin, over a window. Not thread-safe.
 */
final class Noise {
    private boolean judged;
    private boolean degraded;
    private int inRow;
    private long inRowSince;

    /** One more status. @param own whether what is over the limit may be the router's own load */
    void told(double value, double limit, double margin, HealthLimits limits, long now, boolean own) {
        if (own && value >= limit) {
            degraded |= !judged; // closed for now; the next one is judged as the first
            return;
        }
        if (!judged) {
            judged = true;
            degraded = value >= limit;
            inRow = 0;
            return;
        }
        boolean speaksForChange = degraded ? value < limit - margin : value >= limit;
        if (!speaksForChange) {
            inRow = 0;
            return;
        }
        inRowSince = inRow == 0 ? now : inRowSince;
        inRow++;
        boolean changes = degraded
                ? inRow >= limits.healthyAfter()
                        && now - inRowSince >= limits.recoveryWindow().toNanos()
                : inRow >= limits.degradedAfter();
        if (changes) {
            degraded = !degraded;
            inRow = 0;
        }
    }

    boolean degraded() {
        return degraded;
    }
}
