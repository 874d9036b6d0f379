package dev.substraterouter.internal.gate;

import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RouterEvent;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether one substrate may take work at all: its health, its ejection, what its worker and its operators have said. A pure value.
 *
 * <p>Every change builds the next state; the one atomic that holds it belongs to the decision. Times are compared when the state is read,
 * so a status goes stale and an ejection ends without anybody doing anything. Who changes it leaves the event of the change in it.
 */
public final class GateState {
    public final GateLimits limits;
    public final HealthState health;
    final EjectionState ejection;
    private final long seed;
    private final @Nullable Object cordon;
    private final @Nullable Busy busy;
    private final @Nullable Events events;
    private final Names names;
    /**
     * Whether nobody could be placed there, whatever he asks, until something is told or done: time alone does not open it. Those that are
     * out by a mark with an end are not counted, nor are those that pass for whom only facts are judged.
     */
    public final boolean shut;

    private GateState(
            HealthState health,
            EjectionState ejection,
            long seed,
            @Nullable Object cordon,
            @Nullable Busy busy,
            @Nullable Events events,
            Names names) {
        this.limits = health.limits;
        this.health = health;
        this.ejection = ejection;
        this.seed = seed;
        this.cordon = cordon;
        this.busy = busy;
        this.events = events;
        this.names = names;
        boolean marked = busy != null
                || ejection.phase() == EjectionState.Phase.OUT
                || ejection.phase() == EjectionState.Phase.TRIAL;
        this.shut = !marked && (cordon != null || names.objection != null || health.shut);
    }

    /** What its worker has said of being full. */
    private record Busy(long since, long until) {}

    /** A substrate that never said anything. */
    public static GateState unseen(GateLimits limits, long seed) {
        return new GateState(HealthState.unseen(limits), EjectionState.INITIAL, seed, null, null, null, limits.names);
    }

    // the verdict

    /**
     * The first thing that speaks against it now, apart from slots and memory; null when nothing does.
     *
     * @param factsOnly whether utilisation and temperature are left out
     * @param perGpu whether utilisation and temperature are judged per GPU, elsewhere
     */
    public @Nullable Reason objection(long now, boolean factsOnly, boolean perGpu) {
        if (names.objection != null) {
            return Reason.OUT_OF_SCOPE;
        }
        if (cordon != null) {
            return Reason.CORDONED;
        }
        Reason out = ejected(now);
        if (out != null) {
            return out;
        }
        if (busyFor(now) > 0) {
            return Reason.BUSY;
        }
        return health.unhealthy(now, factsOnly, perGpu);
    }

    /** Why its addresses may not be connected to, in words; null when they may. */
    @Nullable
    String outOfScope() {
        return names.objection;
    }

    /** Whether an operator has taken it out. */
    public boolean cordoned() {
        return cordon != null;
    }

    /** Why ejection keeps it out now; null when it does not, or when its trial is free. */
    public @Nullable Reason ejected(long now) {
        EjectionState state = ejection.at(now, limits, seed);
        return switch (state.phase()) {
            case IN, RAMP -> null;
            case OUT -> state.trialDue(now) ? null : Reason.EJECTED;
            case TRIAL -> Reason.TRIAL_RUNNING;
        };
    }

    /** How long ejection keeps it out from now; 0 when it does not, or nobody knows. */
    public long ejectedFor(long now) {
        EjectionState state = ejection.at(now, limits, seed);
        return state.phase() == EjectionState.Phase.OUT ? Math.max(0, state.until() - now) : 0;
    }

    /** How long the worker's own word keeps it busy from now; 0 when it does not. */
    public long busyFor(long now) {
        return busy == null ? 0 : Math.max(0, busy.until() - now);
    }

    /** Whether one lease may now try whether it is well again. */
    public boolean trialDue(long now) {
        return ejection.at(now, limits, seed).trialDue(now);
    }

    /** The epoch under which a lease is granted now. */
    public int epoch(long now) {
        return ejection.at(now, limits, seed).epoch();
    }

    /** How many own leases it may hold on its way back. */
    public int rampCap(long now, int maxJobs) {
        return ejection.at(now, limits, seed).cap(now, maxJobs, limits);
    }

