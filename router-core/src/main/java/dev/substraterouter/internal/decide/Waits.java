package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Held;
import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.Reason;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long it is expected to take until a candidate that was passed over comes free: pure functions. */
final class Waits {
    /** Nobody knows. */
    static final long UNKNOWN = Long.MAX_VALUE >> 2;
    /** How long a job of somebody else, or one of which nothing is known, is expected to take. */
    static final long FOREIGN_JOB_NANOS = 15_000_000_000L;
    /** How soon a status is expected that is asked for out of turn. */
    private static final long NEXT_STATUS_NANOS = 1_000_000_000L;
    /** A substrate that takes more jobs than this is not full because of their number. */
    private static final int MOST_SLOTS = 10_000;

    private final CellState state;
    private final long now;

    private Waits(CellState state, long now) {
        this.state = state;
        this.now = now;
    }

    /** How long from now; {@link #UNKNOWN} when nobody knows. */
    static long expected(
            CellState state,
            CandidatePlan candidate,
            RoutePlan route,
            Ask ask,
            Reason reason,
            @Nullable Marks marks,
            Revision revision,
            long now) {
        Waits waits = new Waits(state, now);
        long[] ahead = marks == null ? new long[0] : marks.ahead(candidate.substrate.index);
        if (Check.forGood(reason)) {
            return UNKNOWN;
        }
        return switch (reason) {
            case CORDONED -> UNKNOWN;
            case EJECTED, BUSY, TOLD_TO_WAIT -> Math.max(Decision.outFor(state, ask, now), waits.slot(ahead));
            case OVERFLOW_LATER -> route.overflowAfterNanos - (now - ask.arrivalNanos);
            case RUNNING_JOBS, CLAIMED, WAITERS_AHEAD -> waits.slot(ahead);
            case RESERVED_FOR_HIGH -> waits.slot(state.plan.maxJobs - state.plan.reserveForHigh, ahead);
            case RAMP -> waits.slot(state.gate.rampCap(now, state.plan.maxJobs), ahead);
            case VRAM, NO_SINGLE_GPU ->
                Check.fitsAlone(state, candidate, now)
                        ? waits.room(ahead)
                        : Math.max(revision.unhealthyWaitNanos, waits.slot(ahead));
            default -> Math.max(revision.unhealthyWaitNanos, waits.slot(ahead));
        };
    }

    /** When own jobs make room: with the first that ends; with the next status where only what they have left behind is in the way. */
    private long room(long[] ahead) {
        int held = state.ledger.held().size();
        return held == 0 ? Math.max(NEXT_STATUS_NANOS, slot(ahead)) : slot(ownEnds(), held, ahead);
    }

    private long slot(long[] ahead) {
        return slot(state.plan.maxJobs, ahead);
    }

    private long slot(int slots, long[] ahead) {
        return slot(ends(), slots, ahead);
    }

    /** When one of so many slots comes free after those have been served that are ahead. */
    private static long slot(long[] ends, int slots, long[] ahead) {
        if (slots <= 0 || slots > MOST_SLOTS) {
            return slots <= 0 ? UNKNOWN : 0;
        }
        long[] free = new long[slots]; // idle ones are free now
        int overfull = Math.max(0, ends.length - slots);
        System.arraycopy(ends, overfull, free, 0, ends.length - overfull);
        Arrays.sort(free);
        for (long takes : ahead) {
            free[0] = Math.min(UNKNOWN, free[0] + Math.min(UNKNOWN, takes));
            Arrays.sort(free);
        }
        return free[0];
    }

    /** When each own job there is expected to end: memory admits about as many as hold it now. */
    private long[] ownEnds() {
        return state.ledger.held().stream()
                .mapToLong(held -> remaining(held.lease()))
                .sorted()
                .toArray();
    }

    /** When each job there is expected to end, the first first. */
    private long[] ends() {
        List<Held> held = state.ledger.held();
        int foreign = state.gate.health.foreignJobs(now);
        long[] ends = new long[held.size() + Math.min(foreign, MOST_SLOTS)];
        for (int at = 0; at < ends.length; at++) {
            int theirs = at - held.size();
            ends[at] = theirs < 0
                    ? remaining(held.get(at).lease())
                    : FOREIGN_JOB_NANOS * (1 + theirs / Math.max(1, state.plan.maxJobs));
        }
        Arrays.sort(ends);
        return ends;
    }

    /** What is left of a job; one that is late is expected to be late for as long again. */
    private long remaining(Lease lease) {
        long expected = lease.expectedNanos < 0 ? FOREIGN_JOB_NANOS : lease.expectedNanos;
        return Math.abs(expected - (now - lease.startNanos));
    }
}
