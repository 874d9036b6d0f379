package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.internal.gate.Decimals;
import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Vram;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether one candidate is admissible for one request now: a pure function, the one place that says so.
 *
 * <p>It answers with the first reason that speaks against, as a code; the words are found later, from the same values, if anybody reads
 * them. What the policy and the request rule out for good comes first, then cordon, ejection and health, then who waits, then the scarce
 * slot, then memory and GPU.
 */
final class Check {
    private final CellState state;
    private final CandidatePlan candidate;
    private final RoutePlan route;
    private final Ask ask;
    private final long now;

    private Check(CellState state, CandidatePlan candidate, RoutePlan route, Ask ask, long now) {
        this.state = state;
        this.candidate = candidate;
        this.route = route;
        this.ask = ask;
        this.now = now;
    }

    /** The first thing that speaks against; null: admissible. */
    static @Nullable Reason test(
            CellState state,
            CandidatePlan candidate,
            RoutePlan route,
            Ask ask,
            @Nullable Marks marks,
            long agesAfterNanos,
            long now) {
        Reason reason = forGood(state, candidate, ask, now);
        if (reason == null) {
            reason = forNow(state, candidate, route, ask, now);
        }
        if (reason == null && marks != null) {
            reason = waiters(state, ask, marks, agesAfterNanos, now);
        }
        if (reason == null) {
            reason = slots(state, ask, now);
        }
        return reason != null ? reason : memory(state, candidate, now);
    }

    /** Whether it would be admissible if the router's own leases there were gone and nobody waited. */
    static boolean wouldPassAlone(CellState state, CandidatePlan candidate, RoutePlan route, Ask ask, long now) {
        CellState alone = new CellState(state.plan, state.gate, LedgerState.EMPTY);
        return test(alone, candidate, route, ask, null, Long.MAX_VALUE, now) == null;
    }

    /** Whether nobody at all could be placed there now. */
    static boolean closed(CellState state, long now) {
        if (state.plan.retired
                || state.gate.cordoned()
                || state.gate.ejected(now) != null
                || state.gate.busyFor(now) > 0) {
            return true;
        }
        int jobs = state.jobs(now);
        return (long) jobs + state.gate.health.foreignJobs(now) >= state.plan.maxJobs
                || jobs >= state.gate.rampCap(now, state.plan.maxJobs);
    }

    /** Whether a reason is one that no waiting ends. */
    static boolean forGood(Reason reason) {
        return switch (reason) {
            case CAPABILITY, CODEBASE, REACH, PRIVACY, QUALITY, LATENCY, COST, ROLE, BATCH_ONLY -> true;
            case TOO_SMALL, AVOIDED, FAILED_BEFORE -> true;
            default -> false;
        };
    }

    private static @Nullable Reason forGood(CellState state, CandidatePlan candidate, Ask ask, long now) {
        if (candidate.unusable != null) {
            return candidate.unusable;
        }
        String id = state.plan.id;
        if (!ask.avoid().isEmpty() && ask.avoid().contains(id)) {
            return Reason.AVOIDED;
        }
        if (ask.exclusions == null) {
            return null;
        }
        Exclusions exclusion = Exclusions.of(ask.exclusions, id);
        if (exclusion == null) {
            return null;
        }
        if (exclusion.forGood()) {
            return Reason.FAILED_BEFORE;
        }
        return exclusion.until() - now > 0 ? Reason.TOLD_TO_WAIT : null;
    }

    private static @Nullable Reason forNow(
            CellState state, CandidatePlan candidate, RoutePlan route, Ask ask, long now) {
        if (candidate.substrate.overflow && now - ask.arrivalNanos < route.overflowAfterNanos) {
            return Reason.OVERFLOW_LATER;
        }
        Reason unhealthy = health(state, candidate, now);
        return unhealthy == null && state.seldomThere(candidate) ? Reason.AVAILABILITY : unhealthy;
    }

    private static @Nullable Reason health(CellState state, CandidatePlan candidate, long now) {
        boolean perGpu = !Memory.perGpu(state, candidate, now).isEmpty();
        return state.gate.objection(now, candidate.factsOnly, perGpu);
    }

    private static @Nullable Reason waiters(CellState state, Ask ask, Marks before, long agesAfterNanos, long now) {
        int substrate = state.plan.index;
        if (before.claimed(substrate)) {
            return Reason.CLAIMED;
        }
        boolean low = ask.priorityClass(now, agesAfterNanos) >= Waiter.rank(Priority.LOW);
        return low && before.wanted(substrate) ? Reason.WAITERS_AHEAD : null;
    }

    private static @Nullable Reason slots(CellState state, Ask ask, long now) {
        int own = state.jobs(now);
        long taken = (long) own + state.gate.health.foreignJobs(now);
        if (taken >= state.plan.maxJobs) {
            return Reason.RUNNING_JOBS;
        }
        if (ask.declared != Priority.HIGH && taken + 1 > (long) state.plan.maxJobs - state.plan.reserveForHigh) {
            return Reason.RESERVED_FOR_HIGH;
        }
        return own + 1 > state.gate.rampCap(now, state.plan.maxJobs) ? Reason.RAMP : null;
    }

    private static @Nullable Reason memory(CellState state, CandidatePlan candidate, long now) {
        CellState here = state.ledger.anyLingers() ? state.at(now) : state;
        return Memory.place(here, candidate, now) == Memory.NO_ROOM ? Memory.why(here, candidate, now) : null;
    }

