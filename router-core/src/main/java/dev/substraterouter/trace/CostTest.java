package dev.substraterouter.trace;

import java.util.SplittableRandom;

/**
 * Whether costs are higher somewhere by more than chance. Student's intervals alone do not tell: a few large costs among many small ones
 * make them too narrow, and equal ones give them no width at all. So it asks how often the same values, dealt out at random, differ as
 * much: whatever their distribution, two samples of the same one pass in at most one of {@value #DEALS} + 1 for each direction. It assumes
 * nothing of its own; its choices are seeded alike each time. The time is that of {@value #DEALS} walks through the smaller sample.
 */
final class CostTest {
    /** How many times the values are dealt out. */
    static final int DEALS = 399;

    private static final long SEED = 0x5EED_0F_C057L;
    private static final double ROUNDING = 1e-9;

    private CostTest() {}

    /** Whether no random deal sets the means as far apart, in the same direction, as they are. */
    static boolean differs(double[] one, double[] other) {
        double[] few = one.length <= other.length ? one : other;
        double[] many = few == one ? other : one;
        if (few.length == 0) {
            return false;
        }
        double[] all = new double[few.length + many.length];
        System.arraycopy(few, 0, all, 0, few.length);
        System.arraycopy(many, 0, all, few.length, many.length);
        double observed = sum(all, few.length);
        boolean higher = observed / few.length > sum(many, many.length) / many.length;
        SplittableRandom random = new SplittableRandom(SEED);
        for (int deal = 0; deal < DEALS; deal++) {
            double dealt = deal(all, few.length, random);
            double as = higher ? dealt - observed : observed - dealt;
            if (!(as < -ROUNDING * observed)) { // so that a sum that overflows tells nothing
                return false;
            }
        }
        return true;
    }

    /** Puts a random choice of the values in front; their sum. */
    private static double deal(double[] all, int few, SplittableRandom random) {
        for (int i = 0; i < few; i++) {
            int from = i + random.nextInt(all.length - i);
            double value = all[from];
            all[from] = all[i];
            all[i] = value;
        }
        return sum(all, few);
    }

    private static double sum(double[] values, int n) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += values[i];
        }
        return sum;
    }
}
