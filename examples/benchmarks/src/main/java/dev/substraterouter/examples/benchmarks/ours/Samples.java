package dev.substraterouter.examples.benchmarks.ours;

/** Times in nanoseconds, counted in classes of at most three percent width: a run of any length takes no memory of its own. Not thread-safe. */
final class Samples {
    private static final int BITS = 5; // of each time that decide its class

    private final long[] counts = new long[Long.SIZE << BITS];
    private long count;
    private long max;

    void add(long nanos) {
        counts[index(nanos)]++;
        count++;
        max = Math.max(max, nanos);
    }

    /** The greatest of all. */
    long max() {
        return max;
    }

    /** What a share of all does not exceed; 0 when there are none. */
    long quantile(double share) {
        long wanted = (long) Math.ceil(share * count);
        long seen = 0;
        for (int at = 0; at < counts.length; at++) {
            seen += counts[at];
            if (seen >= wanted && seen > 0) {
                return Math.min(max, upper(at));
            }
        }
        return max;
    }

    private static int index(long nanos) {
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - BITS - 1);
        return (shift << BITS) + (int) (nanos >>> shift);
    }

    private static long upper(int index) {
        int shift = Math.max(0, (index >> BITS) - 1);
        return (((long) index - ((long) shift << BITS) + 1) << shift) - 1;
    }
}
