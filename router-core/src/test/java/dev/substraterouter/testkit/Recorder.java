package dev.substraterouter.testkit;

import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RouterListener;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.TraceSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps everything that a router tells: add it as listener and as trace sink. Grows without bound. Thread-safe. */
public final class Recorder implements RouterListener, TraceSink {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RouterEvent> events = new ArrayList<>();
    private final List<RoutingTrace> traces = new ArrayList<>();

    /** A recorder that has heard nothing. */
    public Recorder() {}

    @Override
    public void on(RouterEvent event) {
        lock.lock();
        try {
            events.add(event);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void accept(RoutingTrace trace) {
        lock.lock();
        try {
            traces.add(trace);
        } finally {
            lock.unlock();
        }
    }

    /** All events so far, in the order in which they were told. */
    public List<RouterEvent> events() {
        return copy(events);
    }

    /** The events of one sort so far. */
    public <E> List<E> heard(Class<E> sort) {
        return events().stream().filter(sort::isInstance).map(sort::cast).toList();
    }

    /** All traces so far, in the order in which the requests ended. */
    public List<RoutingTrace> traces() {
        return copy(traces);
    }

    /** Forgets the events and keeps the traces. */
    public void forgetEvents() {
        lock.lock();
        try {
            events.clear();
        } finally {
            lock.unlock();
        }
    }

    private <T> List<T> copy(List<T> from) {
        lock.lock();
        try {
            return List.copyOf(from);
        } finally {
            lock.unlock();
        }
    }
}
