package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.Measure;
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
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Each single thing that may keep somebody from a substrate, brought about as in a running router, everything else being well. */
final class Singles {
    /** For how long a worker is full that says so, and a substrate out that has told a request to come back. */
    static final long FULL_NANOS = Duration.ofHours(1).toNanos();

    static final long TOLD_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Duration A_MOMENT = Duration.ofMillis(1);
    private static final double ROOMY_GB = 1024;
    private static final double MOST_PCT = 100;

    private final Stage stage;
    private final Leases leases;
    private final Map<Integer, List<Stand>> known = new HashMap<>();

    Singles(Stage stage) {
        this.stage = stage;
        this.leases = new Leases(stage);
    }

    /** Those of a substrate. Some keep out only some requests, or nobody where the limits say so. */
    List<Stand> of(int substrate) {
        return known.computeIfAbsent(substrate, this::make);
    }

    private List<Stand> make(int substrate) {
        List<Stand> singles = new ArrayList<>();
        SubstratePlan plan = stage.compiled().substrates[substrate];
        statuses(singles, substrate, plan.declared);
        gates(singles, plan);
        leases.full(plan).ifPresent(singles::add);
        leases.rampedUp(plan).ifPresent(singles::add);
        singles.add(stage.blocked(substrate));
        singles.add(stage.never(substrate));
        extra(singles, substrate, Stand.Extra.FAILED_BEFORE, Reason.FAILED_BEFORE, "failed the request before");
        extra(singles, substrate, Stand.Extra.TOLD_TO_WAIT, Reason.TOLD_TO_WAIT, "told the request to come back later");
        extra(singles, substrate, Stand.Extra.CLAIMED, Reason.CLAIMED, "claimed by one that has waited long");
        extra(singles, substrate, Stand.Extra.WANTED, Reason.WAITERS_AHEAD, "wanted by one of a higher priority");
        return singles;
    }

    private void extra(List<Stand> to, int substrate, Stand.Extra extra, Reason reason, String words) {
        long out = extra == Stand.Extra.TOLD_TO_WAIT ? TOLD_NANOS : 0;
        CellState well = stage.free(substrate).state();
        to.add(new Stand(well, extra, Standing.of(reason, words), 0, out, null));
    }

    // what it says of itself

    private void statuses(List<Stand> to, int substrate, Substrate declared) {
        HealthLimits limits = stage.limits(declared);
        CellState silent = stage.revision.newCell(substrate).get();
        to.add(Stand.of(silent, Reason.NO_STATUS, "never said anything", List.of()));
        long old = Stage.NOW - limits.staleAfter().plus(A_MOMENT).toNanos();
        SubstrateStatus idle = stage.idle(declared).build();
        CellState stale = Stage.told(stage.revision.newCell(substrate), idle, old);
        to.add(Stand.of(stale, Reason.STALE_STATUS, "its status is stale", null));
        to.add(said(substrate, Reason.NOT_READY, "not ready", status -> status.reachable(false)));
        measures(to, substrate, declared, limits);
        jobs(to, substrate, declared);
        for (Measure measure : stage.policy.health().requiredOn(declared)) {
            to.add(unknown(substrate, declared, measure));
        }
        if (!limits.requireAttributes().isEmpty()) {
            CellState without = stage.told(substrate, bare(idle, null).build());
            to.add(Stand.of(without, Reason.ATTRIBUTE, "without the attributes that it must have", null));
        }
    }

