package dev.substraterouter.trace.jsonl;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the first bytes of a file line by line. Only {@code \n} ends a line. Not thread-safe. */
final class LineReader implements Closeable {
    /** The longest line, in bytes. */
    static final int MAX_LINE = 16 << 20;

    private static final int BLOCK = 1 << 16;

    private final FileInputStream in; // closes itself when nobody holds it any more
    private final byte[] block = new byte[BLOCK];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long left;
    private int from;
    private int to;
    private long number;
    private boolean tooLong;

    /** Reads up to {@code bytes} bytes of a file. */
    LineReader(Path file, long bytes) throws IOException {
        in = new FileInputStream(file.toFile());
        left = bytes;
    }

    /** Goes to the next line; whether there is one. The last one need not end. */
    boolean next() throws IOException {
        line.reset();
        tooLong = false;
        boolean any = false;
        while (from < to || fill()) {
            any = true;
            if (take()) {
                break;
            }
        }
        number += any ? 1 : 0;
        return any;
    }

    /** Which line it is, from 1. */
    long number() {
        return number;
    }

    /**
     * The line without its end.
     *
     * @throws IllegalArgumentException if it is too long
     */
    byte[] line() {
        if (tooLong) {
            throw new IllegalArgumentException("longer than " + MAX_LINE + " bytes");
        }
        return line.toByteArray();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Takes what the block has of the line; whether it ends there. */
    private boolean take() {
        int end = from;
        while (end < to && block[end] != '\n') {
            end++;
        }
        tooLong |= line.size() + (end - from) > MAX_LINE;
        if (tooLong) {
            line.reset();
        } else {
            line.write(block, from, end - from);
        }
        boolean ends = end < to;
        from = ends ? end + 1 : end;
        return ends;
    }

    private boolean fill() throws IOException {
        int read = left <= 0 ? -1 : in.read(block, 0, (int) Math.min(BLOCK, left));
        from = 0;
        to = Math.max(0, read);
        left -= to;
        return to > 0;
    }
}
