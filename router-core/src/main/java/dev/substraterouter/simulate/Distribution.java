package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.List;

/**
 * Lengths of time, counted in classes 1 % wide, so that memory does not grow with their number; sum and maximum are exact. Not thread-safe
 * while it is filled.
 */
public final class Distribution {
    private static final double LEAST = 1e-3;
    private static final double RATIO = 1.01;
    private static final double LOG_RATIO = StrictMath.log(RATIO);
    /** The upper edges of the classes; the last is above 30 days. */
    private static final int CLASSES = 2_200;

    private final int[] counts = new int[CLASSES];
    private long count;
    private double sum;
    private double most;

    Distribution() {}

    void add(double seconds) {
        counts[index(seconds)]++;
        count++;
        sum += seconds;
        most = Math.max(most, seconds);
    }

    void add(Distribution other) {
        for (int at = 0; at < CLASSES; at++) {
            counts[at] += other.counts[at];
        }
        count += other.count;
        sum += other.sum;
        most = Math.max(most, other.most);
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** Their sum, seconds. */
    public double sum() {
        return sum;
    }

    /** Their mean, seconds; 0 when there are none. */
    public double mean() {
        return count == 0 ? 0 : sum / count;
    }

    /** The longest, seconds; 0 when there are none. */
    public double max() {
        return most;
    }

    /**
     * The length that a share of them does not exceed, seconds, up to 1 % too long; 0 when there are none.
     *
     * @param share 0 to 1
     */
    public double quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int at = 0; at < CLASSES; at++) {
            seen += counts[at];
            if (seen >= rank) {
                return Math.min(most, edge(at));
            }
        }
        return most;
    }

    /** The share of them up to each length at which it grows; the lengths grow. */
    public List<Point> cumulative() {
        List<Point> points = new ArrayList<>();
        long seen = 0;
        for (int at = 0; at < CLASSES; at++) {
            if (counts[at] > 0) {
                seen += counts[at];
                points.add(new Point(Math.min(most, edge(at)), (double) seen / count));
            }
        }
        return points;
    }

    /**
     * A point of the cumulative distribution.
     *
     * @param seconds a length
     * @param share how many are at most as long, 0 to 1
     */
    public record Point(double seconds, double share) {}

    private static int index(double seconds) {
        if (!(seconds > LEAST)) {
            return 0;
        }
        return Math.min(CLASSES - 1, 1 + (int) (StrictMath.log(seconds / LEAST) / LOG_RATIO));
    }

    private static double edge(int index) {
        return LEAST * StrictMath.exp(index * LOG_RATIO);
    }
}
