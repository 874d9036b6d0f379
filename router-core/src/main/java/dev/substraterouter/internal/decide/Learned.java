package dev.substraterouter.internal.decide;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The latencies of the last successes of one candidate, and their median. Thread-safe; nothing here blocks.
 *
 * <p><b>The idea.</b> A ring of the last values, written without a lock, and a median that whoever writes brings up to date now and then.
 * A median does not care for a few values that are far out; the ring forgets what is long past. A reader may see a ring into which
 * somebody is just writing, and so a value that is not there yet, or older than it counts: one of up to 64.
 */
public final class Learned {
    /** How many successes are enough to believe them rather than the policy. */
    public static final int ENOUGH = 10;

    private static final int KEPT = 64; // a power of two
    /** How often the median is brought up to date once the ring is full: with every so many values. */
    private static final int EVERY = 16;

    /** ... and how far apart these are at least: where work is short, sorting would be most of what its placement costs. */
    private static final long APART_NANOS = 10_000_000;

    private static final int COUNT = KEPT; // its place in the ring
    private static final int APART = 16; // longs: a cache line, and the one that is fetched with it

    private static final double HALF_WIDTH = 0.98; // of the 95 % interval of a median, in ranks per root of n

    final LatencyBook.Subject subject;
    /** The values, how many there were, and what keeps the next object off their cache lines: another core may be writing to that. */
    private final AtomicLongArray ring = new AtomicLongArray(COUNT + 1 + APART);

    private volatile long median = -1;
    private volatile long sortedAt;

    Learned(LatencyBook.Subject subject) {
        this.subject = subject;
    }

    /**
     * What the last successes say.
     *
     * @param count how many there are, at most {@value #KEPT}
     * @param median their median, nanoseconds
     * @param low the lower end of the median's 95 % interval, by ranks
     * @param high its upper end
     */
    public record Summary(int count, long median, long low, long high) {}

    void add(long nanos, long now) {
        long number = number();
        ring.lazySet((int) (number & (KEPT - 1)), Math.max(0, nanos));
        if (number + 1 >= ENOUGH && (number < KEPT || (number % EVERY == 0 && now - sortedAt >= APART_NANOS))) {
            sortedAt = now;
            median = summary().median();
        }
    }

    /** The number of the next value. Once the ring is full two may get the same: one value of 64 is lost, and no core waits for another. */
    private long number() {
        long number = ring.getPlain(COUNT);
        if (number < KEPT) {
            return ring.getAndIncrement(COUNT);
        }
        ring.lazySet(COUNT, number + 1);
        return number;
    }

    /** The median once there are enough; -1 before. */
    long expected() {
        return median;
    }

    /** What the last successes say. */
    public Summary summary() {
        int kept = (int) Math.min(KEPT, ring.get(COUNT));
        long[] values = new long[kept];
        for (int at = 0; at < kept; at++) {
            values[at] = ring.get(at);
        }
        Arrays.sort(values);
        if (kept == 0) {
            return new Summary(0, -1, -1, -1);
        }
        double half = HALF_WIDTH * Math.sqrt(kept);
        int low = (int) Math.floor(Math.max(0, kept / 2.0 - half));
        int high = (int) Math.ceil(Math.min(kept - 1.0, kept / 2.0 + half));
        return new Summary(kept, (values[(kept - 1) / 2] + values[kept / 2]) / 2, values[low], values[high]);
    }
}
