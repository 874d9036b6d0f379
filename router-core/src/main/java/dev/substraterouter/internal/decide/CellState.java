package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that changes about one substrate, as one value: under which policy it stands, its health, and what is taken of it. A pure value; a
 * decision that looks at one sees figures that belong together.
 */
public final class CellState {
    public final SubstratePlan plan;
    public final GateState gate;
    public final LedgerState ledger;

    CellState(SubstratePlan plan, GateState gate, LedgerState ledger) {
        this.plan = plan;
        this.gate = gate;
        this.ledger = ledger;
    }

    /** As time has left it. */
    CellState at(long now) {
        GateState gateNow = gate.at(plan.id, now);
        LedgerState ledgerNow = ledger.expire(now, gate.limits.staleNanos);
        return gateNow == gate && ledgerNow == ledger ? this : new CellState(plan, gateNow, ledgerNow);
    }

    /** Whether nobody could be placed here, whatever he asks but facts only, until something is told or done. */
    boolean shut() {
        return gate.shut && !plan.retired;
    }

    CellState with(GateState newGate) {
        return newGate == gate ? this : new CellState(plan, newGate, ledger);
    }

    /** How many leases count now, those included whose work may still run. */
    public int jobs(long now) {
        return ledger.anyLingers() ? ledger.expire(now, gate.limits.staleNanos).jobs() : ledger.jobs();
    }

    /** Whether a candidate passes its gate now, whatever is taken by the router itself and whoever asks. */
    public boolean passesGate(CandidatePlan candidate, long now) {
        CellState alone = new CellState(plan, gate, LedgerState.EMPTY);
        boolean perGpu = !Memory.perGpu(this, candidate, now).isEmpty();
        return candidate.unusable == null
                && !seldomThere(candidate)
                && gate.objection(now, candidate.factsOnly, perGpu) == null
                && gate.health.foreignJobs(now) < plan.maxJobs
                && Memory.place(alone, candidate, now) != Memory.NO_ROOM;
    }

    /** Whether work in general may go here now, whatever the router itself has placed here. */
    public boolean passesGate(long now) {
        return gate.health.foreignJobs(now) < plan.maxJobs
                && objections(now).stream().allMatch(reason -> reason == Reason.RUNNING_JOBS);
    }

    /** How many more jobs fit into its slots now; {@link Integer#MAX_VALUE} without a limit. */
    public int freeSlots(long now) {
        long free = (long) plan.maxJobs - jobs(now) - gate.health.foreignJobs(now);
        return plan.maxJobs == Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) Math.max(0, free);
    }

    /** Whether it passed its gate in too small a share of the watched time; while nothing was watched, nothing speaks against it. */
    boolean seldomThere(CandidatePlan candidate) {
        return candidate.minAvailability > 0 && gate.health.availability().orElse(1) < candidate.minAvailability;
    }

    /** What speaks against each of several GPUs, whatever a job needs; null when one of them, or their sum, passes. */
    private @Nullable Reason everyGpuObjects(long now, boolean factsOnly) {
        Reason common = null;
        for (int gpu = 0; gpu < gate.health.gpus(now).size(); gpu++) {
            Reason own = gate.health.gpuObjection(gpu, factsOnly);
            if (own == null) {
                return null;
            }
            common = common == null || common == own ? own : Reason.NO_SINGLE_GPU;
        }
        return common;
    }

    /** Everything that speaks against placing anything here now. */
    public List<Reason> objections(long now) {
        List<Reason> reasons = new ArrayList<>();
        boolean perGpu = !gate.health.gpus(now).isEmpty();
        Reason first = gate.objection(now, false, perGpu);
        if (first == null && perGpu) {
            first = everyGpuObjects(now, false);
        }
        if (first != null) {
            reasons.add(first);
        }
        if ((long) jobs(now) + gate.health.foreignJobs(now) >= plan.maxJobs) {
            reasons.add(Reason.RUNNING_JOBS);
        }
        return reasons;
    }

    /** One of {@link #objections} in words, with the numbers. */
    public String describe(Reason reason, long now) {
        List<GpuReading> gpus = gate.health.gpus(now);
        boolean ofGpus = reason == Reason.GPU_UTIL || reason == Reason.GPU_TEMP || reason == Reason.NO_SINGLE_GPU;
        if (ofGpus && !gpus.isEmpty()) {
            List<String> texts = new ArrayList<>();
            for (int gpu = 0; gpu < gpus.size(); gpu++) {
                Reason own = gate.health.gpuObjection(gpu, false);
                texts.add(own == null ? "" : gate.describeGpu(own, gpus.get(gpu)));
            }
            return String.join(", ", texts);
        }
        return reason == Reason.RUNNING_JOBS
                ? "jobs " + ((long) jobs(now) + gate.health.foreignJobs(now)) + "/" + plan.maxJobs
                : gate.describe(reason, now);
    }

    /**
     * The lease that a candidate that was found admissible gets, and the state with it.
     *
     * @param latencyNanos how long the work is expected to take, without loading; -1: not known
     */
    Taking take(CandidatePlan candidate, int gpu, long latencyNanos, long now, Ask ask) {
        CellState here = at(now);
        GateState gateThen = here.gate;
        boolean trial = gateThen.trialDue(now);
        if (trial) {
            gateThen = gateThen.trialTaken(plan.id, now, 2 * Math.max(0, latencyNanos) + candidate.loadNanos);
        }
        boolean cold = Memory.cold(this, candidate, now);
        long lasts = latencyNanos < 0 ? -1 : latencyNanos + (cold ? candidate.loadNanos : 0);
        long need = Memory.need(here, candidate, now);
        Lease lease = new Lease(
                now,
                need,
                candidate.residentKey,
                need == candidate.needMib,
                candidate.spansGpus,
                gpu,
                candidate.loadNanos,
                lasts,
                gateThen.epoch(now),
                trial,
                ask);
        return new Taking(lease, new CellState(plan, gateThen, here.ledger.take(lease)));
    }

    /**
     * A lease and the state that has it.
     *
     * @param lease the lease
     * @param state the state
     */
    record Taking(Lease lease, CellState state) {}
}
