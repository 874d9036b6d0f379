package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.gate.Decimals;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.Many;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer for one request at one moment: the candidate to take, or that there is none, with a code for each candidate that was looked
 * at. Immutable. The words are made when somebody reads them, from the states that the decision saw.
 */
public final class Decision {
    public final Revision revision;
    public final RoutePlan route;
    private final Ask ask;
    public final long now;
    /** The candidates in the order in which they were looked at. */
    private final CandidatePlan[] order;

    private final CellState @Nullable [] states;
    private final @Nullable Reason @Nullable [] reasons;
    private final int looked;
    /** Where there is none to take: how many were not looked at, since they are shut. They could come, at any moment. */
    private final int skipped;

    private final @Nullable CellState taken;
    private final @Nullable Hold hold;

    private Decision(
            Revision revision,
            RoutePlan route,
            Ask ask,
            long now,
            CandidatePlan[] order,
            CellState @Nullable [] states,
            @Nullable Reason @Nullable [] reasons,
            int looked,
            int skipped,
            @Nullable CellState taken,
            @Nullable Hold hold) {
        this.revision = revision;
        this.route = route;
        this.ask = ask;
        this.now = now;
        this.order = order;
        this.states = states;
        this.reasons = reasons;
        this.looked = looked;
        this.skipped = skipped;
        this.taken = taken;
        this.hold = hold;
    }

    /** The free candidate that is passed over, and the one that is waited for instead. */
    private record Hold(Outlook declined, Outlook awaited) {}

    static Decision place(
            Revision revision,
            RoutePlan route,
            Ask ask,
            long now,
            CandidatePlan[] order,
            CellState @Nullable [] states,
            @Nullable Reason @Nullable [] reasons,
            int at,
            CellState taken) {
        return new Decision(revision, route, ask, now, order, states, reasons, at, 0, taken, null);
    }

    /** There is a free candidate, but the request waits for one that is expected to finish earlier. */
    static Decision hold(
            Revision revision,
            RoutePlan route,
            Ask ask,
            long now,
            CandidatePlan[] order,
            CellState[] states,
            @Nullable Reason[] reasons,
            int free,
            Outlook declined,
            Outlook awaited) {
        return new Decision(
                revision, route, ask, now, order, states, reasons, free, 0, null, new Hold(declined, awaited));
    }

    static Decision none(
            Revision revision,
            RoutePlan route,
            Ask ask,
            long now,
            CandidatePlan[] order,
            CellState[] states,
            @Nullable Reason[] reasons,
            int looked,
            int skipped) {
        return new Decision(revision, route, ask, now, order, states, reasons, looked, skipped, null, null);
    }

    /** Whether there is a candidate to take. */
    public boolean placed() {
        return taken != null;
    }

    /** Whether the request waits although a candidate is free. */
    public boolean held() {
        return hold != null;
    }