    /** What was last known of its faults, for people; empty when there were none. */
    public Optional<String> lastError() {
        return Optional.ofNullable(ejection.lastError());
    }

    /** How long until the verdict may change by time alone; {@link Long#MAX_VALUE} when only an event can change it. */
    public long nextChange(long now) {
        long next = Math.min(ejection.at(now, limits, seed).nextChange(now, limits), health.nextChange(now));
        long full = busyFor(now);
        return full > 0 ? Math.min(next, full) : next;
    }

    // in words

    /** A reason in words, with the numbers, for a person. */
    public String describe(Reason reason, long now) {
        return new GateWords(this, now).of(reason);
    }

    /** A GPU's reason in words, with the numbers. */
    public String describeGpu(Reason reason, GpuReading gpu) {
        return new GateWords(this, 0).ofGpu(reason, gpu);
    }

    // changes

    /**
     * As a status leaves it.
     *
     * @param source who brings it
     * @param asked when it was asked
     * @param now when it was answered
     * @param status what it says
     * @param own what of it is the router's own load
     * @param moved whether own leases moved while it was asked
     * @param loading whether own leases are too young for all their memory to show
     * @param objection what a predicate of the host has against it; null when nothing
     */
    public GateState told(
            String source,
            long asked,
            long now,
            SubstrateStatus status,
            SeenLoad own,
            boolean moved,
            boolean loading,
            @Nullable String objection) {
        Reading known = health.figures();
        boolean passed = known != null && objection(known.at(), false, false) == null;
        Busy still = busy != null && asked - busy.since() > 0 ? null : busy;
        HealthState next = health.told(source, asked, now, status, own, moved, loading, objection, passed);
        return new GateState(next, ejection, seed, cordon, still, events, names);
    }

    /** With what a name of its endpoints resolves to now; the same value when nothing changes by it. */
    @SuppressWarnings("ReferenceEquality") // an unchanged value is handed on as it is
    public GateState resolved(String host, List<InetAddress> addresses) {
        Names now = names.resolved(host, addresses);
        return now == names ? this : new GateState(health, ejection, seed, cordon, busy, events, now);
    }

    /** As a question without an answer leaves it. */
    public GateState missed(String reason) {
        return new GateState(health.missed(reason), ejection, seed, cordon, busy, events, names);
    }

    /** Under other limits. */
    public GateState under(GateLimits newLimits) {
        return new GateState(
                health.under(newLimits), ejection, seed, cordon, busy, events, newLimits.names.knowing(names));
    }

    /** Taken out, on behalf of somebody. */
    public GateState cordoned(Object byWhom) {
        return new GateState(health, ejection, seed, byWhom, busy, events, names);
    }

    /** Taken out, on behalf of somebody, unless it is out on behalf of another whose word counts for more. */
    public GateState cordonedUnless(Object stronger, Object byWhom) {
        return cordon == stronger ? this : cordoned(byWhom);
    }

    /** Put back; with {@code byWhom} only if that one's cordon is still the one in force. */
    public GateState uncordoned(@Nullable Object byWhom) {
        return byWhom != null && cordon != byWhom
                ? this
                : new GateState(health, ejection.skipRamp(), seed, null, busy, events, names);
    }

    /** With an ejection ended and everything about faults forgotten. */
    public GateState reset(String substrateId) {
        boolean out = ejection.phase() == EjectionState.Phase.OUT || ejection.phase() == EjectionState.Phase.TRIAL;
        Events told = out ? new Events(events, new RouterEvent.Returned(substrateId, true)) : events;
        return new GateState(health, ejection.reset(), seed, cordon, null, told, names);
    }

    /** As time has left it, with the event of a trial that stayed silent. */
    @SuppressWarnings("ReferenceEquality") // an unchanged value is handed on as it is
    public GateState at(String substrateId, long now) {
        EjectionState settled = ejection.at(now, limits, seed);
        return settled == ejection ? this : with(substrateId, settled);
    }

