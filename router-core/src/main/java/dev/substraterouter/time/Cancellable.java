package dev.substraterouter.time;

/** Something scheduled that may be called off. Thread-safe. */
@FunctionalInterface
public interface Cancellable {
    /** Calls it off. Does nothing if it has run, runs now, or was called off before. Never blocks. */
    void cancel();
}
