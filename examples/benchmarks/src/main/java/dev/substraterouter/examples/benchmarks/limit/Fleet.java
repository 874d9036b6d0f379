package dev.substraterouter.examples.benchmarks.limit;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** Many substrates as a struct of arrays, and which of them are up as a bit set. */
final class Fleet {
    static final int NONE = -1;

    private static final int CAPABILITIES = 20;
    private static final long SEED = 1;

    private final long[] capabilities;
    private final int[] vramFreeGb;
    private final int[] utilPct;
    private final boolean[] up;
    private final AtomicLongArray upBits;

    private Fleet(int size) {
        capabilities = new long[size];
        vramFreeGb = new int[size];
        utilPct = new int[size];
        up = new boolean[size];
        upBits = new AtomicLongArray(words(size));
    }

    /** Substrates of which most have any one capability; the same ones every time. */
    static Fleet of(int size) {
        Fleet fleet = new Fleet(size);
        Random random = new Random(SEED);
        for (int i = 0; i < size; i++) {
            for (int capability = 0; capability < CAPABILITIES; capability++) {
                fleet.capabilities[i] |= random.nextInt(10) < 9 ? 1L << capability : 0;
            }
            fleet.vramFreeGb[i] = 8 << random.nextInt(4);
            fleet.utilPct[i] = random.nextInt(90);
            fleet.report(i, true);
        }
        return fleet;
    }

    static Fleet allDown(int size) {
        Fleet fleet = of(size);
        for (int i = 0; i < size; i++) {
            fleet.report(i, false);
        }
        return fleet;
    }

    int size() {
        return capabilities.length;
    }

    /** Changes one bit and nothing that grows with the fleet. */
    void report(int substrate, boolean isUp) {
        up[substrate] = isUp;
        long bit = 1L << substrate;
        int word = substrate >>> 6;
        long seen;
        do {
            seen = upBits.get(word);
        } while (!upBits.compareAndSet(word, seen, isUp ? seen | bit : seen & ~bit));
    }

    boolean isUp(int substrate) {
        return (upBits.get(substrate >>> 6) & 1L << substrate) != 0;
    }

    /** The least used of those that satisfy the need, or {@link #NONE}: looks at every one. */
    int best(Need need) {
        int best = NONE;
        int leastUsed = Integer.MAX_VALUE;
        for (int i = 0; i < capabilities.length; i++) {
            if (utilPct[i] < leastUsed && up[i] && satisfies(i, need)) {
                best = i;
                leastUsed = utilPct[i];
            }
        }
        return best;
    }

    /** Those that satisfy the need, up or not, the least used first. */
    int[] order(Need need) {
        long[] ranked = IntStream.range(0, size())
                .filter(i -> satisfies(i, need))
                .mapToLong(i -> ((long) utilPct[i] << Integer.SIZE) | i)
                .toArray();
        Arrays.sort(ranked);
        return Arrays.stream(ranked).mapToInt(packed -> (int) packed).toArray();
    }

    /** The first of the order that is up, or {@link #NONE}. */
    int firstUp(int[] order) {
        for (int substrate : order) {
            if (isUp(substrate)) {
                return substrate;
            }
        }
        return NONE;
    }

    /** The lowest-numbered one that is up, or {@link #NONE}: 64 at a look. */
    int firstUpByBits() {
        for (int word = 0; word < upBits.length(); word++) {
            long bits = upBits.get(word);
            if (bits != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
        return NONE;
    }

    private boolean satisfies(int substrate, Need need) {
        return (capabilities[substrate] & need.capabilities()) == need.capabilities()
                && vramFreeGb[substrate] >= need.vramGb();
    }

    private static int words(int size) {
        return (size + Long.SIZE - 1) / Long.SIZE;
    }

    /** What a substrate must have: capabilities as bits, and VRAM. */
    record Need(long capabilities, int vramGb) {}
}
