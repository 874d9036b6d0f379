package dev.substraterouter.simulate.replay;

import java.time.Duration;
import java.time.Instant;

/**
 * The time that is replayed.
 *
 * @param from its beginning
 * @param length for how long
 */
record Window(Instant from, Duration length) {
    boolean has(Instant at) {
        return !at.isBefore(from) && Duration.between(from, at).compareTo(length) < 0;
    }

    /** Nanoseconds from the beginning. */
    long nanos(Instant at) {
        return Duration.between(from, at).toNanos();
    }
}
