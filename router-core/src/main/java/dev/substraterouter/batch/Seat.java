package dev.substraterouter.batch;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where the thread of a run sits, so that calling the run off interrupts that thread during this run and never during what it does next.
 *
 * <p><b>How the races end.</b> Taking the seat, calling off and leaving meet in one atomic. Who calls off an empty seat keeps the run from
 * beginning; who calls off a taken one interrupts, and the thread does not leave before that has happened; who comes after it was left
 * does nothing.
 */
final class Seat {
    private enum Phase {
        EMPTY,
        TAKEN,
        INTERRUPTING,
        CALLED_OFF,
        LEFT
    }

    /** What calling off has met. */
    enum Met {
        NOT_BEGUN,
        RUNNING,
        OVER
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.EMPTY);
    private volatile @Nullable Thread thread;

    /** Sits down; false when it was called off. */
    boolean take() {
        thread = Thread.currentThread();
        return phase.compareAndSet(Phase.EMPTY, Phase.TAKEN);
    }

    Met callOff() {
        if (phase.compareAndSet(Phase.EMPTY, Phase.CALLED_OFF)) {
            return Met.NOT_BEGUN;
        }
        Thread sitting = thread;
        if (sitting == null || !phase.compareAndSet(Phase.TAKEN, Phase.INTERRUPTING)) {
            return Met.OVER;
        }
        try {
            sitting.interrupt();
        } finally {
            phase.set(Phase.CALLED_OFF);
        }
        return Met.RUNNING;
    }

    /** Stands up, without the interrupt that belongs to this run; false when it was called off. */
    boolean leave() {
        if (phase.compareAndSet(Phase.TAKEN, Phase.LEFT)) {
            return true;
        }
        while (phase.get() == Phase.INTERRUPTING) {
            Thread.onSpinWait();
        }
        boolean ours = Thread.interrupted();
        assert ours || phase.get() == Phase.CALLED_OFF;
        return false;
    }
}
