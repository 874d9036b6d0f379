package dev.substraterouter.trace.jsonl;

import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.TraceSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps traces as JSON lines in a directory of its own. Thread-safe.
 *
 * <pre>{@code
 * try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory)) {
 *     try (SubstrateRouter router = SubstrateRouter.builder()
 *             .policy(policy)
 *             .executor(executor)
 *             .traceSink(sink)
 *             .build()) {
 *         route(router);
 *     }
 *     executor.shutdown(); // what the router has handed over is still written
 *     executor.awaitTermination(10, TimeUnit.SECONDS);
 * }
 * PathReport report = PathReport.of(JsonLinesTraces.read(directory));
 * }</pre>
 *
 * <p><b>What is kept.</b> When {@link #accept} or {@link #observed} has returned, the line is in the file, and a crash of the process does not
 * lose it. By default it is also forced to the disk, and a crash of the machine does not lose it either; {@link Builder#forceEvery} trades
 * that for speed. What is torn by a crash was not acknowledged: the next sink ends the torn line and goes on behind it, and {@link
 * JsonLinesTraces} skips it. Only the bound loses lines: the oldest file is deleted when a new one would be one too many.
 * The router drops and counts traces that a sink is too slow for before they come here.
 *
 * <p><b>When the disk fails</b>, {@code accept} throws an {@link UncheckedIOException}, which the router logs. What was written of such a
 * line is cut off again; where even that fails, a part of it stands alone and is skipped by readers, or all of it is there and is read. The
 * next {@code accept} opens the file anew. Interrupting the thread does no harm.
 *
 * <p><b>Files.</b> {@code traces-000000000001.jsonl} and so on, in ASCII, numbered by age. Where the system knows POSIX
 * permissions, they are made for their owner only, and so is the directory; symbolic links are not written through. A file may exceed its bound only by
 * holding a single line that does; a line of more than 16 MiB is refused. {@code traces.lock} keeps a second sink out of the directory, also
 * one of another process.
 *
 * <p><b>The format</b>, version 1. A line is {@code {"type":"trace","v":1,"request_id":...}}, or, for what became known later, {@code
 * {"type":"observation","v":1,"request_id":...,"quality":0.9,"reviewed":false,"cost":0.02,"vram_gb":11.5}}. A trace has the components of
 * {@link RoutingTrace}, its attempts those of {@link dev.substraterouter.trace.Attempt} and so on down, under their names in snake case; {@code
 * considered} holds {@code substrate_id}, {@code admissible} and {@code findings} of {@code reason} and {@code text}. The constants of enums
 * are in lower case, {@code asked_at} is an ISO 8601 instant, durations are seconds with up to nine decimals and end in {@code _s}. {@code
 * attributes} is an object; {@code other_attributes} has those whose names are no Unicode, as objects of {@code name} and {@code value}. What
 * is empty or unknown is left out. Readers ignore keys they do not know. Nothing is written but what the trace holds.
 */
public final class JsonLinesTraceSink implements TraceSink, AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final DirectoryLock ownership;
    private final TraceFiles files; // guarded by lock
    private boolean closed; // guarded by lock

    private JsonLinesTraceSink(DirectoryLock ownership, TraceFiles files) {
        this.ownership = ownership;
        this.files = files;
    }

    /**
     * A sink with the defaults of the builder. Blocks on the disk.
     *
     * @param directory a directory of its own, which is made if there is none
     * @throws IOException if the directory cannot be used, or another sink has it
     */
    public static JsonLinesTraceSink open(Path directory) throws IOException {
        return builder(directory).open();
    }

    /**
     * A builder for a sink.
     *
     * @param directory a directory of its own, which is made if there is none
     */
    public static Builder builder(Path directory) {
        return new Builder(directory);
    }

    /**
     * Writes a trace. Blocks on the disk.
     *
     * @throws UncheckedIOException if it cannot be written
     * @throws IllegalStateException if the sink is closed
     */
    @Override
    public void accept(RoutingTrace trace) {
        append(TraceWriter.trace(trace));
    }

    /**
     * Writes what became known of a request. Blocks on the disk.
     *
     * @throws UncheckedIOException if it cannot be written
     * @throws IllegalStateException if the sink is closed
     */
    @Override
    public void observed(String requestId, Observation observation) {
        append(TraceWriter.observation(requestId, observation));
    }

    /**
     * Forces all lines to the disk that {@link Builder#forceEvery} has left. Blocks on the disk.
     *
     * @throws UncheckedIOException if that fails; lines since the last time may be lost when the machine crashes
     * @throws IllegalStateException if the sink is closed
     */
    public void flush() {
        locked(() -> {
            refuseIfClosed();
            files.flush();
        });
    }

    /**
     * Forces all lines to the disk and gives the directory free. Blocks on the disk; again, it does nothing.
     *
     * @throws UncheckedIOException if that fails; it is closed nevertheless
     */
    @Override
    public void close() {
        locked(() -> {
            if (!closed) {
                closed = true;
                try {
                    files.close();
                } finally {
                    ownership.close();
                }
            }
        });
    }

    private void append(byte[] line) {
        locked(() -> {
            refuseIfClosed();
            if (line.length > LineReader.MAX_LINE) {
                throw new IOException(
                        "a line of " + line.length + " bytes (expected: at most " + LineReader.MAX_LINE + ")");
            }
            files.append(line);
        });
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new IllegalStateException("the trace sink is closed");
        }
    }

    private void locked(TraceFiles.OnDisk action) {
        lock.lock();
        try {
            action.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Builds a {@link JsonLinesTraceSink}. A setter refuses what is out of range with {@link IllegalArgumentException}. Not thread-safe. */
    public static final class Builder {
        private static final long DEFAULT_BYTES = 64L << 20;

        private final Path directory;
        private long maxFileBytes = DEFAULT_BYTES;
        private int maxFiles = 8;
        private int forceEvery = 1;
        private LineFile.Opener opener = LineFile::onDisk;

        private Builder(Path directory) {
            this.directory = directory;
        }

        /** How long a file may get, in bytes, 1 or more; default 64 MiB. */
        public Builder maxFileBytes(long bytes) {
            maxFileBytes = atLeast(1, "maxFileBytes", bytes);
            return this;
        }

        /** How many files are kept, 2 or more; default 8. */
        public Builder maxFiles(int files) {
            maxFiles = (int) atLeast(2, "maxFiles", files);
            return this;
        }

        /**
         * After how many lines they are forced to the disk, 1 or more; default 1, which means each before it is acknowledged. With n, a
         * crash of the machine loses up to n - 1 lines that were acknowledged; a crash of the process loses none. There is no timer: lines
         * that no others follow stay until {@link JsonLinesTraceSink#flush} or {@link JsonLinesTraceSink#close}.
         */
        public Builder forceEvery(int lines) {
            forceEvery = (int) atLeast(1, "forceEvery", lines);
            return this;
        }

        Builder opener(LineFile.Opener value) {
            opener = value;
            return this;
        }

        /**
         * The sink, which goes on with the newest file that is there. Blocks on the disk.
         *
         * @throws IOException if the directory cannot be used, or another sink has it
         */
        public JsonLinesTraceSink open() throws IOException {
            Files.createDirectories(directory, Private.directory(directory));
            TraceFiles files = new TraceFiles(directory, maxFileBytes, maxFiles, forceEvery, opener);
            DirectoryLock ownership = DirectoryLock.take(directory);
            try {
                files.open();
                return new JsonLinesTraceSink(ownership, files);
            } catch (Throwable e) {
                try (ownership) {
                    throw e;
                }
            }
        }

        private static long atLeast(long least, String what, long value) {
            if (value < least) {
                throw new IllegalArgumentException(what + ": " + value + " (expected: >= " + least + ")");
            }
            return value;
        }
    }
}
