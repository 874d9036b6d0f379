package dev.substraterouter.examples.benchmarks.goals;

import java.util.Locale;

/** What figures are counted in, and how they are written. */
enum Unit {
    NANOS(1_000, "ns", "µs", "ms", "s"),
    BYTES(1_024, "B", "KB", "MB", "GB"),
    COUNT(1, "");

    private final double step;
    private final String[] names;

    Unit(double step, String... names) {
        this.step = step;
        this.names = names;
    }

    /** A figure with three digits that count, in the unit that fits it. */
    String format(double figure) {
        int at = 0;
        double scaled = figure;
        while (at < names.length - 1 && Math.abs(scaled) >= step) {
            scaled /= step;
            at++;
        }
        int decimals = scaled == Math.rint(scaled) || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", scaled, names[at])
                .trim();
    }
}