    /** For how long it may go on waiting by choice until its deadline speaks against it; {@link Long#MAX_VALUE} when that plays no part. */
    public long heldFor() {
        long left = ask.leftNanos(now);
        if (hold == null || left == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long spare = left - hold.declined.finishNanos() - hold.awaited.waitNanos();
        return spare < 0 ? Long.MAX_VALUE : spare + 1;
    }

    /** The candidate that a waiter with this decision is expected to get; null when none can be told. */
    @Nullable
    CandidatePlan heading() {
        if (hold != null) {
            return hold.awaited.candidate();
        }
        for (int at = 0; at < looked; at++) {
            if (!Check.forGood(reason(at))) {
                return order[at];
            }
        }
        return null;
    }

    /** How many there are beside those that are listed: of the candidates, and where none could ever serve, of all substrates. */
    public int unlisted() {
        return looked - listed() + skipped + (hopeless() ? route.unfit().more() : 0);
    }

    /** How many of those that were passed over a person is told of. */
    private int listed() {
        return Math.min(looked, Many.FEW);
    }

    private boolean hopeless() {
        return taken == null && hold == null && !couldCome();
    }

    /**
     * The candidate to take.
     *
     * @throws IllegalStateException if there is none
     */
    public CandidatePlan candidate() {
        if (taken == null) {
            throw new IllegalStateException("no candidate was admissible for '" + route.workload + "'");
        }
        return order[looked];
    }

    /** The cell of the candidate to take. */
    public Cell cell() {
        return revision.cell(candidate().substrate.index);
    }

    /** The state in which the candidate to take was found admissible. */
    CellState state() {
        if (taken == null) {
            throw new IllegalStateException("no candidate was admissible for '" + route.workload + "'");
        }
        return taken;
    }

    /** Whether the primary was looked at, was not admissible, and another candidate is to be taken. */
    public boolean fellBack() {
        if (taken == null || order[looked].primary) {
            return false;
        }
        for (int at = 0; at < looked; at++) {
            if (order[at].primary) {
                return true;
            }
        }
        return false;
    }

    /** In what way the candidate to take is less than the primary as declared. */
    public Set<DegradedReason> degraded() {
        CandidatePlan candidate = candidate();
        CellState state = state();
        boolean held = Check.held(state, now);
        boolean cold = cold();
        if (!held && !cold) {
            return candidate.degraded;
        }
        EnumSet<DegradedReason> all = EnumSet.noneOf(DegradedReason.class);
        all.addAll(candidate.degraded);
        if (held) {
            all.add(DegradedReason.STALE_HELD);
        }
        if (cold) {
            all.add(DegradedReason.COLD);
        }
        return Set.copyOf(all);
    }

    /** The lease that the candidate to take gets, and the state with it. */
    CellState.Taking taking() {
        int gpu = Memory.place(state().at(now), candidate(), now);
        return state().take(candidate(), gpu, revision.book.expected(candidate()), now, ask);
    }

    /** Whether the model of the candidate to take is known not to be loaded. */
    public boolean cold() {
        return Memory.cold(state(), candidate(), now);
    }

    /** Whether waiting, however long, could bring a candidate. */
    public boolean couldCome() {
        if (skipped > 0) {
            return true;
        }
        for (int at = 0; at < looked; at++) {
            if (!Check.forGood(reason(at))) {
                return true;
            }
        }
        return false;
    }

    /**
     * How long until the first candidate comes back, when every one that could come is out until a known time; -1 when one of them may
     * come at any moment.
     */
    public long allOutFor() {
        if (skipped > 0) {
            return -1;
        }
        long first = Long.MAX_VALUE;
        for (int at = 0; at < looked; at++) {
            Reason reason = reason(at);
            if (!Check.forGood(reason)) {
                long out = outFor(stateOf(at), ask, now);
                if (out < 0) {
                    return -1;
                }
                first = Math.min(first, out);
            }
        }
        return first == Long.MAX_VALUE ? -1 : first;
    }

    /** When it may be worth asking again. */
    public Duration retryAfter() {
        long first = skipped > 0 ? revision.compiled.policy.poll().every().toNanos() : Long.MAX_VALUE;
        for (int at = 0; at < looked; at++) {
            Reason reason = reason(at);
            if (!Check.forGood(reason)) {
                first = Math.min(first, comesAfterNanos(stateOf(at), order[at], reason, ask, now));
            }
        }
        return Duration.ofNanos(first == Long.MAX_VALUE ? revision.retryEveryNanos : Math.max(1_000_000, first));
    }

    /** The candidates that were looked at, with why they were not taken: of many the first. */
    public List<Considered> considered() {
        List<Considered> list = new ArrayList<>();
        for (int at = 0; at < listed(); at++) {
            list.add(new Considered(order[at].substrate.id, false, findings(at)));
        }
        if (taken != null) {
            list.add(new Considered(order[looked].substrate.id, true, Check.remarks(taken, now)));
        }
        if (hopeless()) {
            for (CandidatePlan unfit : route.unfit().first()) {
                list.add(new Considered(unfit.substrate.id, false, unfit.never));
            }
        }
        if (hold != null) {
            list.add(new Considered(hold.declined.candidate().substrate.id, true, List.of(faster(hold))));
        }
        return list;
    }

    /** Why the primary was not taken; empty when it was not looked at. */
    public List<Finding> primaryFindings() {
        for (int at = 0; at < looked; at++) {
            if (order[at].primary) {
                return findings(at);
            }
        }
        return List.of();
    }

    /** The first reason why the primary was not taken; null when it was, or was not looked at. */
    public @Nullable Reason primaryReason() {
        if (taken == null || order[looked].primary) {
            return null;
        }
        for (int at = 0; at < looked; at++) {
            if (order[at].primary) {
                return reason(at);
            }
        }
        return null;
    }

    /** The age of the oldest status among the candidates that are listed, -1 when none has one. */
    public long oldestStatusNanos() {
        long oldest = -1;
        for (int at = 0; at < listed(); at++) {
            var figures = stateOf(at).gate.health.figures();
            if (figures != null) {
                oldest = Math.max(oldest, now - figures.at());
            }
        }
        return oldest;
    }

    /** The substrates that a waiter with this decision waits for. */
    void wanted(Marks marks) {
        for (int at = 0; at < looked; at++) {
            if (!Check.forGood(reason(at))) {
                marks.want(order[at].substrate.index);
            }
        }
    }

    /** The candidate that a waiter who has waited long holds for itself; null when none would pass even alone. */
    @Nullable
    CandidatePlan claim() {
        for (int at = 0; at < looked; at++) {
            if (Check.wouldPassAlone(stateOf(at), order[at], route, ask, now)) {
                return order[at];
            }
        }
        return null;
    }

    private static Finding faster(Hold hold) {
        return new Finding(
                Reason.FASTER_ELSEWHERE,
                "free, but takes " + Decimals.seconds(hold.declined.finishNanos()) + "; "
                        + hold.awaited.candidate().substrate.id + " is expected to be done in "
                        + Decimals.seconds(hold.awaited.finishNanos()));
    }

    private List<Finding> findings(int at) {
        return Check.explain(stateOf(at), order[at], route, ask, reason(at), now);
    }

    /** How long it may be until a candidate that was passed over comes back. */
    static Duration comesAfter(CellState state, CandidatePlan candidate, Reason reason, Ask ask, long now) {
        return Duration.ofNanos(Math.max(0, comesAfterNanos(state, candidate, reason, ask, now)));
    }

    /** How long it is out by a mark with a known end, whatever else speaks against it; -1 when by none. */
    static long outFor(CellState state, Ask ask, long now) {
        long out = Math.max(state.gate.ejectedFor(now), Math.max(state.gate.busyFor(now), toldFor(state, ask, now)));
        return out > 0 ? out : -1;
    }

    private static long comesAfterNanos(CellState state, CandidatePlan candidate, Reason reason, Ask ask, long now) {
        long out = outFor(state, ask, now);
        if (out >= 0) {
            return out;
        }
        if (state.shut() && !candidate.factsOnly) {
            return state.gate.limits.pollNanos; // it takes a status, or an operator: time alone does not open it
        }
        long next = state.gate.nextChange(now);
        if (reason == Reason.RUNNING_JOBS || reason == Reason.VRAM || reason == Reason.RESERVED_FOR_HIGH) {
            next = Math.min(next, state.ledger.nextExpectedEnd(now));
        }
        return Math.min(next, state.gate.limits.pollNanos);
    }

    private static long toldFor(CellState state, Ask ask, long now) {
        Exclusions exclusion = Exclusions.of(ask.exclusions, state.plan.id);
        return exclusion == null ? 0 : Math.max(0, exclusion.until() - now);
    }

    private Reason reason(int at) {
        Reason reason = reasons == null ? null : reasons[at];
        if (reason == null) {
            throw new IllegalStateException("nothing was passed over");
        }
        return reason;
    }

    private CellState stateOf(int at) {
        if (states == null) {
            throw new IllegalStateException("nothing was passed over");
        }
        return states[at];
    }
}
