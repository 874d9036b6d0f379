package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A placement with its lease.
 *
 * <p><b>How the races end.</b> Outcomes and closing meet in one atomic: the first sets how it ended, and only that one ends the lease; so
 * whoever comes second, and a trace that is made then, already finds how it ended. Whether the lease still counts is the ledger's fact, so
 * even a second end of the same lease would find nothing to end.
 */
final class HeldPlacement implements Placement, PlacedAttempt, Found {
    private static final VarHandle ENDING;

    static {
        try {
            ENDING = MethodHandles.lookup().findVarHandle(HeldPlacement.class, "ending", Ending.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Journey journey;
    private final Decision decision;
    private final Lease lease;
    private final int attempt;
    private final long waitedNanos;
    /** Whether a call drives it, which ends the journey itself. */
    private final boolean driven;
    /** The attempt before it; null: it is the first, or that one is not kept any more. */
    private volatile @Nullable HeldPlacement earlier;

    private volatile @Nullable Ending ending;
    private volatile boolean committed;
    private volatile @Nullable Served served;

    HeldPlacement(Journey journey, Decision decision, Lease lease, long waitedNanos, boolean driven) {
        this.journey = journey;
        this.decision = decision;
        this.lease = lease;
        this.waitedNanos = waitedNanos;
        this.driven = driven;
        HeldPlacement before = journey.last();
        this.attempt = before == null ? 1 : before.attempt + 1;
        if (before != null) {
            this.earlier = before; // not in the common case, where it would cost a fence
        }
    }

    /** What really ran. */
    private record Served(String model, String version) {}

    /**
     * How it ended.
     *
     * @param outcome how
     * @param kind whose fault it was; null when there was none
     * @param atNanos when
     * @param error the failure in words; null when there was none
     */
    record Ending(
            Outcome outcome,
            @Nullable FaultKind kind,
            long atNanos,
            @Nullable String error) {}

    @Override
    public String substrateId() {
        return plan().substrate.id;
    }

    @Override
    public URI endpoint() {
        URI endpoint = plan().endpoint;
        if (endpoint == null) {
            throw new IllegalStateException(
                    "substrate '" + substrateId() + "' has no endpoint in the policy: the host serves it itself");
        }
        return endpoint;
    }

    @Override
    public Candidate candidate() {
        return plan().declared;
    }

    @Override
    public PlacementMode mode() {
        return plan().batch ? PlacementMode.BATCH : PlacementMode.INTERACTIVE;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public OptionalInt gpu() {
        return lease.gpu == Lease.NO_GPU ? OptionalInt.empty() : OptionalInt.of(lease.gpu);
    }

    @Override
    public Set<DegradedReason> degraded() {
        return decision.degraded();
    }

    @Override
    public Optional<Duration> expectedLatency() {
        return lease.expectedNanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(lease.expectedNanos));
    }

    @Override
    public RoutingTrace trace() {
        return journey.trace();
    }

    @Override
    public void commit() {
        committed = true;
    }

    @Override
    public void served(String model, String version) {
        served = new Served(Objects.requireNonNull(model, "model"), Objects.requireNonNull(version, "version"));
    }

    @Override
    public void succeed() {
        end(Outcome.SUCCEEDED, null, GateState.End.SUCCEEDED, false, null);
    }

    @Override
    public void fail(Throwable t) {
        fault(journey.engine().classify(t), t, false);
    }

    @Override
    public void nodeFault(Throwable t) {
        fault(FaultKind.NODE, t, false);
    }

    @Override
    public void busy(Duration retryAfter) {
        fault(FaultKind.BUSY, new BackpressureException(retryAfter), false);
    }

    @Override
    public void close() {
        end(Outcome.NEUTRAL, null, GateState.End.NEUTRAL, false, null);
    }

    /**
     * As {@link #fail}, for the call that drives it.
     *
     * @param abandoned whether the work was left running by an interruption or cancellation
     * @return whose fault it was; what the work itself has reported before wins
     */
    FaultKind failed(Throwable t, boolean abandoned) {
        fault(journey.engine().classify(t), t, abandoned);
        Ending ended = ending;
        return ended == null || ended.kind() == null ? FaultKind.REQUEST : ended.kind();
    }

    /** The attempt before it; null: there was none, or it is not kept any more. */
    @Nullable
    HeldPlacement earlier() {
        return earlier;
    }

    /** Drops the attempts before the last so many. */
    void forgetAllBut(int kept) {
        HeldPlacement oldest = this;
        for (int at = 1; at < kept && oldest != null; at++) {
            oldest = oldest.earlier;
        }
        if (oldest != null) {
            oldest.earlier = null;
        }
    }

    boolean committed() {
        return committed;
    }

    boolean fellBack() {
        return decision.fellBack();
    }

    boolean overflow() {
        return plan().substrate.overflow;
    }

    @Override
    public long revision() {
        return decision.revision.number;
    }

    Decision decision() {
        return decision;
    }

    Journey journey() {
        return journey;
    }

    @Override
    public long waitedNanos() {
        return waitedNanos;
    }

    CandidatePlan plan() {
        return decision.candidate();
    }

    /** The attempt as the trace shows it, as it stands. */
    Attempt attemptRecord() {
        Ending ended = ending;
        Served ran = served;
        CandidatePlan plan = plan();
        return new Attempt(
                attempt,
                decision.considered(),
                plan.substrate.id,
                plan.substrate.external,
                Optional.ofNullable(plan.endpoint),
                model(),
                ran == null ? plan.declared.modelVersion() : Optional.of(ran.version()),
                plan.declared.format(),
                mode(),
                path(),
                gpu(),
                degraded(),
                revision(),
                Duration.ofNanos(waitedNanos),
                ended == null ? Optional.empty() : Optional.of(Duration.ofNanos(ended.atNanos() - lease.startNanos)),
                ended == null ? OptionalDouble.empty() : plan.computeCost(ended.atNanos() - lease.startNanos),
                ended == null ? Outcome.OPEN : ended.outcome(),
                ended == null ? Optional.empty() : Optional.ofNullable(ended.error()));
    }

    @Override
    public long number() {
        return journey.number();
    }

    @Override
    public String requestId() {
        return journey.id();
    }

    @Override
    public String workload() {
        return journey.request().workload();
    }

    @Override
    public Optional<String> model() {
        Served ran = served;
        return ran == null ? plan().declared.model() : Optional.of(ran.model());
    }

    @Override
    public Optional<Reason> fallbackReason() {
        return Optional.ofNullable(decision.primaryReason());
    }

    @Override
    public long sinceArrivalNanos() {
        return journey.engine().time().nanos() - journey.arrivalNanos();
    }

    @Override
    public ServingPath path() {
        if (mode() == PlacementMode.BATCH) {
            return ServingPath.BATCH;
        }
        if (overflow()) {
            return ServingPath.OVERFLOW;
        }
        return plan().primary ? ServingPath.PRIMARY : ServingPath.FALLBACK;
    }

    private void fault(FaultKind kind, Throwable t, boolean abandoned) {
        long busyNanos = kind == FaultKind.BUSY ? journey.engine().busyNanos(t, decision.revision) : 0;
        boolean notRunning = kind == FaultKind.BUSY || kind == FaultKind.NODE_NOT_STARTED;
        boolean linger = kind == FaultKind.NODE || (abandoned && !notRunning);
        String sort = Engine.sort(t);
        if (end(outcome(kind), kind, GateState.End.of(kind, sort, busyNanos), linger, Engine.words(t))) {
            if (kind != FaultKind.NEUTRAL) {
                journey.engine().observers().failed(this, kind, sort);
            }
            if (kind == FaultKind.BUSY) {
                journey.engine().intake().full(substrateId(), lease.startNanos, t, busyNanos);
            }
        }
    }

    private boolean end(
            Outcome outcome, @Nullable FaultKind kind, GateState.End end, boolean linger, @Nullable String error) {
        if (ending != null) {
            return false;
        }
        Engine engine = journey.engine();
        long now = engine.time().nanos();
        if (!ENDING.compareAndSet(this, null, new Ending(outcome, kind, now, error))) {
            return false;
        }
        if (outcome == Outcome.SUCCEEDED
                && !plan().batch
                && !decision.cold()) { // a batch queue is handed the work only
            decision.revision.book.succeeded(decision.route.workload, plan(), now - lease.startNanos, now);
        }
        engine.release(decision.cell(), lease, end, linger, now);
        engine.observers().inline().ended(this, outcome, now - lease.startNanos);
        if (!driven) {
            journey.end();
        }
        return true;
    }

    private static Outcome outcome(FaultKind kind) {
        return switch (kind) {
            case NODE -> Outcome.NODE_FAULT;
            case NODE_NOT_STARTED -> Outcome.NOT_STARTED;
            case BUSY -> Outcome.BUSY;
            case NEUTRAL -> Outcome.NEUTRAL;
            case REQUEST -> Outcome.REQUEST_FAULT;
        };
    }

    @Override
    public String toString() {
        Ending ended = ending;
        return "Placement[" + journey + " on " + substrateId() + ", attempt " + attempt + ", "
                + (ended == null ? Outcome.OPEN : ended.outcome()) + "]";
    }
}
