package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;

/** Means of independent runs, and the interval in which the true mean is found. */
final class Replications {
    /** How many runs there are. */
    static final int RUNS = 20;

    /** Student's t with {@value RUNS} - 1 degrees of freedom, two-sided, 99.9 %. */
    private static final double T_999 = 3.883;

    private final String what;
    private double sum;
    private double squares;
    private int count;

    Replications(String what) {
        this.what = what;
    }

    void add(double mean) {
        sum += mean;
        squares += mean * mean;
        count++;
    }

    /** Expects that an exact figure is within the 99.9 % interval, and that the interval is narrow enough to say something. */
    void agreeWith(double exact, double widest) {
        assertThat(count).isEqualTo(RUNS);
        double mean = sum / count;
        double variance = (squares - sum * mean) / (count - 1);
        double half = T_999 * StrictMath.sqrt(Math.max(0, variance) / count);
        String figures = String.format("%s: exact %.6f, simulated %.6f ± %.6f", what, exact, mean, half);
        assertThat(half / exact).as(figures).isLessThan(widest);
        assertThat(Math.abs(mean - exact)).as(figures).isLessThanOrEqualTo(half);
    }
}
