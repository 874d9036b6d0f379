package dev.substraterouter.internal.gate;

import java.util.Locale;

/**
 * Numbers in words as {@link String#format} writes them with {@code %.1f} and the like, half up, at a tenth of the cost: recommendations and
 * refusals hold dozens of them.
 *
 * <p>What is rounded is the decimal number that a {@code double} is printed as: 0.15 becomes 0.2, although the nearest {@code double} lies
 * below. A tie is found without printing it: the decimal is at or above it exactly when the {@code double} is at or above the one nearest to
 * the tie.
 */
public final class Decimals {
    private static final long[] POWERS = {1, 10, 100, 1000};
    /** Below it a tie has at most 15 digits, so that no two of them are nearest to the same {@code double}. */
    private static final double MOST = 1e14;

    private Decimals() {}

    /**
     * A number with so many digits after the point.
     *
     * @param digits 0 to 3
     */
    public static String of(double value, int digits) {
        long power = POWERS[digits];
        double scaled = Math.abs(value) * power;
        if (!(scaled < MOST)) {
            return String.format(Locale.ROOT, "%." + digits + "f", value);
        }
        long below = (long) scaled;
        boolean up = Math.abs(value) >= (below + 0.5) / power;
        long rounded = up ? below + 1 : below;
        String whole = (Math.copySign(1, value) < 0 ? "-" : "") + rounded / power;
        return digits == 0
                ? whole
                : whole + "." + Long.toString(power + rounded % power).substring(1);
    }

    /** Nanoseconds in seconds, with one digit after the point and the unit. */
    public static String seconds(long nanos) {
        return of(nanos / 1e9, 1) + " s";
    }
}