    // in words

    /** Everything that speaks against now, the given reason first, with the numbers. */
    static List<Finding> explain(
            CellState state, CandidatePlan candidate, RoutePlan route, Ask ask, Reason first, long now) {
        Check check = new Check(state, candidate, route, ask, now);
        if (first == candidate.unusable) {
            return candidate.never;
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(check.finding(first));
        if (!forGood(first)) {
            check.also(findings, first, health(state, candidate, now));
            check.also(findings, first, state.seldomThere(candidate) ? Reason.AVAILABILITY : null);
            check.also(findings, first, slots(state, ask, now));
            check.also(findings, first, memory(state, candidate, now));
            if (check.inDoubt(findings)) {
                findings.add(check.finding(Reason.IN_DOUBT));
            }
        }
        return findings;
    }

    /** What is to be known about a candidate that is taken. */
    static List<Finding> remarks(CellState state, long now) {
        return held(state, now)
                ? List.of(new Finding(Reason.STALE_HELD, state.gate.describe(Reason.STALE_HELD, now)))
                : List.of();
    }

    /** Whether a verdict on it rests on a stale status that was held. */
    static boolean held(CellState state, long now) {
        return state.gate.health.held(now);
    }

    private void also(List<Finding> findings, Reason first, @Nullable Reason more) {
        if (more != null && more != first) {
            findings.add(finding(more));
        }
    }

    /** Whether what decided may have been the router's own load. */
    private boolean inDoubt(List<Finding> findings) {
        if (!state.gate.health.doubtful()) {
            return false;
        }
        for (Finding finding : findings) {
            boolean foreign =
                    switch (finding.reason()) {
                        case GPU_UTIL, NO_SINGLE_GPU -> true;
                        case VRAM -> Memory.foreign(state, candidate, now) > 0;
                        case RUNNING_JOBS -> state.jobs(now) < state.plan.maxJobs;
                        default -> false;
                    };
            if (foreign) {
                return true;
            }
        }
        return false;
    }

    private Finding finding(Reason reason) {
        return new Finding(
                reason,
                switch (reason) {
                    case RUNNING_JOBS -> jobs();
                    case RESERVED_FOR_HIGH -> jobs() + ", " + state.plan.reserveForHigh + " kept for HIGH";
                    case RAMP ->
                        "back after faults: " + state.jobs(now) + " of at most "
                                + state.gate.rampCap(now, state.plan.maxJobs) + " for now";
                    case VRAM -> vram();
                    case NO_SINGLE_GPU -> "no single gpu passes: " + gpus();
                    case GPU_UTIL, GPU_TEMP ->
                        Memory.perGpu(state, candidate, now).isEmpty() ? state.gate.describe(reason, now) : gpus();
                    case AVAILABILITY ->
                        "available "
                                + Decimals.of(state.gate.health.availability().orElse(0), 3) + " of the time < "
                                + Decimals.of(candidate.minAvailability, 3);
                    case AVOIDED -> "to be avoided by the request";
                    case FAILED_BEFORE -> "failed this request before";
                    case TOLD_TO_WAIT -> {
                        Exclusions exclusion = Exclusions.of(ask.exclusions, state.plan.id);
                        long left = exclusion == null ? 0 : exclusion.until() - now;
                        yield "told this request to come back in " + Decimals.seconds(left);
                    }
                    case OVERFLOW_LATER ->
                        "overflow after " + Decimals.seconds(route.overflowAfterNanos) + " of waiting";
                    case CLAIMED -> "held for one that has waited long";
                    case WAITERS_AHEAD -> "others of a higher priority wait for it";
                    default -> state.gate.describe(reason, now);
                });
    }

    private String jobs() {
        int own = state.jobs(now);
        int foreign = state.gate.health.foreignJobs(now);
        String text = "jobs " + ((long) own + foreign) + "/" + state.plan.maxJobs;
        return foreign == 0 ? text : text + " (" + foreign + " of others)";
    }

    private String vram() {
        long need = Memory.need(state, candidate, now);
        long free = Memory.free(state, candidate, now);
        List<GpuReading> gpus = Memory.perGpu(state, candidate, now);
        if (need > free) {
            return "vram free " + tooLittle(free, need);
        }
        if (!gpus.isEmpty()) {
            return "vram on one gpu: " + gpus();
        }
        return "vram free on one of " + state.plan.gpus + " gpus "
                + tooLittle(Memory.equalRoom(state, candidate, now), need);
    }

    private static String tooLittle(long freeMib, long needMib) {
        return Decimals.of(Math.max(0, Vram.gib(freeMib)), 1) + " < " + Decimals.of(Vram.gib(needMib), 1) + " GB";
    }

    private String gpus() {
        List<String> texts = new ArrayList<>();
        long need = Memory.need(state, candidate, now);
        List<GpuReading> gpus = Memory.perGpu(state, candidate, now);
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            Reason own = state.gate.health.gpuObjection(gpu, candidate.factsOnly);
            long room = Memory.room(state, candidate, gpus, gpu, now);
            texts.add(
                    own != null
                            ? state.gate.describeGpu(own, gpus.get(gpu))
                            : "gpu " + gpus.get(gpu).index() + " free " + tooLittle(room, need));
        }
        return String.join(", ", texts);
    }
}
