package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.time.TimeSource;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The stream of one operator. No thread waits for it: whoever has events written writes as much as the connection takes, the container
 * goes on when it takes more. Thread-safe.
 *
 * <p><b>How the races end.</b> One thread at a time writes: who finds another at it only counts up, and the other goes round once more.
 * Whether the connection takes bytes is set to no before it is asked, so that the container's "now it does" is never overwritten.
 */
final class EventStream implements WriteListener, AsyncListener {
    /** More than the ring holds, so that a stream that resumes loses nothing at its start. */
    static final int PLACES = 2 * Ring.SIZE;

    private static final Logger LOG = System.getLogger(EventStream.class.getName());
    private static final byte[] HEARTBEAT = ": still here\n\n".getBytes(StandardCharsets.US_ASCII);

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final TimeSource time;
    private final BooleanSupplier allowed;
    private final Consumer<EventStream> ended;
    private final ConcurrentLinkedQueue<Event> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean writable;
    private volatile boolean beat;
    private volatile boolean closing;
    private boolean unflushed = true; // the head is; touched by whoever writes

    EventStream(AsyncContext context, TimeSource time, BooleanSupplier allowed, Consumer<EventStream> ended)
            throws IOException {
        this.context = context;
        this.time = time;
        this.out = context.getResponse().getOutputStream();
        this.allowed = allowed;
        this.ended = ended;
    }

    /** Begins to write, with what was offered before. */
    void start() {
        context.addListener(this);
        out.setWriteListener(this);
    }

    /** Takes an event in, or counts it as lost. {@link #write} has it written. */
    void offer(Event event) {
        if (size.get() >= PLACES) {
            lost.incrementAndGet();
            return;
        }
        long missed = lost.getAndSet(0);
        if (missed > 0) {
            add(Event.lost(time.wall(), missed));
        }
        add(event);
    }

    /** Shows the client that it is still connected, and finds out whether it is; ends the stream of a caller who may not look any more. */
    void beat() {
        if (allowed.getAsBoolean()) {
            beat = true;
            write();
        } else {
            close();
        }
    }

    /** Ends it as soon as what was begun is written. */
    void close() {
        closing = true;
        write();
    }

    /** Writes what is there as far as the connection takes it. Never blocks. */
    void write() {
        if (rounds.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        while (seen > 0) {
            round();
            seen = rounds.addAndGet(-seen);
        }
    }

    @Override
    public void onWritePossible() {
        writable = true;
        write();
    }

    @Override
    public void onError(Throwable gone) {
        end(gone);
    }

    private void add(Event event) {
        size.incrementAndGet();
        queue.add(event);
    }

    private void round() {
        try {
            while (!over.get() && takes()) {
                byte[] next = next();
                if (next != null) {
                    out.write(next);
                    unflushed = true;
                } else if (unflushed) {
                    unflushed = false;
                    out.flush();
                } else {
                    break;
                }
            }
            if (closing && writable) {
                end(null);
            }
        } catch (IOException | IllegalStateException gone) { // the client went, or the container ended it meanwhile
            end(gone);
        } catch (JacksonException unwritable) {
            LOG.log(Level.WARNING, "an event cannot be written; the stream that wanted it is ended", unwritable);
            end(unwritable);
        }
    }

    private boolean takes() {
        if (!writable) {
            return false;
        }
        writable = false;
        if (out.isReady()) {
            writable = true;
        }
        return writable;
    }

    private byte @Nullable [] next() {
        Event event = queue.poll();
        if (event != null) {
            size.decrementAndGet();
            return event.bytes();
        }
        long missed = lost.getAndSet(0);
        if (missed > 0) {
            return Event.lost(time.wall(), missed).bytes();
        }
        boolean due = beat;
        beat = false;
        return due ? HEARTBEAT : null;
    }

    private void end(@Nullable Throwable gone) {
        if (over.getAndSet(true)) {
            return;
        }
        if (gone != null) {
            LOG.log(Level.DEBUG, "an operator's stream ended", gone);
        }
        ended.accept(this);
        try {
            context.complete();
        } catch (IllegalStateException already) {
            LOG.log(Level.DEBUG, "the container had ended an operator's stream", already);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        if (!over.getAndSet(true)) {
            ended.accept(this);
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end(event.getThrowable());
    }

    @Override
    public void onError(AsyncEvent event) {
        end(event.getThrowable());
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
