package dev.substraterouter.examples.whatif.reference;

import java.time.Duration;

/** Time in seconds. */
final class Seconds {
    private static final double NANOS = 1e9;

    private Seconds() {}

    static double of(long nanos) {
        return nanos / NANOS;
    }

    static double of(Duration time) {
        return time.getSeconds() + time.getNano() / NANOS;
    }

    /** To the next nanosecond, so that what is due then is due. */
    static Duration duration(double seconds) {
        return Duration.ofNanos((long) Math.ceil(Math.max(0, Math.min(seconds, 1e9)) * NANOS));
    }
}
