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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The traces that a {@link JsonLinesTraceSink} has written, with what became known of them later. Immutable and thread-safe.
 *
 * <p>The files are read twice: once by {@link #read}, which notes the observations and what cannot be read, and again, trace by trace, by
 * each iteration. In memory are one trace, the ids of the last 1,000,000 traces and one observation for each trace that
 * has any, each of them about 200 bytes; so 512 MiB of files, as much as a sink keeps by default, take 200 MB at the very most. Both see the files as long as they were when {@code read}
 * began, so a sink may go on writing; files that it has deleted since then are left out.
 *
 * <p>An observation belongs to the nearest trace before it that has its request id: ids may come again when a router starts anew. Where
 * several know a figure, the one that stands last counts, what the trace itself holds included. An observation without a trace before it, or
 * with one that more than 1,000,000 traces follow, is dropped and counted by {@link #dropped}.
 *
 * <p>Lines that are no traces or observations of this format are skipped and told by file and line: torn ones, other types and versions, words
 * that a newer version has added. Keys that are not known are ignored.
 */
public final class JsonLinesTraces implements Iterable<RoutingTrace> {
    private static final int MOST_TOLD = 1_000;
    private static final int MOST_KEPT = 1_000_000;

    private final Map<Path, Long> files;
    private final Map<Place, Observation> observations;
    private final List<Skipped> skippedLines;
    private final long skipped;
    private final long traces;
    private final long dropped;

    private JsonLinesTraces(Map<Path, Long> files, Notes notes) {
        this.files = files;
        observations = notes.observations;
        dropped = notes.dropped;
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
        return read(fileOrDirectory, MOST_KEPT);
    }

    /** Remembers so many traces while it looks for their observations. */
    static JsonLinesTraces read(Path fileOrDirectory, int mostKept) throws IOException {
        Map<Path, Long> files = LineCursor.lengths(fileOrDirectory);
        Notes notes = new Notes(mostKept);
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

    /** How many observations belong to no trace. */
    public long dropped() {
        return dropped;
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

    /** Where a line stands. */
    record Place(Path file, long line) {
        static Place of(LineCursor lines) {
            return new Place(lines.file(), lines.number());
        }
    }

    /** What the first reading notes. */
    private static final class Notes {
        private final Map<Place, Observation> observations = new HashMap<>();
        /** The last trace of each id, in the order of the traces. */
        private final Map<String, Place> last = new LinkedHashMap<>();

        private final List<Skipped> skippedLines = new ArrayList<>();
        private final int mostKept;
        private long skipped;
        private long traces;
        private long dropped;

        Notes(int mostKept) {
            this.mostKept = mostKept;
        }

        void take(LineCursor lines) {
            try {
                Line line = TraceReader.line(lines.line());
                if (line instanceof Line.OfTrace found) {
                    trace(found.trace().requestId(), Place.of(lines));
                } else if (line instanceof Line.OfObservation later) {
                    observation(later);
                }
            } catch (IllegalArgumentException e) {
                skip(new Skipped(lines.file(), lines.number(), String.valueOf(e.getMessage())));
            }
        }

        private void trace(String id, Place place) {
            traces++;
            last.remove(id); // or it would keep its place in the order
            last.put(id, place);
            if (last.size() > mostKept) {
                last.remove(last.keySet().iterator().next());
            }
        }

        private void observation(Line.OfObservation later) {
            Place trace = last.get(later.requestId());
            if (trace == null) {
                dropped++;
            } else {
                observations.merge(trace, later.observation(), Observation::with);
            }
        }

        private void skip(Skipped line) {
            skipped++;
            if (skippedLines.size() < MOST_TOLD) {
                skippedLines.add(line);
            }
        }
    }
}
