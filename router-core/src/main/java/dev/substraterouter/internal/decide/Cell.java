package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.admission.Window;
import dev.substraterouter.internal.gate.Events;
import dev.substraterouter.internal.gate.GateLimits;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.gate.SeenLoad;
import dev.substraterouter.internal.plan.Shutters;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Vram;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.RouterEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one atomic of one substrate. Thread-safe; nothing here blocks.
 *
 * <p><b>The idea.</b> Health, ejection with its trial, leases and the policy's limits are one immutable {@link CellState}; every change is
 * computed as the next state and swapped in by compare-and-set. The textbook way is a counter, a breaker and a status beside each other,
 * each with its own atomic; between them lie the races that leak permits, admit two trials, or admit by a status that has just been
 * replaced. The price is two small allocations for each lease.
 *
 * <p><b>How the races end.</b> <i>Two take the last slot or the one trial:</i> both decide on the same state, one swap wins, the other
 * decides anew. <i>Take against status, cordon, ejection or reload:</i> whoever swaps second sees the other; a lease is never taken by a
 * verdict that is not the newest. <i>End against end:</i> the lease is in the list once; the second finds it gone. <i>End against
 * status:</i> either the lease was in the list when the status was taken in, and the status has seen it, or it has ended inside the
 * window, and the status is in doubt. <i>End after removal and return of the substrate:</i> the lease belongs to this cell, and is found
 * in its list or not at all. <i>Change against a decision that skips what is shut:</i> see {@link Shutters}.
 *
 * <p><b>Events.</b> The winner of a change leaves its event in the state. Whoever drains takes the list under a lock and tells it in
 * order; the lock is never held while a state is computed, and what is told only goes into bounded buffers.
 */
public final class Cell {
    /** A lease must have been open this long before a status was asked to be in it for certain. */
    public static final long SEEN_SLACK_NANOS = 100_000_000;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Cell.class, "state", CellState.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile CellState state;

    /** Keeps two substrates, whose states two cores swap, off the same cache lines when their cells lie side by side. */
    @SuppressWarnings("unused")
    private long a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;

    private final ReentrantLock telling = new ReentrantLock();

    Cell(SubstratePlan plan, GateLimits limits, long seed) {
        state = new CellState(plan, GateState.unseen(limits, seed), LedgerState.EMPTY);
        show(plan);
    }

    /**
     * A question to it.
     *
     * @param nanos when it was asked
     * @param taken what was taken of it then; null: the host tells the status by hand
     */
    public record Asked(long nanos, @Nullable LedgerState taken) {
        /** What the host says by hand: it comes after all that the host has done before, even at the same moment. */
        public static Asked byHand(long now) {
            return new Asked(now + 1, null);
        }
    }

    /** What has become of a status. */
    public enum Told {
        /** Something newer was known, or the policy has the substrate no more; nothing has changed. */
        OUTDATED,
        /** It counts, and no own lease began or ended while it was asked. */
        AT_REST,
        /** It counts, and own leases began or ended while it was asked. */
        WHILE_MOVING
    }

    /** Its state now. */
    public CellState get() {
        return state;
    }

    /** Puts it under a newer revision, if it is not already. */
    CellState adopt(SubstratePlan plan, GateLimits limits) {
        return change(now ->
                now.plan.revision >= plan.revision ? now : new CellState(plan, now.gate.under(limits), now.ledger));
    }

    /** Takes it out of the policy: nothing new is placed there. */
    public void retire(SubstratePlan plan) {
        change(now -> new CellState(plan, now.gate, now.ledger));
    }

    /** Takes the lease of a decision, if the state is still the one that was decided on; else null. */
    public @Nullable Lease take(Decision decision) {
        CellState.Taking taking = decision.taking();
        return swap(decision.state(), taking.state()) ? taking.lease() : null;
    }

    /**
     * Ends a lease.
     *
     * @param linger whether its work may still run
     * @return the state before; null when the lease had ended before
     */
    public @Nullable CellState end(Lease lease, GateState.End end, boolean linger, long now) {
        while (true) {
            CellState before = state;
            CellState here = before.at(now);
            if (!here.ledger.open(lease)) {
                return null;
            }
            CellState after = new CellState(
                    here.plan,
                    here.gate.ended(here.plan.id, lease.epoch, lease.trial, end, now),
                    here.ledger.end(lease, now, linger));
            if (swap(before, after)) {
                return before;
            }
        }
    }

