package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.policy.Owner;
import dev.substraterouter.trace.Reason;
import java.util.DoubleSummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * One candidate as one request sees it at one moment: whether it is admissible, and what is expected of it. Immutable.
 *
 * @param candidate the candidate
 * @param state the state of its substrate
 * @param reason what speaks against it; null: it is admissible
 * @param waitNanos how long until it comes free; {@link Waits#UNKNOWN} when nobody knows
 * @param latencyNanos how long the work takes there; -1 when nobody knows
 * @param loadNanos how long its model loads first
 * @param disturbance what disturbing its owner costs for one job; NaN when nobody knows for how long
 */
record Outlook(
        CandidatePlan candidate,
        CellState state,
        @Nullable Reason reason,
        long waitNanos,
        long latencyNanos,
        long loadNanos,
        double disturbance) {
    static Outlook of(
            CellState state,
            CandidatePlan candidate,
            RoutePlan route,
            Ask ask,
            @Nullable Marks marks,
            Revision revision,
            long now) {
        Reason reason = Check.test(state, candidate, route, ask, marks, revision.agesAfterNanos, now);
        long latency = revision.book.expected(candidate);
        return new Outlook(
                candidate,
                state,
                reason,
                reason == null ? 0 : Waits.expected(state, candidate, route, ask, reason, marks, revision, now),
                latency,
                Memory.cold(state, candidate, now) ? candidate.loadNanos : 0,
                disturbance(state, latency, now));
    }

    boolean admissible() {
        return reason == null;
    }

    /** How long until the work is done there; {@link Waits#UNKNOWN} when nobody knows. */
    long finishNanos() {
        return latencyNanos < 0 || waitNanos >= Waits.UNKNOWN
                ? Waits.UNKNOWN
                : Math.min(Waits.UNKNOWN, waitNanos + loadNanos + latencyNanos);
    }

    /**
     * As {@link #finishNanos}, with the owner's disturbance counted as the time that costs the caller as much; where the workload does not
     * say what waiting costs, an hour counts as 1.
     */
    double finishKey(RoutePlan route) {
        long finish = finishNanos();
        double hour = route.waitingCostPerHour > 0 ? route.waitingCostPerHour : 1;
        return finish >= Waits.UNKNOWN
                ? Double.POSITIVE_INFINITY
                : finish + disturbance / hour * CandidatePlan.NANOS_PER_HOUR;
    }

    /** What one job there costs in all: compute, review, error, waiting and disturbance; infinite when that is not known. */
    double costKey(RoutePlan route) {
        double cost = route.outcomeCost(candidate, latencyNanos) + disturbance;
        if (route.waitingCostPerHour > 0) {
            cost += finishNanos() >= Waits.UNKNOWN ? Double.NaN : route.waitingCost(finishNanos());
        }
        return Double.isNaN(cost) ? Double.POSITIVE_INFINITY : cost;
    }

    /** The mean of the shares that are left of what is known, own load included: 0 to 1; below 0 when nothing is known. */
    double headRoom(long now) {
        DoubleSummaryStatistics left = new DoubleSummaryStatistics();
        int jobs = state.jobs(now);
        if (state.plan.maxJobs != Integer.MAX_VALUE) {
            left.accept(1 - ((double) jobs + state.gate.health.foreignJobs(now)) / state.plan.maxJobs);
        }
        Reading known = state.gate.health.usable(now);
        if (known != null && known.util().known()) {
            double util = known.util().value() + state.gate.limits.utilPerJob * jobs;
            left.accept(1 - util / state.gate.limits.maxUtil);
        }
        if (known != null && known.temp().known()) {
            left.accept(1 - known.temp().value() / state.gate.limits.maxTemp);
        }
        long total = Memory.total(state, now);
        if (total > 0) {
            left.accept((double) Memory.free(state, candidate, now) / total);
        }
        return left.getCount() == 0 ? -1 : left.getAverage();
    }

    private static double disturbance(CellState state, long latency, long now) {
        Owner owner = state.plan.owner;
        Reading known = owner == null ? null : state.gate.health.usable(now);
        if (owner == null || known == null || !known.util().known()) {
            return 0;
        }
        boolean atWork = known.util().value() > owner.backgroundUtilPct();
        if (!atWork) {
            return 0;
        }
        return latency < 0 ? Double.NaN : owner.costPerHour() * latency / CandidatePlan.NANOS_PER_HOUR;
    }
}
