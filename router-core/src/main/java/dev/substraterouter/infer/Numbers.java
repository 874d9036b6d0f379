package dev.substraterouter.infer;

import java.math.BigDecimal;

/** Reads and writes numbers the way people do: 24, not 24.0. */
final class Numbers {
    private Numbers() {}

    /** A hundredth without the error of a division: 99.9 becomes 0.999. */
    static double hundredth(String number) {
        return new BigDecimal(number).movePointLeft(2).doubleValue();
    }

    static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
