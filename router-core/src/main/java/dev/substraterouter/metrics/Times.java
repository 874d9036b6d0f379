package dev.substraterouter.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How long something took, for one combination of tags: a timer in each registry, so that hosts may ask for histograms. Thread-safe.
 *
 * <p>Its timers are made when it is first needed, later than its first values come. Of these {@value #EARLY} are kept until then; of a
 * registry that takes longer, the rest is not timed.
 */
final class Times extends Tagged {
    static final int EARLY = 1024;

    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile Timer[] timers = {};
    private volatile @Nullable Queue<Long> early = new ArrayBlockingQueue<>(EARLY); // null: the timers are made

    Times(WorkloadMeters owner, Meters meter, String substrate, String... tags) {
        super(owner, substrate, Names.NONE, registry -> Timer.builder(meter.meterName())
                .description(meter.description())
                .tags(owner.tags(tags))
                .register(registry));
    }

    void record(long nanos) {
        Queue<Long> waiting = early;
        if (waiting == null) {
            recordIn(timers, nanos);
        } else {
            keep(waiting, nanos);
        }
    }

    private void keep(Queue<Long> waiting, long nanos) {
        boolean kept = waiting.offer(nanos);
        if (!asked.get() && !asked.getAndSet(true)) {
            owner.newcomers().add(this);
        }
        if (kept && early == null) {
            recordAll(waiting); // the timers were made between the look and the offer
        }
    }

    /** The first that throws is told when all have been told the value: one that is broken hides no other. */
    @SuppressWarnings("CatchingUnchecked") // a registry is foreign code
    private static void recordIn(Timer[] all, long nanos) {
        Throwable first = null;
        for (Timer timer : all) {
            try {
                timer.record(nanos, TimeUnit.NANOSECONDS);
            } catch (Throwable broken) {
                first = first == null ? broken : first;
            }
        }
        if (first != null) {
            throw new IllegalStateException("a timer threw; the others were told", first);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // as above: the next value is another
    private void recordAll(Queue<Long> waiting) {
        RuntimeException first = null;
        for (Long next = waiting.poll(); next != null; next = waiting.poll()) {
            try {
                recordIn(timers, next);
            } catch (IllegalStateException broken) {
                first = first == null ? broken : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    void changed(List<Registered> now) {
        timers = now.stream().map(one -> (Timer) one.meter()).toArray(Timer[]::new);
        Queue<Long> waiting = early;
        early = null;
        if (waiting != null) {
            recordAll(waiting);
        }
    }
}
