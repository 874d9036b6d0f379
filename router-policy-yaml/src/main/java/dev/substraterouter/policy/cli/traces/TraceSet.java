package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.JsonLinesTraces;
import dev.substraterouter.trace.jsonl.JsonLinesTraces.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The traces of several files, one file after the other. Immutable. */
public final class TraceSet implements Iterable<RoutingTrace> {
    private final List<JsonLinesTraces> files;

    private TraceSet(List<JsonLinesTraces> files) {
        this.files = List.copyOf(files);
    }

    /**
     * The traces in files of JSON lines, or in directories of them. Blocks while they are read.
     *
     * @throws IOException if one cannot be read
     */
    public static TraceSet read(List<Path> files) throws IOException {
        List<JsonLinesTraces> traces = new ArrayList<>();
        for (Path file : files) {
            traces.add(JsonLinesTraces.read(file));
        }
        return new TraceSet(traces);
    }

    /** How many traces there are. */
    public long size() {
        return files.stream().mapToLong(JsonLinesTraces::size).sum();
    }

    /** How many lines are no traces that can be read. */
    public long skipped() {
        return files.stream().mapToLong(JsonLinesTraces::skipped).sum();
    }

    /** Those lines, of each file the first thousand. */
    public List<Skipped> skippedLines() {
        return files.stream().flatMap(file -> file.skippedLines().stream()).toList();
    }

    @Override
    public Iterator<RoutingTrace> iterator() {
        return files.stream().flatMap(JsonLinesTraces::stream).iterator();
    }
}
