package dev.substraterouter.metrics;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does one thing after the other, in the order in which they were asked for: what changes the set of meters. Thread-safe.
 *
 * <p>Requests only ever leave something to do for the executor, and what they leave is bounded by the policy; so a registry that is slow
 * holds up no request, and one thread of the executor at most.
 */
final class Serial {
    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final ForkJoinPool.ManagedBlocker apart = new ForkJoinPool.ManagedBlocker() {
        @Override
        public boolean block() {
            help();
            return true;
        }

        @Override
        public boolean isReleasable() {
            return tasks.isEmpty();
        }
    };

    /**
     * Nothing to do yet.
     *
     * @param executor does what nobody waits for
     */
    Serial(Executor executor) {
        this.executor = executor;
    }

    /**
     * Has something done on the executor, after what was asked for before. Never blocks. Where the executor takes nothing it is done with
     * the next thing that is.
     */
    @SuppressWarnings("CatchingUnchecked") // foreign code, which must not hurt who asks
    void soon(Runnable task) {
        tasks.add(task);
        try {
            executor.execute(this::helpApart);
        } catch (RuntimeException | Error refused) {
            Log.warning("the executor threw; meters are missing or left over until it takes something", refused);
        }
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

    /** How much is left to do; walks through all of it. */
    int pending() {
        return tasks.size();
    }

    /** As {@link #help}; a fork-join pool, such as the common one that futures are completed on, takes another thread meanwhile. */
    private void helpApart() {
        try {
            ForkJoinPool.managedBlock(apart);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what was asked for; when another thread is at it, that one does it, or looks once more when it leaves. */
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
            Log.warning("meters may be missing or left over", broken);
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
