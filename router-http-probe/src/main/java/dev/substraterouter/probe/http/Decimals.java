package dev.substraterouter.probe.http;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Numbers as servers print them: decimal, with an exponent of any length, {@code NaN}, {@code -nan}, {@code +Inf}. Java's own forms
 * ({@code 1d}, {@code 0x1p3}, {@code 1_0}) are none.
 */
final class Decimals {
    private static final int LONGEST = 64;
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?");

    private Decimals() {}

    /** The number a text is; empty when it is none. Never throws. */
    static OptionalDouble of(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            return OptionalDouble.empty();
        }
        if (DECIMAL.matcher(text).matches()) {
            return OptionalDouble.of(Double.parseDouble(text) + 0.0); // -0 becomes 0
        }
        boolean negative = text.charAt(0) == '-';
        String word = text.substring(negative || text.charAt(0) == '+' ? 1 : 0).toLowerCase(Locale.ROOT);
        return switch (word) {
            case "nan" -> OptionalDouble.of(Double.NaN);
            case "inf", "infinity" -> OptionalDouble.of(negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
            default -> OptionalDouble.empty();
        };
    }
}
