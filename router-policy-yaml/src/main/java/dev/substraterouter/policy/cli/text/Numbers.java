package dev.substraterouter.policy.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;

/** Figures and constants as people and policies write them. Thread-safe: it has no state. */
public final class Numbers {
    private static final int DIGITS = 4;

    private Numbers() {}

    /** A number with four digits that count, and without a fraction that says nothing. */
    public static String of(double value) {
        return Double.isFinite(value)
                ? plain(new BigDecimal(value).round(new MathContext(DIGITS)))
                : Double.toString(value);
    }

    /** A duration in seconds. */
    public static String seconds(Duration value) {
        return of(value.toNanos() / 1e9) + " s";
    }

    /** A count of things. */
    public static String counted(long n, String thing) {
        return n + " " + thing + (n == 1 ? "" : "s");
    }

    /** A constant for people: in lower case, with spaces. */
    public static String word(Enum<?> constant) {
        return code(constant).replace('_', ' ');
    }

    /** A constant for programs: in lower case. */
    public static String code(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A text that begins with a capital. */
    public static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
