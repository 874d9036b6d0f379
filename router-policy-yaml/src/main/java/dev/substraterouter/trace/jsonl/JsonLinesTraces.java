package dev.substraterouter.trace.jsonl;

import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.TraceReader.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The traces that a {@link JsonLinesTraceSink} has written, with what became known of them later. Immutable and thread-safe.
 *
 * <p>The files are read twice: once by {@link #read}, which notes the observations and what cannot be read, and again, trace by trace, by
 * each iteration. In memory are the observations and one trace, not all traces. Both see the files as long as they were when {@code read}
 * began, so a sink may go on writing; files that it has deleted since then are left out.
 *
 * <p>An observation belongs to every trace with its request id, wherever it stands. Where several know a figure, the one that stands last
 * counts, what the trace itself holds included. An observation without a trace is dropped.
 *
 * <p>Lines that are no traces or observations of this format are skipped and told by file and line: torn ones, other types and versions, words
 * that a newer version has added. Keys that are not known are ignored.
 */
public final class JsonLinesTraces implements Iterable<RoutingTrace> {
    private static final int MOST_TOLD = 1_000;

    private final Map<Path, Long> files;
    private final Map<String, Observation> observations;
    private final List<Skipped> skippedLines;
    private final long skipped;
    private final long traces;

    private JsonLinesTraces(Map<Path, Long> files, Notes notes) {
        this.files = files;
        observations = Map.copyOf(notes.observations);
        skippedLines = List.copyOf(notes.skippedLines);
        skipped = notes.skipped;
        traces = notes.traces;
    }

    /**
     * The traces in a file, or in the files of a sink's directory. Blocks while they are read.
     *
     * @param fileOrDirectory a file of JSON lines, or a directory, in which only files with the sink's names are read, oldest first
     * @throws NoSuchFileException if there is neither
     * @throws IOException if a file cannot be read
     */
    public static JsonLinesTraces read(Path fileOrDirectory) throws IOException {
        Map<Path, Long> files = LineCursor.lengths(fileOrDirectory);
        Notes notes = new Notes();
        try (LineCursor lines = new LineCursor(files)) {
            while (lines.next()) {
                notes.take(lines);
            }
        }
        return new JsonLinesTraces(files, notes);
    }

    /** How many traces there are. */
    public long size() {
        return traces;
    }

    /** How many lines were skipped. */
    public long skipped() {
        return skipped;
    }

    /** The lines that were skipped, in order; of more than 1,000, the first 1,000. */
    public List<Skipped> skippedLines() {
        return skippedLines;
    }

    /**
     * The traces in the order in which they were written, with their observations. One file is open until the last trace of it was taken, or
     * the iterator is collected. Methods of the iterator block and throw {@link UncheckedIOException} if a file cannot be read any more.
     */
    @Override
    public Iterator<RoutingTrace> iterator() {
        return new TraceIterator(new LineCursor(files), observations);
    }

    /** The traces of {@link #iterator} as a stream, which need not be closed. */
    public Stream<RoutingTrace> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /**
     * A line that was skipped.
     *
     * @param file the file
     * @param line which line, from 1
     * @param why what is wrong, without repeating the line
     */
    public record Skipped(Path file, long line, String why) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + why;
        }
    }

    /** What the first reading notes. */
    private static final class Notes {
        private final Map<String, Observation> observations = new HashMap<>();
        private final List<Skipped> skippedLines = new ArrayList<>();
        private long skipped;
        private long traces;

        void take(LineCursor lines) {
            try {
                Line line = TraceReader.line(lines.line());
                if (line instanceof Line.OfTrace found) {
                    take(found.trace());
                } else if (line instanceof Line.OfObservation later) {
                    observations.merge(later.requestId(), later.observation(), Observation::with);
                }
            } catch (IllegalArgumentException e) {
                skip(new Skipped(lines.file(), lines.number(), String.valueOf(e.getMessage())));
            }
        }

        private void take(RoutingTrace trace) {
            traces++;
            trace.observation()
                    .ifPresent(own ->
                            observations.computeIfPresent(trace.requestId(), (id, earlier) -> earlier.with(own)));
        }

        private void skip(Skipped line) {
            skipped++;
            if (skippedLines.size() < MOST_TOLD) {
                skippedLines.add(line);
            }
        }
    }
}
