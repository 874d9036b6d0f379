package dev.substraterouter.trace.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes through the lines of some files, one after the other. Files that are no longer there are passed over. Not thread-safe. */
final class LineCursor implements Closeable {
    private final Iterator<Map.Entry<Path, Long>> files;
    private @Nullable Path file;
    private @Nullable LineReader reader;

    /** Before the first line of files, of each of which so many bytes are read. */
    LineCursor(Map<Path, Long> files) {
        this.files = files.entrySet().iterator();
    }

    /** The file, or the files of a directory, oldest first, with how long they are now. */
    static Map<Path, Long> lengths(Path fileOrDirectory) throws IOException {
        boolean directory = Files.isDirectory(fileOrDirectory);
        if (!directory && Files.notExists(fileOrDirectory)) {
            throw new NoSuchFileException(fileOrDirectory.toString());
        }
        Map<Path, Long> lengths = new LinkedHashMap<>();
        for (Path file : directory ? TraceDirectory.files(fileOrDirectory) : List.of(fileOrDirectory)) {
            try {
                lengths.put(file, Files.size(file));
            } catch (NoSuchFileException e) {
                lengths.remove(file); // turned over meanwhile
            }
        }
        return lengths;
    }

    /** Goes to the next line; whether there is one. */
    boolean next() throws IOException {
        while (reader != null || openNext()) {
            if (Objects.requireNonNull(reader).next()) {
                return true;
            }
            close();
        }
        return false;
    }

    /** The file of the line. */
    Path file() {
        return Objects.requireNonNull(file);
    }

    /** Which line of the file it is, from 1. */
    long number() {
        return Objects.requireNonNull(reader).number();
    }

    /**
     * The line without its end.
     *
     * @throws IllegalArgumentException if it is too long
     */
    byte[] line() {
        return Objects.requireNonNull(reader).line();
    }

    @Override
    public void close() throws IOException {
        LineReader open = reader;
        reader = null;
        if (open != null) {
            open.close();
        }
    }

    private boolean openNext() throws IOException {
        while (files.hasNext()) {
            Map.Entry<Path, Long> next = files.next();
            try {
                reader = new LineReader(next.getKey(), next.getValue());
                file = next.getKey();
                return true;
            } catch (IOException e) {
                if (!Files.notExists(next.getKey())) {
                    throw e;
                }
            }
        }
        return false;
    }
}
