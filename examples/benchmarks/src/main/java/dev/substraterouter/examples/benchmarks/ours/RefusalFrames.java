package dev.substraterouter.examples.benchmarks.ours;

/** How many frames a refusal's stack trace has. */
public final class RefusalFrames {
    private RefusalFrames() {}

    /** Has a request refused, and counts. */
    public static int count() throws InterruptedException {
        DecisionBenchmark.BothFull pool = new DecisionBenchmark.BothFull();
        pool.open();
        try {
            return new DecisionBenchmark().refused(pool).getStackTrace().length;
        } finally {
            pool.close();
        }
    }
}
