package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RouterListener;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.TraceSink;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells operators what happens as server-sent events: the router's events ({@code placed}, {@code fell-back}, …), the trace of every
 * request that has ended ({@code decision}), and what operators did ({@code operated}). To be given to the router's builder as a listener
 * and as a trace sink.
 *
 * <p>Never blocks and never grows: at most {@value #STREAMS} streams, each with a bounded queue. A client that does not keep up loses
 * events and is told how many by a {@code lost} event. The router's threads only put events into queues; they are written in batches, every
 * 20 ms at the most, on the thread of the time source, which should therefore not be that of anything urgent. Thread-safe.
 */
public final class Events implements RouterListener, TraceSink, AutoCloseable {
    /** How many streams there may be at once. */
    public static final int STREAMS = 16;

    private static final Duration BATCH = Duration.ofMillis(20);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    /** Added to under the lock, so that a stream's first event follows what it was given of the ring. */
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();

    private final Ring ring;
    private boolean closed; // guarded by the lock
    private boolean writing; // guarded by the lock: whether a batch is due
    private @Nullable Cancellable heart; // guarded by the lock

    /** Events without a stream yet; what is told is written, and the streams' hearts beat, by this time. */
    public Events(TimeSource time) {
        this.time = time;
        this.ring = new Ring(time);
    }

    @Override
    public void on(RouterEvent event) {
        tell(kebab(event.getClass().getSimpleName()), event);
    }

    @Override
    public void accept(RoutingTrace trace) {
        tell("decision", trace);
    }

    /** How many streams are open now. */
    public int streams() {
        return streams.size();
    }

    /** Ends every stream; there will be no others. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (heart != null) {
                heart.cancel();
            }
        } finally {
            lock.unlock();
        }
        streams.forEach(EventStream::close);
    }

    /** Tells every stream. */
    void tell(String type, Object fact) {
        lock.lock();
        try {
            Event event = ring.add(type, fact);
            streams.forEach(stream -> stream.offer(event));
            if (!writing && !streams.isEmpty()) {
                writing = true;
                time.schedule(BATCH, this::write);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Opens a stream.
     *
     * @param lastSeen the id of the last event that the client has seen; null: it has seen none
     * @param allowed whether the caller may still look; asked at every heartbeat
     * @return false when there are too many, or no more will be told
     */
    boolean open(AsyncContext context, @Nullable String lastSeen, BooleanSupplier allowed) throws IOException {
        EventStream stream = new EventStream(context, time, allowed, streams::remove);
        lock.lock();
        try {
            if (closed || streams.size() >= STREAMS) {
                return false;
            }
            ring.after(lastSeen).forEach(stream::offer);
            streams.add(stream);
            if (heart == null) {
                heart = time.schedule(HEARTBEAT, this::beat);
            }
        } finally {
            lock.unlock();
        }
        stream.beat(); // the client learns at once that it is connected
        stream.start();
        return true;
    }

    private void write() {
        lock.lock();
        try {
            writing = false;
        } finally {
            lock.unlock();
        }
        streams.forEach(EventStream::write);
    }

    private void beat() {
        streams.forEach(EventStream::beat);
        lock.lock();
        try {
            heart = closed || streams.isEmpty() ? null : time.schedule(HEARTBEAT, this::beat);
        } finally {
            lock.unlock();
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
