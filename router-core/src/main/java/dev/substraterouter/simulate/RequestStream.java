package dev.substraterouter.simulate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The requests of a scenario in the order of their arrival; of several traffics with the same time the first one's first. */
final class RequestStream implements Iterator<SimulatedRequest> {
    private final List<TrafficStream> streams = new ArrayList<>();
    private final long endNanos;
    private long number;

    RequestStream(Scenario scenario) {
        this.endNanos = scenario.length().toNanos();
        for (int at = 0; at < scenario.traffic().size(); at++) {
            streams.add(new TrafficStream(scenario.traffic().get(at), scenario.seed(), at));
        }
    }

    @Override
    public boolean hasNext() {
        TrafficStream first = first();
        return first != null && first.nextNanos() < endNanos;
    }

    @Override
    public SimulatedRequest next() {
        TrafficStream first = first();
        if (first == null || first.nextNanos() >= endNanos) {
            throw new NoSuchElementException("no further request");
        }
        return first.take(number++);
    }

    private @Nullable TrafficStream first() {
        TrafficStream first = null;
        for (TrafficStream stream : streams) {
            if (first == null || stream.nextNanos() < first.nextNanos()) {
                first = stream;
            }
        }
        return first;
    }
}
