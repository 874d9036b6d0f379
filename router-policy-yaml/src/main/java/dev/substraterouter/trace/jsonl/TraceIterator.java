package dev.substraterouter.trace.jsonl;

import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.TraceReader.Line;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The traces among lines, with their observations. Not thread-safe. */
final class TraceIterator extends LineIterator<RoutingTrace> {
    private final Map<JsonLinesTraces.Place, Observation> observations;

    TraceIterator(LineCursor lines, Map<JsonLinesTraces.Place, Observation> observations) {
        super(lines);
        this.observations = observations;
    }

    @Override
    @Nullable
    RoutingTrace read(LineCursor at) {
        if (TraceReader.line(at.line()) instanceof Line.OfTrace found) {
            Observation later = observations.get(JsonLinesTraces.Place.of(at));
            return later == null ? found.trace() : found.trace().observed(later);
        }
        return null;
    }
}
