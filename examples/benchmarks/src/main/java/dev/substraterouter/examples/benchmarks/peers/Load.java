package dev.substraterouter.examples.benchmarks.peers;

import java.util.function.BooleanSupplier;

/** How many jobs a substrate takes at once, the same for every peer. */
final class Load {
    static final int MAX_JOBS = 4;

    private Load() {}

    /** Takes every place there is. */
    static void fill(BooleanSupplier take) {
        for (int job = 0; job < MAX_JOBS; job++) {
            if (!take.getAsBoolean()) {
                throw new IllegalStateException("no place for job " + job + " of " + MAX_JOBS);
            }
        }
    }
}
