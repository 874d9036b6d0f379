package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Held;
import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
    /** If it has not come so long after the end of a job, it is not expected soon any more. */
    private static final long STATUS_SOON_NANOS = 5_000_000_000L;
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
            case CORDONED, OUT_OF_SCOPE -> UNKNOWN;
            case EJECTED, BUSY, TOLD_TO_WAIT -> Math.max(Decision.outFor(state, ask, now), waits.slot(ahead));
            case OVERFLOW_LATER -> route.overflowAfterNanos - (now - ask.arrivalNanos);
            case RUNNING_JOBS, CLAIMED, WAITERS_AHEAD -> waits.slot(ahead);
            case RESERVED_FOR_HIGH -> waits.slot(state.plan.maxJobs - state.plan.reserveForHigh, ahead);
            case RAMP -> waits.slot(state.gate.rampCap(now, state.plan.maxJobs), ahead);
            case VRAM, NO_SINGLE_GPU ->
                Math.max(waits.slot(ahead), waits.room(candidate, revision.unhealthyWaitNanos, ahead));
            default -> Math.max(revision.unhealthyWaitNanos, waits.slot(ahead));
        };
    }

    /**
     * When memory makes room: with the next status, where only what ended jobs have left behind is in the way; else with the first of the
     * own jobs whose end leaves enough, and after the work of those that are ahead, of whom about as many fit as hold it now; else as long
     * as one waits for others.
     */
    private long room(CandidatePlan candidate, long others, long[] ahead) {
        LedgerState ledger = state.ledger.withoutResidues();
        if (state.ledger.leftBehind(now, STATUS_SOON_NANOS) && fits(ledger, candidate)) {
            return NEXT_STATUS_NANOS;
        }
        List<Held> running = new ArrayList<>(state.ledger.held());
        running.sort(Comparator.comparingLong(held -> remaining(held.lease())));
        for (Held next : running) {
            ledger = ledger.end(next.lease(), now, false).withoutResidues();
            if (fits(ledger, candidate)) {
                return Math.max(remaining(next.lease()), slot(ends(0), running.size(), ahead));
            }
        }
        return others;
    }

    private boolean fits(LedgerState ledger, CandidatePlan candidate) {
        return Memory.place(new CellState(state.plan, state.gate, ledger), candidate, now) != Memory.NO_ROOM;
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
            delayFirst(free, takes);
        }
        return free[0];
    }

    /** The first slot to come free is taken for so long; the order is kept. */
    private static void delayFirst(long[] free, long takes) {
        long later = Math.min(UNKNOWN, free[0] + Math.min(UNKNOWN, takes));
        int at = 0;
        while (at + 1 < free.length && free[at + 1] < later) {
            free[at] = free[at + 1];
            at++;
        }
        free[at] = later;
    }

    /** When each job there is expected to end, the first first. */
    private long[] ends() {
        return ends(state.gate.health.foreignJobs(now));
    }

    private long[] ends(int foreign) {
        List<Held> held = state.ledger.held();
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
