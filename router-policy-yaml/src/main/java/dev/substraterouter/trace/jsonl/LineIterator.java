package dev.substraterouter.trace.jsonl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What is found among lines, in their order. A line that holds nothing of the kind, or cannot be read, is left out: that was told when it
 * was first read. Not thread-safe.
 *
 * @param <T> what is looked for
 */
abstract class LineIterator<T> implements Iterator<T> {
    private final LineCursor lines;
    private @Nullable T next;

    LineIterator(LineCursor lines) {
        this.lines = lines;
    }

    /**
     * What the line holds at which the cursor stands; null: nothing of the kind.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    abstract @Nullable T read(LineCursor at);

    @Override
    public final boolean hasNext() {
        try {
            while (next == null && lines.next()) {
                next = readable();
            }
            return next != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable T readable() {
        try {
            return read(lines);
        } catch (IllegalArgumentException e) {
            return null; // told when it was first read
        }
    }

    @Override
    public final T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        T found = next;
        next = null;
        return found;
    }
}
