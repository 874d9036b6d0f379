package dev.substraterouter.simulate.replay;

import java.time.Duration;
import java.time.Instant;

/**
 * The time that is replayed.
 *
 * @param from its beginning
 * @param length for how long; at most ten years, as long as a run may be
 */
record Window(Instant from, Duration length) {
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** Cuts it to what a run may be. */
    Window {
        length = length.compareTo(LONGEST) > 0 ? LONGEST : length;
    }

    boolean has(Instant at) {
        return !at.isBefore(from) && Duration.between(from, at).compareTo(length) < 0;
    }

    /** Nanoseconds from the beginning. */
    long nanos(Instant at) {
        return Duration.between(from, at).toNanos();
    }
}
