package dev.substraterouter.simulate.replay;

import dev.substraterouter.simulate.Arrivals.Recorded;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.jsonl.JsonLinesTraces;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The requests of traces in the order of their arrival; read anew by each iteration.
 *
 * <p>Traces are written when requests end, so a long one stands behind many that came later. A bounded number of requests is held back and
 * given out by age; one that stands even further behind comes with the oldest still held.
 */
final class TracedRequests implements Iterable<Recorded.Request> {
    /** How many requests are held back. */
    static final int HELD = 100_000;

    private static final double NANOS = 1e9;

    private final JsonLinesTraces traces;
    private final Window window;
    private final Clients clients;
    private final Predicate<String> workloads;
    private final int held;

    TracedRequests(JsonLinesTraces traces, Window window, Clients clients, Predicate<String> workloads, int held) {
        this.traces = traces;
        this.window = window;
        this.clients = clients;
        this.workloads = workloads;
        this.held = held;
    }

    @Override
    public Iterator<Recorded.Request> iterator() {
        return new Sorting(traces.iterator());
    }

    /** A request that has been read. */
    private record Read(long nanos, long number, String workload, String requestClass) {}

    private final class Sorting implements Iterator<Recorded.Request> {
        private final Iterator<RoutingTrace> source;
        private final PriorityQueue<Read> oldest =
                new PriorityQueue<>(Comparator.comparingLong(Read::nanos).thenComparingLong(Read::number));
        private long number;
        private long last;

        Sorting(Iterator<RoutingTrace> source) {
            this.source = source;
        }

        @Override
        public boolean hasNext() {
            while (oldest.size() <= held && source.hasNext()) {
                RoutingTrace trace = source.next();
                if (window.has(trace.askedAt()) && workloads.test(trace.workload())) {
                    oldest.add(
                            new Read(window.nanos(trace.askedAt()), number++, trace.workload(), clients.nameOf(trace)));
                }
            }
            return !oldest.isEmpty();
        }

        @Override
        public Recorded.Request next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Read read = oldest.remove();
            last = Math.max(last, read.nanos);
            return new Recorded.Request(
                    last / NANOS, Optional.of(read.workload), Optional.of(read.requestClass), OptionalDouble.empty());
        }
    }
}
