package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Each single thing that may keep somebody from a substrate, brought about as in a running router, everything else being well. */
final class Singles {
    private static final Duration A_MOMENT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofHours(1);
    private static final int MOST_LEASES = 64;
    private static final double ROOMY_GB = 1024;

    private final Stage stage;
    private final Map<Integer, List<Stand>> known = new HashMap<>();

    Singles(Stage stage) {
        this.stage = stage;
    }

    /** Those of a substrate. Some keep out only some requests, or nobody where the limits say so. */
    List<Stand> of(int substrate) {
        return known.computeIfAbsent(substrate, this::make);
    }

    private List<Stand> make(int substrate) {
        List<Stand> singles = new ArrayList<>();
        SubstratePlan plan = stage.compiled().substrates[substrate];
        Substrate declared = plan.declared;
        statuses(singles, substrate, declared);
        gates(singles, plan);
        leases(singles, plan);
        CellState well = stage.free(substrate).state();
        singles.add(stage.blocked(substrate));
        singles.add(stage.never(substrate));
        add(singles, well, Stand.Extra.FAILED_BEFORE, Reason.FAILED_BEFORE, "failed the request before");
        add(singles, well, Stand.Extra.TOLD_TO_WAIT, Reason.TOLD_TO_WAIT, "told the request to come back later");
        add(singles, well, Stand.Extra.CLAIMED, Reason.CLAIMED, "claimed by one that has waited long");
        add(singles, well, Stand.Extra.WANTED, Reason.WAITERS_AHEAD, "wanted by one of a higher priority");
        return singles;
    }

    private static void add(List<Stand> to, CellState state, Stand.Extra extra, Reason reason, String words) {
        to.add(new Stand(state, extra, Standing.of(reason, words), null));
    }

    // what it says of itself

    private void statuses(List<Stand> to, int substrate, Substrate declared) {
        HealthLimits limits = stage.limits(declared);
        CellState silent = stage.newWorld().cell(substrate).get();
        to.add(new Stand(silent, Stand.Extra.NOTHING, Standing.of(Reason.NO_STATUS, "never said anything"), List.of()));
        long old = Stage.NOW - limits.staleAfter().plus(A_MOMENT).toNanos();
        CellState stale = Stage.told(
                stage.newWorld().cell(substrate), stage.idle(declared).build(), old);
        add(to, stale, Stand.Extra.NOTHING, Reason.STALE_STATUS, "its status is stale");
        said(to, substrate, declared, Reason.NOT_READY, "not ready", status -> status.reachable(false));
        if (limits.maxGpuUtilPct() <= 100) {
            said(
                    to,
                    substrate,
                    declared,
                    Reason.GPU_UTIL,
                    "gpu util " + limits.maxGpuUtilPct(),
                    status -> status.gpuUtilPct(limits.maxGpuUtilPct()));
        }
        said(
                to,
                substrate,
                declared,
                Reason.GPU_TEMP,
                "gpu temp " + limits.maxGpuTempC(),
                status -> status.gpuTempC(limits.maxGpuTempC()));
        double total = declared.vramGb().orElse(0);
        if (total > 0) {
            said(to, substrate, declared, Reason.VRAM, "no gpu memory free", status -> status.vramUsedGb(total));
        }
        if (declared.gpus() > 1 && limits.maxGpuUtilPct() <= 100) {
            said(to, substrate, declared, Reason.NO_SINGLE_GPU, "each gpu busy or hot", status -> {
                for (int gpu = 0; gpu < declared.gpus(); gpu++) {
                    status.gpu(gpu(gpu, limits));
                }
                return status;
            });
        }
        int jobs = declared.maxConcurrentJobs().orElse(0);
        if (jobs > 0) {
            said(
                    to,
                    substrate,
                    declared,
                    Reason.RUNNING_JOBS,
                    "jobs " + jobs + "/" + jobs + " of others",
                    status -> status.runningJobs(jobs));
        }
        int reserved = declared.reserveForHigh();
        if (reserved > 0 && reserved < jobs) {
            said(
                    to,
                    substrate,
                    declared,
                    Reason.RESERVED_FOR_HIGH,
                    "only the slots kept for HIGH are free",
                    status -> status.runningJobs(jobs - reserved));
        }
        for (Measure measure : stage.policy.health().requiredOn(declared)) {
            unknown(to, substrate, declared, measure);
        }
        if (!limits.requireAttributes().isEmpty()) {
            SubstrateStatus without = with(stage.idle(declared).build(), null).build();
            add(
                    to,
                    stage.told(substrate, without),
                    Stand.Extra.NOTHING,
                    Reason.ATTRIBUTE,
                    "without the attributes that it must have");
        }
    }

    private static GpuStatus gpu(int index, HealthLimits limits) {
        boolean hot = index % 2 == 1;
        return GpuStatus.builder(index)
                .utilPct(hot ? 0 : limits.maxGpuUtilPct())
                .tempC(hot ? limits.maxGpuTempC() : 0)
                .vramUsedGb(0)
                .vramTotalGb(ROOMY_GB)
                .build();
    }

