package dev.substraterouter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A number that every request raises, alone on its cache lines: what lies beside it is read by every request too, and would otherwise be
 * fetched anew from the other core each time. Thread-safe; nothing here blocks.
 */
final class Counter {
    private static final int LINE = 16; // longs; two lines, since the neighbour of a line is fetched with it

    private final AtomicLongArray padded = new AtomicLongArray(2 * LINE);

    /** The number now. */
    long get() {
        return padded.get(LINE);
    }

    /** Raises it by one; returns what it was. */
    long next() {
        return padded.getAndIncrement(LINE);
    }
}
