package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.Reason;
import java.util.Arrays;

/** The candidates that one look over many has passed over, and how many it has skipped. Not thread-safe. */
final class Passed {
    private CandidatePlan[] candidates = {};
    private CellState[] states = {};
    private Reason[] reasons = {};
    private int count;

    void add(CandidatePlan candidate, CellState state, Reason reason) {
        makeRoom();
        candidates[count] = candidate;
        states[count] = state;
        reasons[count] = reason;
        count++;
    }

    /** Whether the states that were passed over are still the ones that were read. */
    boolean same(States live) {
        for (int at = 0; at < count; at++) {
            if (live.state(candidates[at].substrate.index) != states[at]) {
                return false;
            }
        }
        return true;
    }

    /** The decision for none: those that are not among them were skipped. */
    Decision none(Revision revision, RoutePlan route, Ask ask, long now) {
        int skipped = route.candidates.length - count;
        return Decision.none(revision, route, ask, now, candidates, states, reasons, count, skipped);
    }

    /** The decision for a candidate that comes after them. */
    Decision place(Revision revision, RoutePlan route, Ask ask, long now, CandidatePlan candidate, CellState taken) {
        if (count == 0) {
            return Decision.place(revision, route, ask, now, route.candidates, null, null, 0, taken);
        }
        makeRoom();
        candidates[count] = candidate;
        return Decision.place(revision, route, ask, now, candidates, states, reasons, count, taken);
    }

    private void makeRoom() {
        if (count == candidates.length) {
            int more = 2 * count + 1;
            candidates = Arrays.copyOf(candidates, more);
            states = Arrays.copyOf(states, more);
            reasons = Arrays.copyOf(reasons, more);
        }
    }
}
