package dev.substraterouter;

import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets a thread wait until something is so, by the router's time, without cost while nobody waits.
 *
 * <p><b>Lost wake-ups.</b> Who waits is counted before it looks; who changes something reads the count after the change. Both are volatile,
 * so at least one sees the other.
 */
final class Signal {
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    Signal(TimeSource time) {
        this.time = time;
    }

    /** Something may have changed. */
    void raise() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                raised.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until something is so, or the time is up.
     *
     * @param lookEvery at the latest after this long it is looked at again, for what changes by time alone
     * @return whether it is so
     */
    boolean await(BooleanSupplier so, Duration timeout, Duration lookEvery) throws InterruptedException {
        long end = time.nanos() + Engine.saturated(timeout);
        lock.lockInterruptibly();
        waiting.incrementAndGet();
        try {
            while (!so.getAsBoolean()) {
                long left = end - time.nanos();
                if (left <= 0) {
                    return false;
                }
                // whatever wakes it, all is looked at again: nothing is concluded from how long it slept
                raised.awaitNanos(Math.min(left, lookEvery.toNanos()));
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }
}
