package dev.substraterouter.trace.jsonl;

import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.TraceReader.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The traces among lines, with their observations. Not thread-safe. */
final class TraceIterator implements Iterator<RoutingTrace> {
    private final LineCursor lines;
    private final Map<JsonLinesTraces.Place, Observation> observations;
    private @Nullable RoutingTrace next;

    TraceIterator(LineCursor lines, Map<JsonLinesTraces.Place, Observation> observations) {
        this.lines = lines;
        this.observations = observations;
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null && lines.next()) {
                next = trace();
            }
            return next != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public RoutingTrace next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        RoutingTrace trace = next;
        next = null;
        return trace;
    }

    private @Nullable RoutingTrace trace() {
        try {
            if (TraceReader.line(lines.line()) instanceof Line.OfTrace found) {
                Observation later = observations.get(JsonLinesTraces.Place.of(lines));
                return later == null ? found.trace() : found.trace().observed(later);
            }
        } catch (IllegalArgumentException e) {
            return null; // told when it was first read
        }
        return null;
    }
}
