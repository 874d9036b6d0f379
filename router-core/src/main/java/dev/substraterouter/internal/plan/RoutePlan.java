package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.StrategyKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One workload, or one need, for one set of roles under one revision: its candidates in the order in which they are written or matched,
 * overflow after the others. A written one that could never serve keeps its place and says why. Immutable.
 */
public final class RoutePlan {
    static final Unfit NONE_UNFIT = new Unfit(List.of(), 0);

    /**
     * Substrates that could never serve.
     *
     * @param first the first of them
     * @param more how many more there are
     */
    public record Unfit(List<CandidatePlan> first, int more) {}

    private final RouteSpec spec;
    /** The revision it belongs to: its candidates' numbers mean nothing under another. */
    public final long revision;

    public final String workload;
    public final CandidatePlan[] candidates;
    /** The candidates as those of which the shut ones may be skipped; null: each is looked at. */
    public final @Nullable Many many;
    /** The batch path as a route of its own; null: there is none. */
    public final @Nullable RoutePlan batch;

    public final StrategyKind strategy;
    public final long maxWaitNanos;
    public final long overflowAfterNanos;
    /** By when its answers are useful, counted from asking; -1: not said. */
    public final long deadlineNanos;
    /** The places its requests wait in: its own, or the router's. */
    public final String places;

    public final int capacity;
    /** The roles under which it is asked for; empty when the policy has none. */
    public final List<String> roles;
    /** The priority of a request that names none. */
    public final Priority defaultPriority;
    /** What an hour of waiting costs; 0 where not declared. */
    public final double waitingCostPerHour;

    private final Supplier<Unfit> unfit;

    RoutePlan(
            RouteSpec spec,
            long revision,
            CandidatePlan[] candidates,
            @Nullable RoutePlan batch,
            @Nullable RoleSet asking,
            Supplier<Unfit> unfit) {
        this.spec = spec;
        this.unfit = unfit;
        this.revision = revision;
        this.workload = spec.workload();
        this.candidates = candidates;
        this.many = Many.of(candidates);
        this.batch = batch;
        this.strategy = spec.strategy();
        this.maxWaitNanos = spec.maxWaitNanos();
        this.overflowAfterNanos = spec.overflowAfterNanos();
        this.deadlineNanos = spec.deadlineNanos();
        this.places = spec.places();
        this.capacity = spec.capacity();
        this.roles = asking == null ? List.of() : asking.names();
        this.defaultPriority = asking == null ? Priority.NORMAL : asking.defaultPriority();
        this.waitingCostPerHour = spec.contract().waitingCostPerHour;
    }

    /** Whether it is a route of one that is meant. */
    public boolean pinned() {
        return spec.pinned();
    }

    /** Whether its candidates are matched, not written. */
    public boolean matched() {
        return spec.matched();
    }

    /** Why it is so, in the words of its author. */
    public Optional<String> why() {
        return spec.why();
    }

    /** Those that could never serve and are not among the candidates. Found when somebody asks. */
    public Unfit unfit() {
        return unfit.get();
    }

    /** The effective need: what the request says, or what the workload implies. */
    public Need need() {
        return spec.contract().need;
    }

    /** The candidate that should serve: the first one. */
    public CandidatePlan primary() {
        for (CandidatePlan candidate : candidates) {
            if (candidate.primary) {
                return candidate;
            }
        }
        return candidates[0];
    }

    /**
     * What one job on a candidate costs in all but waiting and disturbance: compute, review and error.
     *
     * @param nanos how long it takes; -1: not known
     * @return NaN when a figure that counts is not known
     */
    public double outcomeCost(CandidatePlan candidate, long nanos) {
        return candidate.outcomeCost(spec.contract(), nanos);
    }

    /** What waiting so long costs. */
    public double waitingCost(long nanos) {
        return waitingCostPerHour * nanos / CandidatePlan.NANOS_PER_HOUR;
    }

    @Override
    public String toString() {
        return workload + Arrays.toString(candidates);
    }
}
