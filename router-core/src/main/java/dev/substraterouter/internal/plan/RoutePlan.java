package dev.substraterouter.internal.plan;

import dev.substraterouter.policy.Workload;

/** One workload under one revision: its candidates in the order in which they are tried, overflow last. Immutable. */
public final class RoutePlan {
    public final Workload declared;
    /** The revision it belongs to: its candidates' numbers mean nothing under another. */
    public final long revision;

    public final String workload;
    public final CandidatePlan[] candidates;
    public final long maxWaitNanos;
    public final long overflowAfterNanos;
    /** The places its requests wait in: its own, or the router's. */
    public final String places;

    public final int capacity;

    RoutePlan(
            Workload declared,
            long revision,
            CandidatePlan[] candidates,
            long maxWaitNanos,
            String places,
            int capacity) {
        this.declared = declared;
        this.revision = revision;
        this.workload = declared.name();
        this.candidates = candidates;
        this.maxWaitNanos = maxWaitNanos;
        this.overflowAfterNanos = CandidatePlan.nanos(declared.overflowAfter());
        this.places = places;
        this.capacity = capacity;
    }

    /** Whether it is a route of one that is meant. */
    public boolean pinned() {
        return declared.pin().isPresent();
    }

    @Override
    public String toString() {
        return workload + java.util.Arrays.toString(candidates);
    }
}