    /**
     * With the one trial given to a lease.
     *
     * @param atLeastNanos how long the trial may take, if that is longer than the limit says
     */
    public GateState trialTaken(String substrateId, long now, long atLeastNanos) {
        EjectionState trial = ejection.at(now, limits, seed).trial(now, Math.max(limits.trialNanos, atLeastNanos));
        Events told = new Events(events, new RouterEvent.TrialStarted(substrateId));
        return new GateState(health, trial, seed, cordon, busy, told, names);
    }

    /** As the end of a lease leaves it. */
    public GateState ended(String substrateId, int leaseEpoch, boolean trial, End end, long now) {
        GateState here = at(substrateId, now);
        EjectionState after =
                switch (end.kind()) {
                    case SUCCESS -> here.ejection.success(leaseEpoch, trial, now);
                    case FAULT -> here.ejection.fault(leaseEpoch, trial, now, limits, seed, end.error());
                    case NOTHING, BUSY -> here.ejection.trialWithdrawn(leaseEpoch, trial);
                };
        GateState next = here.with(substrateId, after);
        return end.kind() == End.Kind.BUSY ? next.full(now, end.busyNanos()) : next;
    }

    /** The events that are not told yet, the newest first; null when all are told. */
    public @Nullable Events events() {
        return events;
    }

    /** With all events told. */
    public GateState eventsTold() {
        return new GateState(health, ejection, seed, cordon, busy, null, names);
    }

    /**
     * How a lease ended, as far as health is concerned.
     *
     * @param kind what it says of the substrate
     * @param error the failure in words; empty when there was none
     * @param busyNanos for how long the worker said it is full
     */
    public record End(Kind kind, String error, long busyNanos) {
        /** What it says of the substrate. */
        public enum Kind {
            /** It works. */
            SUCCESS,
            /** It failed. */
            FAULT,
            /** It is full. */
            BUSY,
            /** Nothing. */
            NOTHING
        }

        public static final End SUCCEEDED = new End(Kind.SUCCESS, "", 0);
        public static final End NEUTRAL = new End(Kind.NOTHING, "", 0);

        /** The end that a kind of fault means. */
        public static End of(FaultKind kind, String error, long busyNanos) {
            return switch (kind) {
                case NODE, NODE_NOT_STARTED -> new End(Kind.FAULT, error, 0);
                case BUSY -> new End(Kind.BUSY, error, busyNanos);
                case NEUTRAL, REQUEST -> NEUTRAL;
            };
        }
    }

    /** With what its worker said of being full; an earlier word that lasts longer stays. */
    private GateState full(long now, long nanos) {
        long until = busyFor(now) > nanos ? now + busyFor(now) : now + nanos;
        return new GateState(health, ejection, seed, cordon, new Busy(now, until), events, names);
    }

    /** With a changed ejection and the event that goes with the change. */
    @SuppressWarnings("ReferenceEquality") // an unchanged value is handed on as it is
    private GateState with(String substrateId, EjectionState next) {
        if (next == ejection) {
            return this;
        }
        Events told = events;
        if (next.epoch() != ejection.epoch()) {
            told = new Events(events, ejected(substrateId, next));
        } else if (ejection.phase() == EjectionState.Phase.TRIAL && next.phase() == EjectionState.Phase.RAMP) {
            told = new Events(events, new RouterEvent.Returned(substrateId, false));
        }
        return new GateState(health, next, seed, cordon, busy, told, names);
    }

    private RouterEvent ejected(String substrateId, EjectionState next) {
        Duration window = Duration.ofNanos(next.until() - next.since());
        Optional<String> error = Optional.ofNullable(next.lastError());
        if (ejection.phase() == EjectionState.Phase.TRIAL) {
            return EjectionState.SILENCE.equals(next.lastError())
                    ? new RouterEvent.Ejected(substrateId, "trial stayed silent", 1, 1, window, Optional.empty())
                    : new RouterEvent.Ejected(substrateId, "trial failed", 1, 1, window, error);
        }
        int inRow = next.consecutive();
        if (inRow >= limits.consecutiveFaults) {
            return new RouterEvent.Ejected(
                    substrateId, "consecutive faults", inRow, limits.consecutiveFaults, window, error);
        }
        int counted = EjectionState.faultsOfLast(next.history(), limits);
        return new RouterEvent.Ejected(
                substrateId, "faults of the last " + limits.ofLast, counted, limits.faults, window, error);
    }
}
