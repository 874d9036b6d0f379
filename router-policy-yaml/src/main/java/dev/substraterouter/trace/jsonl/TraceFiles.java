package dev.substraterouter.trace.jsonl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines to the newest of a bounded number of files. Not thread-safe.
 *
 * <p>Everything that can go wrong ends in the same state, in which no file is open. The next line opens the newest file again and mends it,
 * exactly as after a crash: where the last line has no end, it gets one. Nothing that was whole is touched, and what is left of a torn line
 * stands on a line of its own, where a reader skips and counts it.
 */
final class TraceFiles {
    private static final byte[] LINE_BREAK = {'\n'};

    private final Path directory;
    private final long maxFileBytes;
    private final int maxFiles;
    private final int forceEvery;
    private final LineFile.Opener opener;
    private @Nullable LineFile newest;
    private int unforced;

    TraceFiles(Path directory, long maxFileBytes, int maxFiles, int forceEvery, LineFile.Opener opener) {
        this.directory = directory;
        this.maxFileBytes = maxFileBytes;
        this.maxFiles = maxFiles;
        this.forceEvery = forceEvery;
        this.opener = opener;
    }

    /** Opens the newest file, or the first one, and deletes the oldest of too many. */
    void open() throws IOException {
        List<Path> files = TraceDirectory.files(directory);
        deleteOldest(files, maxFiles);
        newest = files.isEmpty() ? create() : mended(opener.open(files.get(files.size() - 1)));
    }

    /** Writes a line; when it fails, the line is cut off again where that is possible. */
    void append(byte[] line) throws IOException {
        try {
            write(room(line.length), line);
        } catch (Throwable e) { // an error may leave a torn line as well
            abandon(e);
            throw e;
        }
    }

    /** Forces what has not been forced. */
    void flush() throws IOException {
        try {
            if (unforced > 0) {
                force(current());
            }
        } catch (Throwable e) { // an error may leave a torn line as well
            abandon(e);
            throw e;
        }
    }

    /** Forces what has not been forced, and closes the file. */
    void close() throws IOException {
        try {
            flush();
        } finally {
            LineFile file = newest;
            newest = null;
            if (file != null) {
                file.close();
            }
        }
    }

    private void write(LineFile file, byte[] line) throws IOException {
        long before = file.length();
        try {
            file.append(line);
            unforced++;
            if (unforced >= forceEvery) {
                force(file);
            }
        } catch (Throwable e) {
            tidy(e, () -> file.truncate(before));
            throw e;
        }
    }

    private void force(LineFile file) throws IOException {
        file.force();
        unforced = 0;
    }

    private LineFile current() throws IOException {
        if (newest == null) {
            open();
        }
        return Objects.requireNonNull(newest);
    }

    private LineFile room(int bytes) throws IOException {
        LineFile file = current();
        long length = file.length();
        return length == 0 || length + bytes <= maxFileBytes ? file : turnOver(file);
    }

    private LineFile turnOver(LineFile full) throws IOException {
        flush();
        List<Path> files = TraceDirectory.files(directory);
        deleteOldest(files, maxFiles - 1);
        LineFile next = create();
        newest = next;
        full.close();
        return next;
    }

    private LineFile create() throws IOException {
        Path path = TraceDirectory.next(directory);
        LineFile file = opener.open(path);
        try {
            TraceDirectory.force(directory);
            return file;
        } catch (Throwable e) {
            tidy(e, file::close);
            tidy(e, () -> Files.deleteIfExists(path)); // or each further try would count as a file
            throw e;
        }
    }

    private static void deleteOldest(List<Path> files, int most) throws IOException {
        for (Path file : files.subList(0, Math.max(0, files.size() - most))) {
            Files.deleteIfExists(file);
        }
    }

    private static LineFile mended(LineFile file) throws IOException {
        try {
            if (file.isTorn()) {
                file.append(LINE_BREAK);
            }
            return file;
        } catch (Throwable e) {
            tidy(e, file::close);
            throw e;
        }
    }

    private void abandon(Throwable why) {
        LineFile file = newest;
        newest = null;
        if (file != null) {
            tidy(why, file::close);
        }
    }

    private static void tidy(Throwable why, OnDisk action) {
        try {
            action.run();
        } catch (Throwable e) {
            if (e != why) {
                why.addSuppressed(e);
            }
        }
    }

    /** Something that may fail. */
    @FunctionalInterface
    interface OnDisk {
        /** Does it. */
        void run() throws IOException;
    }
}
