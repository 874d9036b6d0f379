package dev.substraterouter.trace;

import dev.substraterouter.trace.PathReport.Figure;
import java.util.Optional;

/** Estimates with their 95 % intervals. Pure functions of what they are given: nothing is drawn at random. */
final class Intervals {
    /** What may lie outside on each side. */
    private static final double TAIL = 0.025;

    private static final double Z = 1.959963984540054;
    private static final double[] T_OF_FEW = {
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281
    };

    private Intervals() {}

    /** A share of n with Wilson's score interval; empty for none. */
    static Optional<Figure> share(long part, long n) {
        if (n == 0) {
            return Optional.empty();
        }
        double share = (double) part / n;
        double widened = 1 + Z * Z / n;
        double centre = (share + Z * Z / (2 * n)) / widened;
        double half = Z * Math.sqrt(share * (1 - share) / n + Z * Z / (4.0 * n * n)) / widened;
        return Optional.of(within(0, 1, n, share, centre - half, centre + half));
    }

    /** The mean of values of 0 or more with Student's interval; of a single one it is open to both sides. Empty for none. */
    static Optional<Figure> mean(double[] values) {
        if (values.length == 0) {
            return Optional.empty();
        }
        double mean = average(values);
        double half = values.length == 1
                ? Double.POSITIVE_INFINITY
                : halfWidth(values.length, squares(values, mean)); // without a second value there is no spread
        return Optional.of(within(0, Double.POSITIVE_INFINITY, values.length, mean, mean - half, mean + half));
    }

    /**
     * The mean of values of 0 to 1 with Student's interval of these values and, as Agresti and Caffo do for shares, one 0 and one 1 more:
     * a few values that happen to be the same must not look certain. Empty for none.
     */
    static Optional<Figure> meanOfShares(double[] values) {
        int n = values.length;
        if (n == 0) {
            return Optional.empty();
        }
        double mean = average(values);
        double centre = (n * mean + 1) / (n + 2);
        double shift = mean - centre;
        double squares = squares(values, mean) + n * shift * shift + centre * centre + (1 - centre) * (1 - centre);
        double half = halfWidth(n + 2, squares);
        return Optional.of(within(0, 1, n, mean, centre - half, centre + half));
    }

    /**
     * A quantile of values of 0 or more, which stand in ascending order, by nearest rank, with the interval between two of them that holds
     * it whatever their distribution (by the binomial distribution of their number below it). With too few values for a bound that side
     * is open: 0 or infinite. Empty for none.
     */
    static Optional<Figure> quantile(double[] sorted, double share) {
        int n = sorted.length;
        if (n == 0) {
            return Optional.empty();
        }
        double[] bounds = bounds(sorted, share);
        double value = sorted[Math.max(1, (int) Math.ceil(n * share)) - 1];
        return Optional.of(within(0, Double.POSITIVE_INFINITY, n, value, bounds[0], bounds[1]));
    }

    private static double[] bounds(double[] sorted, double share) {
        int n = sorted.length;
        double low = 0;
        double logOfOne = n * Math.log1p(-share); // of exactly k values below, beginning with none
        double logOfOdds = Math.log(share / (1 - share));
        double upToK = 0;
        for (int k = 0; k < n; k++) {
            upToK += Math.exp(logOfOne);
            if (upToK <= TAIL) {
                low = sorted[k];
            }
            if (1 - upToK <= TAIL) {
                return new double[] {low, sorted[k]};
            }
            logOfOne += Math.log((double) (n - k) / (k + 1)) + logOfOdds;
        }
        return new double[] {low, Double.POSITIVE_INFINITY};
    }

    private static double average(double[] values) {
        double mean = 0;
        for (int i = 0; i < values.length; i++) {
            mean += (values[i] - mean) / (i + 1); // a sum could overflow
        }
        return mean;
    }

    private static double squares(double[] values, double mean) {
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return squares;
    }

    private static double halfWidth(int n, double squares) {
        return student(n - 1) * Math.sqrt(squares / (n - 1) / n);
    }

    /** Student's t for 95 % on two sides: a table for few degrees of freedom, Cornish and Fisher's expansion for more. */
    private static double student(int freedom) {
        if (freedom <= T_OF_FEW.length) {
            return T_OF_FEW[freedom - 1];
        }
        double first = (Math.pow(Z, 3) + Z) / 4;
        double second = (5 * Math.pow(Z, 5) + 16 * Math.pow(Z, 3) + 3 * Z) / 96;
        return Z + first / freedom + second / ((double) freedom * freedom);
    }

    /** A figure whose interval lies in the possible and, against rounding, around the value. */
    private static Figure within(double least, double most, long n, double value, double low, double high) {
        return new Figure(n, value, Math.min(value, Math.max(least, low)), Math.max(value, Math.min(most, high)));
    }
}
