package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Watches the counter of work done that an address tells: a server that has jobs while its counter does not move is stalled, even if it
 * answers that it is well; and when the counter last moved is when it was last at work.
 *
 * <p>Gauges have been seen to stay where they were after jobs were broken off, on servers that were well: a server that is shunned for it gets
 * no work, and its counter never moves again. So the verdict lapses after five times the grace, and the watch begins anew: as long as the grace
 * the server may be tried.
 *
 * <p>One address asks one question at a time, so its answers come one after the other; the state is one immutable value all the same, and
 * of two answers at once the later write wins, which costs at most one observation.
 */
final class ProgressWatch {
    private static final int VERDICT_LAPSES = 5;

    private final TimeSource time;
    private final long stallNanos;
    private final AtomicReference<@Nullable Seen> seen = new AtomicReference<>();

    ProgressWatch(TimeSource time, Duration stallAfter) {
        this.time = time;
        this.stallNanos = stallAfter.toNanos();
    }

    /**
     * The counter at one time.
     *
     * @param counter what it showed
     * @param since from when on it has shown that while jobs were there
     * @param busy whether there were jobs
     * @param moved when it was last seen to move, by the wall clock; null: not seen yet
     */
    private record Seen(
            double counter,
            long since,
            boolean busy,
            @Nullable Instant moved) {}

    /** The status, with what the counter says added. */
    SubstrateStatus judged(SubstrateStatus status) {
        if (status.progress().isEmpty()) {
            return status;
        }
        double counter = status.progress().getAsDouble();
        boolean busy = status.jobs().orElse(0) > 0;
        long now = time.nanos();
        Seen before = seen.get();
        // a smaller value is a restart: it counts as a sign of life, not as work done
        boolean same = before != null && Double.compare(before.counter, counter) == 0;
        @Nullable Instant moved = before == null ? null : counter > before.counter ? time.wall() : before.moved;
        long since = before != null && same && busy && before.busy && now - before.since < VERDICT_LAPSES * stallNanos
                ? before.since
                : now;
        Seen after = new Seen(counter, since, busy, moved);
        seen.set(after);
        return told(status, busy, now - after.since, moved);
    }

    private SubstrateStatus told(SubstrateStatus status, boolean busy, long flatNanos, @Nullable Instant moved) {
        SubstrateStatus.Builder more = status.toBuilder();
        if (moved != null && status.lastRequest().isEmpty()) {
            more.lastRequest(moved);
        }
        boolean stalled = busy && flatNanos >= stallNanos;
        if (busy) {
            more.attribute("progressing", Boolean.toString(!stalled));
        }
        if (stalled && status.reachable()) {
            more.notReady("stalled: " + status.jobs().orElse(0) + " jobs and no progress for "
                    + flatNanos / 1_000_000_000 + " s");
        }
        return more.build();
    }
}
