package dev.substraterouter.time;

import java.time.Duration;
import java.time.Instant;

/**
 * The time a router lives by. Implementations are thread-safe.
 *
 * <p>Every deadline is kept on {@link #nanos()} and compared by difference ({@code now - then}), so the origin does not matter, it may be
 * negative, and it may wrap. {@link #wall()} is only ever shown to people.
 */
public interface TimeSource {
    /** Monotonic nanoseconds from an arbitrary origin, as {@link System#nanoTime()}. */
    long nanos();

    /** The wall clock, for people to read. May jump; nothing is decided by it. */
    Instant wall();

    /**
     * Runs a short, non-blocking task once after a delay, on a thread of the time source.
     *
     * @param delay how long from now; zero or negative means as soon as possible
     * @param task what to run; it must not throw and runs no code of a host
     * @return a handle that calls it off
     */
    Cancellable schedule(Duration delay, Runnable task);
}
