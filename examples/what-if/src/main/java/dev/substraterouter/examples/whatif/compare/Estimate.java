package dev.substraterouter.examples.whatif.compare;

/**
 * A mean with its 95 % confidence interval, by Student's t over independent runs.
 *
 * @param mean the mean
 * @param halfWidth half the width of the interval; infinite with fewer than two runs
 * @param runs how many runs it is of
 */
public record Estimate(double mean, double halfWidth, int runs) {
    /** The estimate from one figure of each run; 0 from none. */
    public static Estimate of(double... figures) {
        int runs = figures.length;
        if (runs == 0) {
            return new Estimate(0, Double.POSITIVE_INFINITY, 0);
        }
        double mean = sum(figures) / runs;
        if (runs == 1) {
            return new Estimate(mean, Double.POSITIVE_INFINITY, 1);
        }
        double squares = 0;
        for (double figure : figures) {
            squares += (figure - mean) * (figure - mean);
        }
        double standardError = Math.sqrt(squares / (runs - 1) / runs);
        return new Estimate(mean, StudentT.quantile975(runs - 1) * standardError, runs);
    }

    /**
     * The estimate of the difference of two figures of the same runs, run by run.
     *
     * @throws IllegalArgumentException if there is not one figure of each for each run
     */
    public static Estimate ofDifference(double[] figures, double[] than) {
        if (figures.length != than.length) {
            throw new IllegalArgumentException(
                    figures.length + " figures against " + than.length + " (expected: one of each for each run)");
        }
        double[] differences = new double[figures.length];
        for (int run = 0; run < differences.length; run++) {
            differences[run] = figures[run] - than[run];
        }
        return of(differences);
    }

    /** The lower end of the interval. */
    public double low() {
        return mean - halfWidth;
    }

    /** The upper end of the interval. */
    public double high() {
        return mean + halfWidth;
    }

    /** Whether there is an interval. */
    public boolean hasInterval() {
        return Double.isFinite(halfWidth);
    }

    /** Whether the whole interval is above 0. */
    public boolean above0() {
        return low() > 0;
    }

    /** Whether the whole interval is below 0. */
    public boolean below0() {
        return high() < 0;
    }

    /** The same with the sign turned. */
    public Estimate negated() {
        return new Estimate(0 - mean, halfWidth, runs);
    }

    private static double sum(double[] figures) {
        double sum = 0;
        for (double figure : figures) {
            sum += figure;
        }
        return sum;
    }
}