    /**
     * Takes a status in.
     *
     * @param source who brings it
     * @param asked when it was asked, and what was taken then
     * @param now when it was answered
     * @param status what it says
     * @param objection what a predicate of the host has against it; null when nothing
     */
    public Told tell(String source, Asked asked, long now, SubstrateStatus status, @Nullable String objection) {
        boolean byHand = asked.taken() == null;
        Window window = new Window(asked.nanos(), byHand ? now : asked.nanos() - SEEN_SLACK_NANOS, asked.taken());
        long[] used = usedByGpu(status);
        while (true) {
            CellState before = state;
            CellState here = before.at(now);
            if (here.plan.retired || here.gate.health.outdated(source, asked.nanos())) {
                return Told.OUTDATED;
            }
            boolean tellsMemory =
                    status.vramUsedGb().isPresent() && !status.partial().contains(Measure.VRAM);
            LedgerState ledger = here.ledger.afterStatus(window, tellsMemory, used);
            boolean moved = !byHand && here.ledger.movedIn(window);
            boolean loading = !byHand && tellsMemory && ledger.loading(window.openSince());
            GateState gate = here.gate.told(
                    here.plan.id,
                    source,
                    asked.nanos(),
                    now,
                    status,
                    new Own(ledger, window),
                    moved,
                    loading,
                    objection);
            CellState after = new CellState(here.plan, gate, ledger);
            if (swap(before, after)) {
                return moved ? Told.WHILE_MOVING : Told.AT_REST;
            }
        }
    }

    /** Changes what is known of its health. */
    public CellState changeGate(UnaryOperator<GateState> step) {
        return change(now -> now.with(step.apply(now.gate)));
    }

    /** Brings it to what time has made of it. */
    public CellState settle(long time) {
        return change(now -> now.at(time));
    }

    /**
     * Tells the events that are not told yet, in the order in which they happened.
     *
     * @param listener takes an event; runs under a lock, so it must only put it somewhere
     * @return whether there were any
     */
    public boolean drainEvents(Consumer<RouterEvent> listener) {
        boolean any = false;
        while (state.gate.events() != null && telling.tryLock()) {
            try {
                Deque<RouterEvent> inOrder = new ArrayDeque<>();
                for (Events one = takeEvents(); one != null; one = one.earlier()) {
                    inOrder.addFirst(one.event());
                }
                inOrder.forEach(listener);
                any |= !inOrder.isEmpty();
            } finally {
                telling.unlock();
            }
        }
        return any; // where the lock was taken, its holder looks again after letting go
    }

    private @Nullable Events takeEvents() {
        while (true) {
            CellState now = state;
            if (swap(now, now.with(now.gate.eventsTold()))) {
                return now.gate.events();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // a plan is one revision's
    private boolean swap(CellState expected, CellState next) {
        return (expected.plan == next.plan && expected.shut() == next.shut())
                ? STATE.compareAndSet(this, expected, next)
                : turn(expected, next);
    }

    /** A swap that opens it, shuts it, or takes it from one revision to another. */
    private boolean turn(CellState expected, CellState next) {
        expected.plan.shutters.begin();
        next.plan.shutters.begin();
        boolean swapped = STATE.compareAndSet(this, expected, next);
        if (swapped) {
            show(expected.plan);
            show(next.plan);
        }
        next.plan.shutters.end();
        expected.plan.shutters.end();
        return swapped;
    }

    /** Notes with a revision whether it is shut there, until that is what the state says. */
    private void show(SubstratePlan plan) {
        boolean shut;
        do {
            shut = shutUnder(plan);
            plan.shutters.show(plan.index, shut);
        } while (shut != shutUnder(plan));
    }

    @SuppressWarnings("ReferenceEquality") // a plan is one revision's
    private boolean shutUnder(SubstratePlan plan) {
        CellState now = state;
        return now.plan == plan && now.shut();
    }

    private CellState change(UnaryOperator<CellState> step) {
        while (true) {
            CellState before = state;
            CellState after = step.apply(before);
            if (after == before || swap(before, after)) {
                return after;
            }
        }
    }

    private static long[] usedByGpu(SubstrateStatus status) {
        List<GpuStatus> gpus = status.gpus();
        long[] used = new long[gpus.size()];
        for (int at = 0; at < used.length; at++) {
            if (gpus.get(at).vramUsedGb().isEmpty()) {
                return new long[0];
            }
            used[at] = Vram.taken(gpus.get(at).vramUsedGb().getAsDouble());
        }
        return used;
    }

    /** The router's own load in a status. */
    private record Own(LedgerState ledger, Window window) implements SeenLoad {
        @Override
        public int jobs() {
            return ledger.seenJobs(window);
        }

        @Override
        public int settledJobs() {
            return ledger.settledJobs(window, window.asked() - SEEN_SLACK_NANOS);
        }

        @Override
        public long mib() {
            return ledger.seenMib();
        }

        @Override
        public int jobs(int gpu) {
            return ledger.seenJobs(window, gpu);
        }

        @Override
        public long mib(int gpu, int gpus) {
            return ledger.seenMib(gpu, gpus);
        }
    }
}