    private void said(
            List<Stand> to,
            int substrate,
            Substrate declared,
            Reason reason,
            String words,
            UnaryOperator<SubstrateStatus.Builder> change) {
        SubstrateStatus status = change.apply(stage.idle(declared)).build();
        boolean told = status.reachable() && status.gpus().isEmpty();
        List<String> code = told ? List.of(Code.report(declared.id(), status)) : null;
        to.add(new Stand(stage.told(substrate, status), Stand.Extra.NOTHING, Standing.of(reason, words), code));
    }

    private void unknown(List<Stand> to, int substrate, Substrate declared, Measure measure) {
        SubstrateStatus.Builder status = with(stage.idle(declared).build(), measure);
        stage.limits(declared).requireAttributes().forEach(status::attribute);
        SubstrateStatus told = status.build();
        Standing standing = Standing.of(Reason.UNKNOWN_MEASURE, measure + " unknown");
        to.add(new Stand(
                stage.told(substrate, told), Stand.Extra.NOTHING, standing, List.of(Code.report(declared.id(), told))));
    }

    /** The measures of a status but one, without its attributes. */
    private static SubstrateStatus.Builder with(SubstrateStatus idle, @Nullable Measure without) {
        SubstrateStatus.Builder status = SubstrateStatus.builder();
        if (without != Measure.GPU_UTIL) {
            status.gpuUtilPct(0);
        }
        if (without != Measure.VRAM) {
            status.vramUsedGb(0).vramTotalGb(idle.vramTotalGb().orElse(0));
        }
        if (without != Measure.GPU_TEMP) {
            status.gpuTempC(0);
        }
        return without == Measure.RUNNING_JOBS ? status : status.runningJobs(0).queuedJobs(0);
    }

    // what the router knows of it

    private void gates(List<Stand> to, SubstratePlan plan) {
        GateState.End fault = GateState.End.of(FaultKind.NODE, "fault", 0);
        GateState.End full = GateState.End.of(FaultKind.BUSY, "full", LONG.toNanos());
        gate(to, plan, Reason.EJECTED, "out after faults", gate -> faults(gate, plan, fault, Stage.NOW));
        gate(to, plan, Reason.BUSY, "said that it is full", gate -> gate.ended(plan.id, 0, false, full, Stage.NOW));
        gate(to, plan, Reason.TRIAL_RUNNING, "its one trial runs", gate -> {
            GateState out = faults(gate, plan, fault, Stage.NOW - LONG.toNanos());
            return out.trialDue(Stage.NOW) ? out.trialTaken(plan.id, Stage.NOW, LONG.toNanos()) : gate;
        });
    }

    private static GateState faults(GateState gate, SubstratePlan plan, GateState.End fault, long at) {
        GateState after = gate;
        for (int n = 0; n < gate.limits.consecutiveFaults && after.ejected(at) == null; n++) {
            after = after.ended(plan.id, after.epoch(at), false, fault, at);
        }
        return after;
    }

    private void gate(
            List<Stand> to, SubstratePlan plan, Reason reason, String words, UnaryOperator<GateState> change) {
        Cell cell = stage.newWorld().cell(plan.index);
        Stage.told(cell, stage.idle(plan.declared).build(), Stage.NOW);
        add(to, cell.changeGate(change), Stand.Extra.NOTHING, reason, words);
    }

    /** Filled by the router's own work. */
    private void leases(List<Stand> to, SubstratePlan plan) {
        fill(to, plan, Reason.RUNNING_JOBS, "full of the router's own work", gate -> gate);
        GateState.End fault = GateState.End.of(FaultKind.NODE, "fault", 0);
        fill(to, plan, Reason.RAMP, "back after faults, its share used up", gate -> {
            GateState out = faults(gate, plan, fault, Stage.NOW - LONG.toNanos());
            return out.trialDue(Stage.NOW)
                    ? out.trialTaken(plan.id, Stage.NOW, LONG.toNanos())
                            .ended(plan.id, out.epoch(Stage.NOW), true, GateState.End.SUCCEEDED, Stage.NOW)
                    : gate;
        });
    }

    private void fill(
            List<Stand> to, SubstratePlan plan, Reason reason, String words, UnaryOperator<GateState> before) {
        Revision world = stage.newWorld();
        Cell cell = world.cell(plan.index);
        Stage.told(cell, stage.idle(plan.declared).build(), Stage.NOW);
        cell.changeGate(before);
        for (RoutePlan route : world.compiled.routes()) {
            for (CandidatePlan candidate : route.candidates) {
                if (candidate.substrate.index == plan.index && fill(world, route, candidate) > 0) {
                    add(to, cell.get(), Stand.Extra.NOTHING, reason, words);
                    return;
                }
            }
        }
    }

    /** Takes leases until no more can be had; says how many. */
    private static int fill(Revision world, RoutePlan route, CandidatePlan candidate) {
        Ask ask = Ask.of(RouteRequest.workload(route.workload), 1, Stage.NOW);
        for (int taken = 0; taken < MOST_LEASES; taken++) {
            Decision decision = Decider.only(world, world, route, candidate, ask, null, Stage.NOW);
            if (decision == null || !decision.placed() || decision.cell().take(decision) == null) {
                return taken;
            }
        }
        return MOST_LEASES;
    }
}
