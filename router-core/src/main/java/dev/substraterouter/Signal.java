package dev.substraterouter;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets a thread wait until something is so, without cost while nobody waits.
 *
 * <p><b>Lost wake-ups.</b> Who waits is counted before it looks; who changes something reads the count after the change. Both are volatile,
 * so at least one sees the other.
 */
final class Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

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
        long left = Engine.saturated(timeout);
        lock.lockInterruptibly();
        waiting.incrementAndGet();
        try {
            while (!so.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                long slice = Math.min(left, Math.max(TimeUnit.MILLISECONDS.toNanos(1), lookEvery.toNanos()));
                left -= slice - Math.max(0, raised.awaitNanos(slice));
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }
}
