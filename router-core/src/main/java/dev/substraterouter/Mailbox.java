package dev.substraterouter;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Carries things to foreign code, in order, one call at a time, on the executor, and never more than so many at once: what does not fit is
 * dropped and counted. Thread-safe; never blocks; what the receiver throws is logged and hurts nobody.
 *
 * @param <T> what it carries
 */
final class Mailbox<T> {
    private static final int CAPACITY = 1024;

    private final String name;
    private final Executor executor;
    private final Consumer<? super T> receiver;
    private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private final LongAdder dropped = new LongAdder();
    private long told; // touched by whoever delivers

    Mailbox(String name, Executor executor, Consumer<? super T> receiver) {
        this.name = name;
        this.executor = executor;
        this.receiver = receiver;
    }

    /** How many things were dropped so far. */
    long dropped() {
        return dropped.sum();
    }

    /** Puts something in and has it carried. */
    void post(T thing) {
        put(thing);
        run();
    }

    /** Puts something in; {@link #run} has it carried. */
    void put(T thing) {
        if (size.incrementAndGet() > CAPACITY) {
            size.decrementAndGet();
            dropped.increment();
            return;
        }
        queue.add(thing);
    }

    /** Has what is in it carried. */
    @SuppressWarnings("CatchingUnchecked") // an executor that takes nothing must not hurt who posts
    void run() {
        if (!queue.isEmpty() && running.compareAndSet(false, true)) {
            try {
                executor.execute(this::drain);
            } catch (RuntimeException | Error refused) {
                discard();
                running.set(false);
                Log.debug(name + ": the executor takes nothing; " + dropped.sum() + " dropped", refused);
            }
        }
    }

    private void drain() {
        for (T next = queue.poll(); next != null; next = queue.poll()) {
            size.decrementAndGet();
            deliver(next);
        }
        tellDropped();
        running.set(false);
        run(); // what came between the last poll and the line above
    }

    @SuppressWarnings(
            "CatchingUnchecked") // whatever foreign code throws, errors included, must not stop the next delivery
    private void deliver(T thing) {
        try {
            receiver.accept(thing);
        } catch (Throwable t) {
            Log.warning(name + " threw; nothing else is affected", t);
        }
    }

    private void tellDropped() {
        long now = dropped.sum();
        if (now > told) {
            Log.warning(name + " does not keep up: " + (now - told) + " dropped, " + now + " in all", null);
            told = now;
        }
    }

    private void discard() {
        for (T next = queue.poll(); next != null; next = queue.poll()) {
            size.decrementAndGet();
            dropped.increment();
        }
    }
}
