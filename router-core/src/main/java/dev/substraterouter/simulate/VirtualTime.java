package dev.substraterouter.simulate;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The run's clock, its agenda and its only thread. What is due at one moment happens in the order in which it was put down; what is to
 * happen at once, after what runs now and before anything else. Not thread-safe.
 */
final class VirtualTime implements TimeSource, Executor {
    /** As far from a wrap as from 0, so that nobody relies on either. */
    private static final long ORIGIN = 1_000_000_000_000L;

    private static final Instant BEGIN = Instant.parse("2026-05-04T00:00:00Z");
    private static final long FARTHEST = Long.MAX_VALUE >> 2;
    private static final int FEW = 64;

    private PriorityQueue<Entry> agenda = new PriorityQueue<>();
    private final ArrayDeque<Runnable> atOnce = new ArrayDeque<>();
    private long now;
    private long numbers;
    private long events;
    private int calledOff;

    /** Something on the agenda. */
    private final class Entry implements Comparable<Entry>, Cancellable {
        final long at;
        final long number;
        final String what;

        @Nullable
        Runnable action;

        Entry(long at, long number, String what, Runnable action) {
            this.at = at;
            this.number = number;
            this.what = what;
            this.action = action;
        }

        @Override
        public int compareTo(Entry other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }

        @Override
        public void cancel() {
            if (action != null) {
                action = null;
                calledOff++;
                sweep();
            }
        }
    }

    /** Nanoseconds from the beginning of the run. */
    long passed() {
        return now;
    }

    /** How many events there have been. */
    long events() {
        return events;
    }

    @Override
    public long nanos() {
        return ORIGIN + now;
    }

    @Override
    public Instant wall() {
        return BEGIN.plusNanos(now);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return at(now + capped(delay), "timer", task);
    }

    /** Has something happen at a moment, counted from the beginning; not before now. */
    Cancellable at(long nanos, String what, Runnable action) {
        Entry entry = new Entry(Math.max(now, nanos), numbers++, what, action);
        agenda.add(entry);
        return entry;
    }

    @Override
    public void execute(Runnable task) {
        atOnce.add(task);
    }

    /** Does what is to happen at once. */
    void settle() {
        for (Runnable next = atOnce.poll(); next != null; next = atOnce.poll()) {
            next.run();
        }
    }

    /**
     * Goes to the next event, has it happen and everything that follows from it at once.
     *
     * @return what it was; null: nothing is left to happen
     */
    @Nullable
    String step() {
        for (Entry next = agenda.poll(); next != null; next = agenda.poll()) {
            Runnable action = next.action;
            if (action == null) {
                calledOff--;
                continue;
            }
            next.action = null;
            now = next.at;
            events++;
            action.run();
            settle();
            return next.what;
        }
        return null;
    }

    static long capped(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(Duration.ofNanos(FARTHEST)) > 0 ? FARTHEST : delay.toNanos();
    }

    /** Takes out what has been called off when that is most of the agenda. */
    private void sweep() {
        if (calledOff > FEW && calledOff > agenda.size() / 2) {
            PriorityQueue<Entry> kept = new PriorityQueue<>(agenda.size() - calledOff + FEW);
            for (Entry entry : agenda) {
                if (entry.action != null) {
                    kept.add(entry);
                }
            }
            agenda = kept;
            calledOff = 0;
        }
    }
}
