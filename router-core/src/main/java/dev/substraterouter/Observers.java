package dev.substraterouter;

import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RouterListener;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.TraceSink;
import dev.substraterouter.trace.WaitEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells listeners, sinks and the log what happens, and keeps the last traces. Thread-safe; never blocks; nothing here can hurt a request.
 */
final class Observers {
    private static final int APART = 17; // references of four bytes: more than a line; odd: every place is used

    private final List<Mailbox<Supplier<RouterEvent>>> listeners = new ArrayList<>();
    private final List<Mailbox<Consumer<TraceSink>>> sinks = new ArrayList<>();
    private final boolean anyListener;
    private final InlineListeners inline;
    /** The last traces, in a ring whose length is a power of two: a division costs as much as the rest of keeping one. */
    private final AtomicReferenceArray<Journey> recent;

    private final int kept;
    private final Counter next = new Counter();
    /** By workload: whether its last placement fell back. Only workloads of the policy are keys. */
    private final Map<String, AtomicBoolean> fallenBack = new ConcurrentHashMap<>();

    Observers(String router, TimeSource time, SubstrateRouter.Builder builder) {
        Executor executor = builder.executor;
        if (builder.log) {
            listeners.add(new Mailbox<>("the log", executor, told(new LogLines(router, time))));
        }
        for (RouterListener listener : builder.listeners) {
            listeners.add(new Mailbox<>("listener " + name(listener), executor, told(listener)));
        }
        for (TraceSink sink : builder.sinks) {
            sinks.add(new Mailbox<>(
                    "trace sink " + name(sink), executor, (Consumer<TraceSink> step) -> step.accept(sink)));
        }
        anyListener = !builder.listeners.isEmpty();
        inline = new InlineListeners(time);
        kept = builder.recentTraces;
        recent = new AtomicReferenceArray<>(kept <= 1 ? kept : Integer.highestOneBit(kept - 1) << 1);
    }

    /** Those who are told at once. */
    InlineListeners inline() {
        return inline;
    }

    void tell(RouterEvent event) {
        tellLater(() -> event);
    }

    /** Puts an event in, under somebody's lock, in its order; {@link #carry} has it carried after the lock. */
    void put(RouterEvent event) {
        listeners.forEach(listener -> listener.put(() -> event));
        Flight.told(event); // into a buffer of this thread's own
    }

    /** Has carried what was put in. */
    void carry() {
        listeners.forEach(Mailbox::run);
    }

    /** Tells what has happened to a substrate, in order. What is told is put in under the cell's lock and carried after it. */
    void drain(Cell cell) {
        if (cell.drainEvents(this::put)) {
            carry();
        }
    }

    /** As {@link #tell}, with an event that is put together on the executor. */
    private void tellLater(Supplier<RouterEvent> event) {
        for (Mailbox<Supplier<RouterEvent>> listener : listeners) {
            listener.post(event);
        }
    }

    private static Consumer<Supplier<RouterEvent>> told(RouterListener listener) {
        return event -> listener.on(event.get());
    }

    void placed(HeldPlacement placement) {
        Decision decision = placement.decision();
        String workload = decision.route.workload;
        Journey journey = placement.journey();
        inline.placed(placement);
        if (anyListener) {
            tell(new RouterEvent.Placed(
                    journey.id(),
                    workload,
                    placement.substrateId(),
                    placement.attempt(),
                    Duration.ofNanos(placement.waitedNanos()),
                    placement.revision()));
        }
        if (decision.fellBack()) {
            fallenBack.computeIfAbsent(workload, name -> new AtomicBoolean()).set(true);
            tellLater(() -> new RouterEvent.FellBack(
                    journey.id(),
                    workload,
                    decision.route.primary().substrate.id,
                    placement.substrateId(),
                    decision.primaryFindings()));
        } else if (placement.plan().primary) {
            AtomicBoolean before = fallenBack.get(workload);
            if (before != null && before.get() && before.getAndSet(false)) {
                tell(new RouterEvent.Recovered(workload, placement.substrateId()));
            }
        }
    }

    void failed(HeldPlacement placement, FaultKind kind, String error) {
        if (anyListener) {
            Journey journey = placement.journey();
            tell(new RouterEvent.Failed(
                    journey.id(), journey.request().workload(), placement.substrateId(), kind, error));
        }
    }

    void queued(Journey journey, int waiting, int capacity) {
        if (anyListener) {
            tell(new RouterEvent.Queued(journey.id(), journey.request().workload(), waiting, capacity));
        }
    }

    /** Somebody waits no longer. */
    void waited(Pending pending, WaitEnd end) {
        inline.waited(pending, end);
    }

    void refused(Refusal refusal) {
        Journey journey = refusal.journey();
        tellLater(() -> new RouterEvent.Refused(
                journey.id(), journey.request().workload(), refusal.reason(), refusal.message()));
    }

    /** Keeps the trace of a request that has ended and hands it to the sinks. */
    void ended(Journey journey) {
        inline.ended(journey);
        if (kept > 0) {
            long number = next.next();
            recent.setRelease(place(number), journey);
            if (kept < recent.length()) {
                recent.setRelease(place(number - kept), null); // no more are held than are listed
            }
        }
        for (Mailbox<Consumer<TraceSink>> sink : sinks) {
            sink.post(telling -> telling.accept(journey.trace()));
        }
    }

    /** Adds what has become known of an answer to the trace, where it is still kept, and tells the sinks. */
    void observe(String requestId, Observation observation) {
        for (int at = 0; at < recent.length(); at++) {
            Journey journey = recent.get(at);
            if (journey != null && journey.id().equals(requestId)) {
                journey.observe(observation);
            }
        }
        for (Mailbox<Consumer<TraceSink>> sink : sinks) {
            sink.post(telling -> telling.observed(requestId, observation));
        }
    }

    /** How many events were dropped so far, over all listeners and the log. */
    long droppedEvents() {
        return listeners.stream().mapToLong(Mailbox::dropped).sum();
    }

    /** How many traces and observations were dropped so far, over all sinks. */
    long droppedTraces() {
        return sinks.stream().mapToLong(Mailbox::dropped).sum();
    }

    /** Forgets workloads that are not in the policy any more. */
    void keepOnly(Set<String> workloads) {
        fallenBack.keySet().retainAll(workloads);
    }

    /** The traces of the last requests that have ended, the newest first. */
    List<RoutingTrace> recentTraces() {
        List<RoutingTrace> traces = new ArrayList<>();
        long newest = next.get() - 1;
        for (int back = 0; back < kept && newest - back >= 0; back++) {
            Journey journey = recent.get(place(newest - back));
            if (journey != null) {
                traces.add(journey.trace());
            }
        }
        return traces;
    }

    /** Neighbours in time lie on different cache lines, so that two threads that end requests do not write to the same one. */
    private int place(long number) {
        return (int) number * APART & (recent.length() - 1);
    }

    private static String name(Object observer) {
        return observer.getClass().getName();
    }
}
