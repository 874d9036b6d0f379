package dev.substraterouter.metrics;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does one thing after the other, in the order in which they were asked for, on the threads that ask: what changes the set of meters. Thread-safe.
 *
 * <p>Requests only ever leave something to do and go on when another thread is at it, so a registry that is slow holds up one of them at most.
 */
final class Serial {
    private static final System.Logger LOG = System.getLogger("dev.substraterouter");

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Does something, after what was asked for before; when another thread is at it, that one does it. Never blocks. */
    void soon(Runnable task) {
        tasks.add(task);
        help();
    }

    /** Does something, and has done it on return, but for a call from within a task. Waits for what another thread is doing. */
    void now(Runnable task) {
        tasks.add(task);
        if (!lock.isHeldByCurrentThread()) {
            lock.lock();
            drain();
            help();
        }
    }

    /** Does what was asked for while the last one who was at it was leaving. */
    private void help() {
        while (!tasks.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            drain();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // the next one may be another's
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable broken) {
            LOG.log(System.Logger.Level.WARNING, "meters may be missing or left over", broken);
        }
    }

    private void drain() {
        try {
            for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                run(next);
            }
        } finally {
            lock.unlock();
        }
    }
}
