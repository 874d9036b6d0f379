package dev.substraterouter.examples.benchmarks.limit;

/** What a substrate must not go beyond. */
record Limits(int maxUtilPct, int maxTempC, int maxJobs) {
    static Limits usual() {
        return new Limits(90, 85, Spot.MAX_JOBS);
    }
}
