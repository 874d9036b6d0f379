package dev.substraterouter;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One alarm, set to the earliest time anybody asked for. Thread-safe; never blocks.
 *
 * <p><b>How the races end.</b> Whoever swaps its alarm in for a later one calls the later one off; an alarm that rings although it was
 * called off makes one look too many, never one too few.
 */
final class Ticker {
    private final TimeSource time;
    private final Runnable look;
    private final AtomicReference<@Nullable Alarm> next = new AtomicReference<>();

    Ticker(TimeSource time, Runnable look) {
        this.time = time;
        this.look = look;
    }

    /** Has it look at the latest after so long from now. */
    void within(long nanos, long now) {
        Alarm mine = new Alarm(now + Math.max(0, nanos));
        while (true) {
            Alarm set = next.get();
            if (set != null && set.at - mine.at <= 0) {
                return;
            }
            if (next.compareAndSet(set, mine)) {
                boolean scheduled = false;
                try {
                    mine.set(time.schedule(Duration.ofNanos(Math.max(0, nanos)), () -> ring(mine)));
                    scheduled = true;
                } finally {
                    if (!scheduled) {
                        next.compareAndSet(
                                mine, set); // the time source threw: the next alarm must not think this one is set
                    }
                }
                if (set != null) {
                    set.off();
                }
                return;
            }
        }
    }

    /** Calls it off. */
    void stop() {
        Alarm set = next.getAndSet(null);
        if (set != null) {
            set.off();
        }
    }

    private void ring(Alarm alarm) {
        next.compareAndSet(alarm, null);
        look.run();
    }

    private static final class Alarm {
        private static final Cancellable OFF = () -> {};
        private final AtomicReference<@Nullable Cancellable> scheduled = new AtomicReference<>();
        final long at;

        Alarm(long at) {
            this.at = at;
        }

        void set(Cancellable handle) {
            if (!scheduled.compareAndSet(null, handle)) {
                handle.cancel();
            }
        }

        void off() {
            Cancellable handle = scheduled.getAndSet(OFF);
            if (handle != null) {
                handle.cancel();
            }
        }
    }
}
