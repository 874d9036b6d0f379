package dev.substraterouter.simulate;

import java.time.Duration;

/** Lengths of time, checked and converted. */
final class Spans {
    private static final double NANOS = 1e9;
    private static final Duration LONGEST = Duration.ofDays(3650);

    private Spans() {}

    /** In seconds; above 0. */
    static double positive(String what, Duration span) {
        if (span.isNegative() || span.isZero() || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is " + span + " (expected: above 0, at most 10 years)");
        }
        return seconds(span);
    }

    /** In seconds; 0 or above. */
    static double notNegative(String what, Duration span) {
        if (span.isNegative() || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is " + span + " (expected: 0 to 10 years)");
        }
        return seconds(span);
    }

    static double seconds(Duration span) {
        return span.getSeconds() + span.getNano() / NANOS;
    }

    static double seconds(long nanos) {
        return nanos / NANOS;
    }

    /** To nanoseconds, rounded up: nothing is over before it is over. */
    static long nanos(double seconds) {
        return (long) Math.ceil(Math.min(seconds, 1e9) * NANOS);
    }

    /** Requests per hour. */
    static double rate(double perHour) {
        if (!(perHour > 0 && perHour <= 1e9)) {
            throw new IllegalArgumentException(perHour + " requests per hour (expected: above 0, at most 1e9)");
        }
        return perHour;
    }

    static double share(String what, double value) {
        return within(what, value, 0, 1);
    }

    static double within(String what, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(what + " is " + value + " (expected: " + least + " to " + most + ")");
        }
        return value;
    }
}
