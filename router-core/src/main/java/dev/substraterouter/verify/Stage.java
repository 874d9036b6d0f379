package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.util.HashMap;
import java.util.List;

/**
 * A policy in force, without a router: its revision, and substrates in whatever state, each brought about as it would be in a running
 * router. Everything happens at one moment. Not thread-safe.
 */
final class Stage {
    /** The moment. */
    static final long NOW = 1_000_000_000_000_000L;

    private static final double ROOMY_GB = 1024;
    private static final String SOURCE = "host";

    final Policy policy;
    final Revision revision;
    final Constraints constraints;
    private final Stand[] free;
    private final Stand[] blocked;
    private final Stand[] never;

    private Stage(Policy policy) {
        this.policy = policy.withoutNetwork().withRevision(1); // nothing is connected to
        this.revision = Revision.of(this.policy, new HashMap<>(), null, () -> 1);
        this.constraints = new Constraints(policy);
        int count = revision.substrates();
        free = new Stand[count];
        blocked = new Stand[count];
        never = new Stand[count];
        for (int at = 0; at < count; at++) {
            String id = compiled().substrates[at].id;
            SubstrateStatus idle = idle(compiled().substrates[at].declared).build();
            Cell cell = revision.newCell(at);
            CellState well = told(cell, idle, NOW);
            String report = Code.report(id, idle);
            free[at] = new Stand(well, Stand.Extra.NOTHING, Standing.FREE, 0, 0, List.of(report));
            never[at] = new Stand(
                    well,
                    Stand.Extra.AVOIDED,
                    Standing.of(Reason.AVOIDED, "to be avoided by the request"),
                    0,
                    0,
                    List.of(report));
            blocked[at] = new Stand(
                    cell.changeGate(gate -> gate.cordoned("operator")),
                    Stand.Extra.NOTHING,
                    Standing.BLOCKED,
                    0,
                    0,
                    List.of(report, "router.cordon(" + Code.text(id) + ");"));
        }
    }

    static Stage of(Policy policy) {
        return new Stage(policy);
    }

    CompiledPolicy compiled() {
        return revision.compiled;
    }

    /** A substrate that nothing keeps anybody from. */
    Stand free(int substrate) {
        return free[substrate];
    }

    /** A substrate that everybody is kept from for now. */
    Stand blocked(int substrate) {
        return blocked[substrate];
    }

    /** A substrate that the request is kept from for good. */
    Stand never(int substrate) {
        return never[substrate];
    }

    /** What speaks against placing anything on a substrate whose first and newest word is a status. */
    List<Reason> objections(String id, SubstrateStatus status) {
        SubstratePlan plan = compiled().substrate(id);
        if (plan == null) {
            throw new IllegalArgumentException("no substrate '" + id + "'");
        }
        return told(plan.index, status).objections(NOW);
    }

    /** A substrate whose first and newest word is a status. */
    CellState told(int substrate, SubstrateStatus status) {
        return told(revision.newCell(substrate), status, NOW);
    }

    /** What has become of a substrate that told a status by hand. */
    static CellState told(Cell cell, SubstrateStatus status, long at) {
        cell.tell(SOURCE, Cell.Asked.byHand(at), at, status, null);
        return cell.get();
    }

    /** What a substrate says that is cool, idle and empty, and whatever else its limits ask for. */
    SubstrateStatus.Builder idle(Substrate substrate) {
        SubstrateStatus.Builder status = SubstrateStatus.builder()
                .gpuUtilPct(0)
                .vramUsedGb(0)
                .vramTotalGb(substrate.vramGb().orElse(ROOMY_GB))
                .gpuTempC(0)
                .runningJobs(0)
                .queuedJobs(0);
        limits(substrate).requireAttributes().forEach(status::attribute);
        return status;
    }

    /** The limits of a substrate. */
    HealthLimits limits(Substrate substrate) {
        return substrate.health().map(own -> own.over(policy.health())).orElse(policy.health());
    }
}