    private void measures(List<Stand> to, int substrate, Substrate declared, HealthLimits limits) {
        double util = limits.maxGpuUtilPct();
        double temp = limits.maxGpuTempC();
        if (util <= MOST_PCT) {
            to.add(said(substrate, Reason.GPU_UTIL, "gpu util " + util, status -> status.gpuUtilPct(util)));
        }
        to.add(said(substrate, Reason.GPU_TEMP, "gpu temp " + temp, status -> status.gpuTempC(temp)));
        double total = declared.vramGb().orElse(0);
        if (total > 0) {
            to.add(said(substrate, Reason.VRAM, "no gpu memory free", status -> status.vramUsedGb(total)));
        }
        if (declared.gpus() > 1 && util <= MOST_PCT) {
            to.add(said(substrate, Reason.NO_SINGLE_GPU, "each gpu busy or hot", status -> {
                for (int gpu = 0; gpu < declared.gpus(); gpu++) {
                    status.gpu(gpu(gpu, limits));
                }
                return status;
            }));
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

    private void jobs(List<Stand> to, int substrate, Substrate declared) {
        int most = declared.maxConcurrentJobs().orElse(0);
        int open = most - declared.reserveForHigh();
        if (most > 0) {
            to.add(said(substrate, Reason.RUNNING_JOBS, most + " jobs of others", status -> status.runningJobs(most))
                    .withJobs(most));
        }
        if (most > open && open > 0) {
            String words = "only slots kept for HIGH are free";
            to.add(said(substrate, Reason.RESERVED_FOR_HIGH, words, status -> status.runningJobs(open))
                    .withJobs(open));
        }
    }

    private Stand said(int substrate, Reason reason, String words, UnaryOperator<SubstrateStatus.Builder> change) {
        Substrate declared = stage.compiled().substrates[substrate].declared;
        SubstrateStatus status = change.apply(stage.idle(declared)).build();
        boolean told = status.reachable() && status.gpus().isEmpty();
        List<String> code = told ? List.of(Code.report(declared.id(), status)) : null;
        return Stand.of(stage.told(substrate, status), reason, words, code);
    }

    private Stand unknown(int substrate, Substrate declared, Measure measure) {
        SubstrateStatus.Builder status = bare(stage.idle(declared).build(), measure);
        stage.limits(declared).requireAttributes().forEach(status::attribute);
        SubstrateStatus told = status.build();
        return Stand.of(
                stage.told(substrate, told),
                Reason.UNKNOWN_MEASURE,
                measure + " unknown",
                List.of(Code.report(declared.id(), told)));
    }

    /** The measures of a status but one, without its attributes. */
    private static SubstrateStatus.Builder bare(SubstrateStatus idle, @Nullable Measure without) {
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
        GateState well = stage.free(plan.index).state().gate;
        GateState.End full = GateState.End.of(FaultKind.BUSY, "full", FULL_NANOS);
        to.add(gate(plan, Reason.BUSY, "said that it is full", gate -> gate.ended(plan.id, 0, false, full, Stage.NOW))
                .outFor(FULL_NANOS));
        GateState out = faults(well, plan, Stage.NOW);
        to.add(gate(plan, Reason.EJECTED, "out after faults", gate -> out).outFor(out.ejectedFor(Stage.NOW)));
        trialDue(stage, plan)
                .ifPresent(due -> to.add(gate(
                        plan,
                        Reason.TRIAL_RUNNING,
                        "its one trial runs",
                        gate -> due.trialTaken(plan.id, Stage.NOW, FULL_NANOS))));
    }

    private Stand gate(SubstratePlan plan, Reason reason, String words, UnaryOperator<GateState> change) {
        var cell = stage.revision.newCell(plan.index);
        Stage.told(cell, stage.idle(plan.declared).build(), Stage.NOW);
        return Stand.of(cell.changeGate(change), reason, words, null);
    }

    /** The gate of a substrate that is well, and whose ejection has just ended, so that its one trial may begin; empty: it is forgotten. */
    static Optional<GateState> trialDue(Stage stage, SubstratePlan plan) {
        GateState well = stage.free(plan.index).state().gate;
        long longest = well.limits.windowNanos + well.limits.windowNanos / 4;
        GateState out = faults(well, plan, Stage.NOW - longest);
        return out.trialDue(Stage.NOW) ? Optional.of(out) : Optional.empty();
    }

    private static GateState faults(GateState gate, SubstratePlan plan, long at) {
        GateState.End fault = GateState.End.of(FaultKind.NODE, "fault", 0);
        GateState after = gate;
        for (int n = 0; n < gate.limits.consecutiveFaults && after.ejected(at) == null; n++) {
            after = after.ended(plan.id, after.epoch(at), false, fault, at);
        }
        return after;
    }
}
