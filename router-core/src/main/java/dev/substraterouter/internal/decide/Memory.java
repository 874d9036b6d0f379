package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.trace.Reason;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The arithmetic of GPU memory: what a candidate needs now, what is free for it, and on which GPU. Pure. */
final class Memory {
    /** In place of a GPU: no single one will do. */
    static final int NO_ROOM = -2;

    private Memory() {}

    /** What the candidate would reserve now, MiB; 0 where memory is not judged. */
    static long need(CellState state, CandidatePlan candidate, long now) {
        if (candidate.needMib < 0) {
            return 0;
        }
        return candidate.residentNeedMib < candidate.needMib && resident(state, candidate, now)
                ? candidate.residentNeedMib
                : candidate.needMib;
    }

    /** Whether the candidate's model is known to be absent from the substrate's memory. */
    static boolean cold(CellState state, CandidatePlan candidate, long now) {
        if (candidate.model == null) {
            return false;
        }
        Set<String> models = state.gate.health.models(now);
        return models != null && !models.contains(candidate.model);
    }

    /** What is free for the candidate on the whole substrate, MiB; {@link Long#MAX_VALUE} where nobody knows how much there is. */
    static long free(CellState state, CandidatePlan candidate, long now) {
        long total = total(state, now);
        return total < 0
                ? Long.MAX_VALUE
                : total
                        - state.plan.keepFreeMib
                        - foreign(state, candidate, now)
                        - state.ledger.reservedMib()
                        - residue(state, candidate, Lease.NO_GPU, 1, now);
    }

    /** What there is in all, MiB: the smaller of what the policy and the status say; negative when neither does. */
    static long total(CellState state, long now) {
        Reading.Memory told = state.gate.health.memory(now);
        long least = state.plan.totalMib == SubstratePlan.UNKNOWN ? Reading.Memory.TOTAL_NOT_TOLD : state.plan.totalMib;
        long total = told == null ? least : Math.min(least, told.total());
        return total == Reading.Memory.TOTAL_NOT_TOLD ? SubstratePlan.UNKNOWN : total;
    }

    /** What others use now, MiB, less what idle models would give up. */
    static long foreign(CellState state, CandidatePlan candidate, long now) {
        Reading.Memory told = state.gate.health.memory(now);
        return told == null ? 0 : Math.max(0, told.foreign() - evictable(state, candidate, now));
    }

    /**
     * Where the candidate may run now: a GPU, {@link Lease#NO_GPU} where it need not be booked on a single one, or {@link #NO_ROOM}. In
     * one pass over the GPUs utilisation, temperature and memory are judged together, each GPU by itself.
     */
    static int place(CellState state, CandidatePlan candidate, long now) {
        boolean judged = candidate.needMib >= 0;
        long need = need(state, candidate, now);
        if (judged && need > free(state, candidate, now)) {
            return NO_ROOM;
        }
        List<GpuReading> gpus = perGpu(state, candidate, now);
        if (gpus.isEmpty()) {
            return judged && !candidate.spansGpus && state.plan.gpus > 1
                    ? equalGpu(state, candidate, need, now)
                    : Lease.NO_GPU;
        }
        int best = NO_ROOM;
        long most = Long.MIN_VALUE;
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            long room = room(state, candidate, gpus, gpu, now);
            boolean fits = !judged || room >= need;
            if (fits && room > most && state.gate.health.gpuObjection(gpu, candidate.factsOnly) == null) {
                best = gpu;
                most = room;
            }
        }
        return best;
    }

    /** Why {@link #place} found no room. */
    static Reason why(CellState state, CandidatePlan candidate, long now) {
        long need = need(state, candidate, now);
        List<GpuReading> gpus = perGpu(state, candidate, now);
        if (gpus.isEmpty() || (candidate.needMib >= 0 && need > free(state, candidate, now))) {
            return Reason.VRAM;
        }
        Reason common = null;
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            Reason own = state.gate.health.gpuObjection(gpu, candidate.factsOnly);
            own = own == null ? Reason.VRAM : own;
            if (common != null && common != own) {
                return Reason.NO_SINGLE_GPU;
            }
            common = own;
        }
        return common == null ? Reason.NO_SINGLE_GPU : common;
    }

    /** The GPUs of which one alone must do; empty where sums are judged. */
    static List<GpuReading> perGpu(CellState state, CandidatePlan candidate, long now) {
        return candidate.spansGpus ? List.of() : state.gate.health.gpus(now);
    }

    /** What is free for the candidate on one GPU of several, MiB. */
    static long room(CellState state, CandidatePlan candidate, List<GpuReading> gpus, int gpu, long now) {
        int count = gpus.size();
        long foreign = gpus.get(gpu).foreign();
        long evictable = evictable(state, candidate, now);
        if (evictable
                > 0) { // nobody says where the idle models lie: only what cannot lie elsewhere counts as free here
            long elsewhere = 0;
            for (int other = 0; other < count; other++) {
                elsewhere += other == gpu ? 0 : gpus.get(other).foreign();
            }
            foreign = Math.max(0, foreign - Math.max(0, evictable - elsewhere));
        }
        return gpus.get(gpu).total()
                - (state.plan.keepFreeMib + count - 1) / count
                - foreign
                - state.ledger.bookedMib(gpu, count)
                - residue(state, candidate, gpu, count, now);
    }

    /** The room on one of several equal GPUs of which only sums are known, MiB. */
    static long equalRoom(CellState state, CandidatePlan candidate, long now) {
        int count = state.plan.gpus;
        LedgerState ledger = state.ledger;
        int emptiest = ledger.emptiestGpu(count);
        long keep = (state.plan.keepFreeMib + count - 1) / count;
        long alone = total(state, now) / count
                - keep
                - foreign(state, candidate, now)
                - ledger.bookedMib(emptiest, count)
                - residue(state, candidate, emptiest, count, now);
        return Math.max(free(state, candidate, now) / count, alone);
    }

    private static int equalGpu(CellState state, CandidatePlan candidate, long need, long now) {
        return need <= equalRoom(state, candidate, now) ? state.ledger.emptiestGpu(state.plan.gpus) : NO_ROOM;
    }

    private static boolean resident(CellState state, CandidatePlan candidate, long now) {
        Set<String> models = state.gate.health.models(now);
        return candidate.model != null
                && models != null
                && models.contains(candidate.model)
                && !state.ledger.holds(candidate.residentKey)
                && state.ledger.modelResidueMib(candidate.residentKey) == 0; // then the model is credited already
    }

    private static long residue(CellState state, CandidatePlan candidate, int gpu, int gpus, long now) {
        boolean counts =
                !state.plan.evictable && state.gate.health.memory(now) != null; // it completes figures that are known
        return counts ? state.ledger.residueMib(candidate.residentKey, gpu, gpus) : 0;
    }

    /** What known models hold while they serve nothing, where that may be taken and the candidate does not count on it, MiB. */
    private static long evictable(CellState state, CandidatePlan candidate, long now) {
        Set<String> models = state.plan.evictable ? state.gate.health.models(now) : null;
        if (models == null) {
            return 0;
        }
        long sum = 0;
        for (Map.Entry<String, Long> known : state.plan.idleMib.entrySet()) {
            String model = known.getKey();
            String key = CandidatePlan.modelKey(model);
            boolean kept = model.equals(candidate.model) && candidate.residentNeedMib < candidate.needMib;
            if (!kept && models.contains(model) && !state.ledger.holds(key)) {
                sum += Math.max(
                        0, known.getValue() - state.ledger.modelResidueMib(key)); // a residue is not in the figures
            }
        }
        return sum;
    }
}
