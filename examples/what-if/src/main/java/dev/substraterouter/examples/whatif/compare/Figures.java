package dev.substraterouter.examples.whatif.compare;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** How figures are written for people. */
public final class Figures {
    private Figures() {}

    /** A measure's figure with its interval, without a sign. */
    public static String amount(Estimate estimate, Measure measure) {
        return number(Math.abs(estimate.mean())) + interval(estimate) + " " + measure.unit();
    }

    /** The half width of an interval, or that there is none. */
    public static String interval(Estimate estimate) {
        return estimate.hasInterval() ? " ± " + number(estimate.halfWidth()) : " (one seed, no interval)";
    }

    /** A share, 0 to 1, in percent. */
    public static String percent(double share) {
        return number(100 * share) + " %";
    }

    /** Three digits, or whole numbers where these are longer. */
    public static String number(double value) {
        double size = Math.abs(value);
        if (size >= 99.95 || size == 0) {
            return format("%.0f", value);
        }
        return size >= 9.995 ? format("%.1f", value) : size >= 0.0095 ? format("%.2f", value) : format("%.1g", value);
    }

    /** As short as can be, to four digits after the point: 1, 1.25. */
    public static String setting(double value) {
        return new BigDecimal(value)
                .setScale(4, RoundingMode.HALF_EVEN)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** A load with what it means. */
    public static String load(double factor, double perHour) {
        return "load " + setting(factor) + " (" + number(perHour) + " requests/h)";
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
