package dev.substraterouter;

import java.time.Duration;
import java.util.Locale;

/**
 * A candidate whose work takes a different time than the policy says: an observation, not its cause.
 *
 * @param workload the workload
 * @param substrateId the substrate
 * @param declared how long the policy expects it to take
 * @param observed the median of the last successes, without those that had to load their model first
 * @param n how many successes that is, at most 64
 * @param low the lower end of the median's 95 % interval, by ranks
 * @param high its upper end
 */
public record Drift(
        String workload, String substrateId, Duration declared, Duration observed, int n, Duration low, Duration high) {

    /** How many times as long as declared it takes. */
    public double factor() {
        return (double) observed.toNanos() / declared.toNanos();
    }

    /** The observation in words, with both ways out. */
    public String explain() {
        return String.format(
                Locale.ROOT,
                "'%s' on %s: declared %.1f s, observed %.1f s (%.2f times; n = %d, 95 %% interval %.1f to %.1f s). %s",
                workload,
                substrateId,
                seconds(declared),
                seconds(observed),
                factor(),
                n,
                seconds(low),
                seconds(high),
                "Two ways out: change the pipeline that serves it there, or change its place in the route and its figure.");
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
