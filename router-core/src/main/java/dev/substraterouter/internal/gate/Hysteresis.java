package dev.substraterouter.internal.gate;

/**
 * Whether a noisy measure counts as degraded: a limit, a margin below it, and how many statuses it takes either way. Immutable.
 *
 * @param judged whether a status has been judged; the first one is judged by the plain limit
 * @param degraded the verdict
 * @param against how many statuses in a row have spoken against the verdict
 * @param againstSince when the first of them came
 */
record Hysteresis(boolean judged, boolean degraded, int against, long againstSince) {
    static final Hysteresis UNJUDGED = new Hysteresis(false, false, 0, 0);

    /** As one more status leaves it. */
    Hysteresis next(double value, double limit, double margin, GateLimits limits, long now) {
        if (!judged) {
            return new Hysteresis(true, value >= limit, 0, now);
        }
        boolean contradicts = degraded ? value < limit - margin : value >= limit;
        if (!contradicts) {
            return against == 0 ? this : new Hysteresis(true, degraded, 0, now);
        }
        int count = against + 1;
        long since = against == 0 ? now : againstSince;
        boolean enough = degraded
                ? count >= limits.healthyAfter && now - since >= limits.recoveryNanos
                : count >= limits.degradedAfter;
        return enough ? new Hysteresis(true, !degraded, 0, now) : new Hysteresis(true, degraded, count, since);
    }
}
