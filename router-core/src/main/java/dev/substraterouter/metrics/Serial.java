package dev.substraterouter.metrics;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does one thing after the other, in the order in which they were asked for, on the threads that ask: what changes the set of meters. Thread-safe.
 *
 * <p>Requests only ever leave something to do and go on when another thread is at it, so a registry that is slow holds up one of them at most.
 */
final class Serial {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Does something, after what was asked for before; when another thread is at it, that one does it. Never blocks. */
    void soon(Runnable task) {
        tasks.add(task);
        while (!tasks.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            drain();
        }
    }

    /** Does something, and has done it on return, but for a call from within a task. Waits for what another thread is doing. */
    void now(Runnable task) {
        tasks.add(task);
        if (!lock.isHeldByCurrentThread()) {
            lock.lock();
            drain();
            soonIfAny();
        }
    }

    private void soonIfAny() {
        while (!tasks.isEmpty() && lock.tryLock()) {
            drain();
        }
    }

    private void drain() {
        try {
            for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                next.run();
            }
        } finally {
            lock.unlock();
        }
    }
}
