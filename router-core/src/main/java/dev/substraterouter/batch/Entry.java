package dev.substraterouter.batch;

import dev.substraterouter.trace.RoutingTrace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job in the in-memory store. Every field is guarded by the store's lock. */
final class Entry {
    private static final int MOST_KEPT = 16;

    final long position;
    private final Instant queuedAt;
    private final long acceptedNanos;
    private final List<RoutingTrace> attempts = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private BatchJob job;
    /** One of QUEUED and the states that end it; whether it runs follows from the claim. */
    private BatchState state = BatchState.QUEUED;

    private byte @Nullable [] result;
    private @Nullable Instant startedAt;
    private @Nullable Instant startedBefore;
    private @Nullable Instant endedAt;
    /** From when on it may be claimed: the end of the pause while nobody has claimed it, else the end of the claim. */
    private long dueNanos;

    private long token;
    private String owner = "";
    private boolean claimed;
    private boolean started;
    private boolean refused;
    private long refusedNanos;

    Entry(BatchJob job, long position, Instant queuedAt, long now) {
        this.job = job;
        this.position = position;
        this.queuedAt = queuedAt;
        this.acceptedNanos = now;
        this.dueNanos = now;
    }

    BatchJob job() {
        return job;
    }

    BatchState state() {
        return state;
    }

    byte @Nullable [] result() {
        return result;
    }

    boolean due(long now) {
        return now - dueNanos >= 0;
    }

    long acceptedNanos() {
        return acceptedNanos;
    }

    /** For how long the router has only refused it. */
    long refusedNanos(long now) {
        return refused ? Math.max(0, now - refusedNanos) : 0;
    }

    /** Whether a claim is the one in force. */
    boolean holds(BatchClaim claim) {
        return claimed && !state.ended() && token == claim.token();
    }

    /** Whether a claim is the one that has recorded the success. */
    boolean completedBy(BatchClaim claim) {
        return state == BatchState.SUCCEEDED && token == claim.token();
    }

    long claim(String by, long until) {
        if (claimed) {
            reason("the claim of " + owner + " ran out" + (started ? " during a run" : ""));
        }
        token++;
        owner = by;
        claimed = true;
        started = false;
        dueNanos = until;
        return token;
    }

    void renew(long until) {
        dueNanos = until;
    }

    void start(RoutingTrace trace, Instant at) {
        if (!started) {
            started = true;
            refused = false;
            startedBefore = startedAt;
            startedAt = at;
            job = job.attempts(job.attempts() + 1);
            keep(attempts, trace);
        }
    }

    /** As if it had never been claimed. */
    void release(long now) {
        if (started) {
            job = job.attempts(job.attempts() - 1);
            attempts.remove(attempts.size() - 1);
            startedAt = startedBefore;
        }
        free(now);
    }

    void retry(long now, long due, BatchNote note) {
        if (note.refused() && !refused) {
            refusedNanos = now;
        }
        boolean again = note.refused() && refused && !attempts.isEmpty() && !started;
        refused = note.refused();
        if (again) {
            attempts.remove(attempts.size() - 1); // of refusals in a row the last is kept
            if (reasons.get(reasons.size() - 1).equals(note.reason())) {
                reasons.remove(reasons.size() - 1);
            }
        }
        note(note);
        free(due);
    }

    void note(BatchNote note) {
        int counted = (note.counted() ? 1 : 0) - (started ? 1 : 0);
        job = job.attempts(job.attempts() + counted);
        note.trace().ifPresent(this::trace);
        reason(note.reason());
    }

    /** The trace of the run under this claim: it takes the place of the one as of its start. */
    void trace(RoutingTrace trace) {
        if (started) {
            attempts.set(attempts.size() - 1, trace);
        } else {
            keep(attempts, trace);
        }
    }

    void end(BatchState how, byte @Nullable [] with, Instant at) {
        state = how;
        result = with;
        endedAt = at;
    }

    /** What it holds in memory that its submitter and its work have made up. */
    long bytes() {
        return (long) job.payloadBytes() + (result == null ? 0 : result.length);
    }

    BatchReport report(long now) {
        boolean running = state == BatchState.QUEUED && claimed && started && !due(now);
        return new BatchReport(
                job,
                running ? BatchState.RUNNING : state,
                queuedAt,
                Optional.ofNullable(startedAt),
                Optional.ofNullable(endedAt),
                attempts,
                reasons);
    }

    private void free(long due) {
        claimed = false;
        started = false;
        dueNanos = due;
    }

    private void reason(String words) {
        keep(reasons, words);
    }

    private static <T> void keep(List<T> list, T what) {
        if (list.size() == MOST_KEPT) {
            list.remove(0);
        }
        list.add(what);
    }
}
