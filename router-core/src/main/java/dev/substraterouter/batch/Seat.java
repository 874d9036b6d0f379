package dev.substraterouter.batch;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where the thread of a run sits, so that calling the run off interrupts that thread during this run and never during what it does next.
 *
 * <p><b>How the races end.</b> Taking the seat, calling off and leaving meet in one lock, held for a moment. Who calls off an empty seat
 * keeps the run from beginning; who calls off a taken one interrupts, and the thread does not leave before that has happened; who comes
 * after it was left does nothing.
 */
final class Seat {
    /** What calling off has met. */
    enum Met {
        NOT_BEGUN,
        RUNNING,
        OVER
    }

    private final ReentrantLock lock = new ReentrantLock();
    // guarded by the lock
    private @Nullable Thread sitting;
    private boolean calledOff;
    private boolean left;

    /** Sits down; false when it was called off. */
    boolean take() {
        lock.lock();
        try {
            if (calledOff) {
                return false;
            }
            sitting = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    Met callOff() {
        lock.lock();
        try {
            if (left || calledOff) {
                return Met.OVER;
            }
            calledOff = true;
            Thread thread = sitting;
            if (thread == null) {
                return Met.NOT_BEGUN;
            }
            thread.interrupt();
            return Met.RUNNING;
        } finally {
            lock.unlock();
        }
    }

    /** Stands up, without the interrupt that belongs to this run, which the work may have taken itself; false when it was called off. */
    boolean leave() {
        lock.lock();
        try {
            left = true;
            if (calledOff && Thread.interrupted()) {
                sitting = null;
            }
            return !calledOff;
        } finally {
            lock.unlock();
        }
    }
}
