package dev.substraterouter;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.WaitEnd;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Tells those who are told at once. Thread-safe. While nobody is attached each call costs a read and a comparison; nothing is made for a
 * call before somebody is there to hear it.
 */
final class InlineListeners {
    private static final InlineListener[] NONE = {};
    private static final long APART_NANOS = Duration.ofSeconds(1).toNanos();

    private final TimeSource time;
    private final ReentrantLock attaching = new ReentrantLock();
    private volatile InlineListener[] attached = NONE; // written under the lock
    private final AtomicLong untold = new AtomicLong();
    private final AtomicLong nextLineAt;

    InlineListeners(TimeSource time) {
        this.time = time;
        this.nextLineAt = new AtomicLong(time.nanos());
    }

    /** Attaches one; cancelling takes it out again, once. */
    Cancellable attach(InlineListener listener) {
        change(all -> {
            InlineListener[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = listener;
            return more;
        });
        AtomicBoolean detached = new AtomicBoolean();
        return () -> {
            if (!detached.getAndSet(true)) {
                change(all -> without(all, listener));
            }
        };
    }

    private void change(UnaryOperator<InlineListener[]> step) {
        attaching.lock();
        try {
            attached = step.apply(attached);
        } finally {
            attaching.unlock();
        }
    }

    /** All but one; of one that is attached twice, one stays. */
    @SuppressWarnings("ReferenceEquality") // what a listener holds to be equal does not matter
    private static InlineListener[] without(InlineListener[] all, InlineListener gone) {
        for (int at = 0; at < all.length; at++) {
            if (all[at] == gone) {
                InlineListener[] fewer = Arrays.copyOf(all, all.length - 1);
                System.arraycopy(all, at + 1, fewer, at, fewer.length - at);
                return fewer.length == 0 ? NONE : fewer;
            }
        }
        return all;
    }

    @SuppressWarnings("CatchingUnchecked") // foreign code
    void placed(HeldPlacement placement) {
        for (InlineListener one : attached) {
            try {
                one.placed(placement);
            } catch (Throwable broken) {
                failed(one, broken);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked") // foreign code
    void ended(HeldPlacement placement, Outcome outcome, long serviceNanos) {
        for (InlineListener one : attached) {
            try {
                one.ended(placement, outcome, serviceNanos);
            } catch (Throwable broken) {
                failed(one, broken);
            }
        }
    }

    /** A request has ended; what has become of its placements was told when they ended. */
    void ended(Journey journey) {
        if (attached.length == 0) {
            return;
        }
        RefusalReason refusal = journey.refusal();
        if (refusal != null || journey.attempts() == 0) {
            String workload = journey.request().workload();
            tell(one -> one.unplaced(workload, journey.priority(), Optional.ofNullable(refusal)));
        }
    }

    void waited(Pending pending, WaitEnd end) {
        if (attached.length > 0) {
            Journey journey = pending.journey();
            String workload = journey.request().workload();
            tell(one -> one.waited(workload, journey.priority(), end, pending.tookNanos()));
        }
    }

    void reloaded(long revision) {
        tell(one -> one.reloaded(revision));
    }

    @SuppressWarnings("CatchingUnchecked") // foreign code
    private void tell(Consumer<InlineListener> what) {
        for (InlineListener one : attached) {
            try {
                what.accept(one);
            } catch (Throwable broken) {
                failed(one, broken);
            }
        }
    }

    /** A line in the log, at most one a second. */
    private void failed(InlineListener listener, Throwable broken) {
        long failures = untold.incrementAndGet();
        long now = time.nanos();
        long due = nextLineAt.get();
        if (now - due >= 0 && nextLineAt.compareAndSet(due, now + APART_NANOS)) {
            untold.addAndGet(-failures);
            String more = failures == 1 ? "" : " (and " + (failures - 1) + " more like it)";
            Log.warning(
                    "inline listener " + listener.getClass().getName() + " threw; nothing else is affected" + more,
                    broken);
        }
    }
}
