package dev.substraterouter.simulate;

/** Distributions of chosen lengths, for reports made by hand. */
public final class Distributions {
    private Distributions() {}

    /** A distribution of these lengths, seconds. */
    public static Distribution of(double... seconds) {
        Distribution distribution = new Distribution();
        for (double one : seconds) {
            distribution.add(one);
        }
        return distribution;
    }
}
