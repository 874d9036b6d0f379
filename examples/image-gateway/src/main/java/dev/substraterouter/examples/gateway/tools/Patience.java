package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long one worker may take for its whole answer. A worker that has taken the work and says nothing more would else keep its lease, and a
 * thread here, for good. Thread-safe.
 */
public final class Patience {
    private final TimeSource time;
    private final Duration limit;

    /**
     * A limit.
     *
     * @param time by which it is measured
     * @param limit how long a worker may take, above zero; longer than the longest work takes
     * @throws IllegalArgumentException if it is not above zero
     */
    public Patience(TimeSource time, Duration limit) {
        if (limit.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("patience: " + limit + " (expected: above 0)");
        }
        this.time = time;
        this.limit = limit;
    }

    /** Work that blocks. */
    @FunctionalInterface
    interface Blocking<T> {
        T run() throws Exception;
    }

    /**
     * Runs work on this thread, which is interrupted when it takes too long.
     *
     * @throws IOException when it took too long: the worker's fault
     * @throws Exception what the work throws
     */
    <T> T within(Blocking<T> work) throws Exception {
        Watch watch = new Watch();
        Cancellable alarm = time.schedule(limit, watch::fire);
        try {
            T done = work.run();
            watch.end();
            return done;
        } catch (Exception e) {
            if (watch.end()) {
                throw new IOException("no whole answer within " + limit.toMillis() / 1_000.0 + " s", e);
            }
            throw e;
        } finally {
            alarm.cancel();
        }
    }

    /** Interrupts a thread only while it is at this work: after {@link #end} it never does, and what it did before is taken back. */
    private static final class Watch {
        private final Thread thread = Thread.currentThread();
        private final ReentrantLock lock = new ReentrantLock();
        private boolean over;
        private boolean fired;

        void fire() {
            lock.lock();
            try {
                if (!over) {
                    fired = true;
                    thread.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Whether it has interrupted the work. */
        boolean end() {
            lock.lock();
            try {
                over = true;
                if (fired && Thread.interrupted()) {
                    return true;
                }
                return fired;
            } finally {
                lock.unlock();
            }
        }
    }
}
