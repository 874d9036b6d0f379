package dev.substraterouter.trace;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The values of one figure. Keeps all of up to {@link #MOST_KEPT}; of more, an even sample of that many (Vitter's algorithm R). The
 * sample's choices are seeded alike each time: the same values in the same order keep the same sample. Not thread-safe.
 */
final class Sample {
    /** How many values are kept: 32 KiB, and an interval of a median of about three hundredths of the values. */
    static final int MOST_KEPT = 4_096;

    private static final int FIRST_ROOM = 16;
    private static final long SEED = 0x5EED_0F_7ACE5L;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private double[] kept = new double[0];
    private int size;
    private long seen;

    /** Takes a value; one that is negative or not finite is no figure, thus unknown, and left out. */
    void add(double value) {
        if (!(value >= 0 && value <= Double.MAX_VALUE)) {
            return;
        }
        seen++;
        if (size < MOST_KEPT) {
            append(value);
        } else {
            replace(value);
        }
    }

    /** The kept values in ascending order. */
    double[] sorted() {
        double[] values = Arrays.copyOf(kept, size);
        Arrays.sort(values);
        return values;
    }

    private void append(double value) {
        if (size == kept.length) {
            kept = Arrays.copyOf(kept, Math.min(MOST_KEPT, Math.max(FIRST_ROOM, 2 * size)));
        }
        kept[size++] = value;
    }

    private void replace(double value) {
        long place = random.nextLong(seen);
        if (place < MOST_KEPT) {
            kept[(int) place] = value;
        }
    }
}
