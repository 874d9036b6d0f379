package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.Many;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.Shutters;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * THE decision: the first admissible candidate in order, or none. It changes nothing; the router, {@code recommend} and whoever else wants
 * to know call the same.
 *
 * <p>The states of the candidates are read one after the other. Before a later candidate is taken, or none, the states read before are
 * looked at again; if one has changed, all is read anew. So the answer is right for one moment at which all these states held together:
 * nobody is refused or sent to a fallback by a picture that never was.
 *
 * <p>Over many candidates on the live states, those that are shut are skipped by a bit each and not read at all; see {@link Shutters} for
 * why that is right for the same moment: their bits are known to have held from before the first state was read until after the states
 * were looked at again. The first few are read in any case, so that there are words for them. Whoever leaves marks for those that come
 * after it must name every candidate, and a request that something has told to keep away from some must know which; they read all.
 */
public final class Decider {
    private static final int SKIPPING_TRIES = 3;

    private Decider() {}

    /**
     * Decides by the live states.
     *
     * @param holdNanos how long the request may wait, by its own choice, for a candidate that is expected to finish earlier; 0: not at all
     * @return null when the revision is not the newest any more, or the route is of another
     */
    public static @Nullable Decision decide(Revision revision, RoutePlan route, Ask ask, long holdNanos, long now) {
        for (int tried = 0; skips(route, ask) && tried < SKIPPING_TRIES; tried++) {
            Decision quick = route.revision == revision.number ? skipping(revision, route, ask, now) : null;
            if (quick != null) {
                return quick;
            }
        }
        return decide(revision, revision, route, ask, null, holdNanos, now);
    }

    /**
     * Decides by some states.
     *
     * @param marks what those who wait leave to it; null: nobody waits
     * @return null when the revision is not the newest any more, or the route is of another
     */
    public static @Nullable Decision decide(
            States states,
            Revision revision,
            RoutePlan route,
            Ask ask,
            @Nullable Marks marks,
            long holdNanos,
            long now) {
        if (route.revision != revision.number) {
            return null;
        }
        return OrderRule.asWritten(route)
                ? inOrder(states, revision, route, order(route, ask), ask, marks, now)
                : byOutlook(states, revision, route, ask, marks, holdNanos, now);
    }

    /** As {@link #decide}, with one candidate to choose from. */
    public static @Nullable Decision only(
            States states,
            Revision revision,
            RoutePlan route,
            CandidatePlan candidate,
            Ask ask,
            @Nullable Marks marks,
            long now) {
        return inOrder(states, revision, route, new CandidatePlan[] {candidate}, ask, marks, now);
    }

    private static boolean skips(RoutePlan route, Ask ask) {
        return route.many != null
                && OrderRule.asWritten(route)
                && ask.prefer() == null
                && ask.avoid().isEmpty()
                && ask.exclusions == null;
    }

    /** As {@link #inOrder}, of many candidates, without a look at those that are shut; null: something moves, and all must be read. */
    private static @Nullable Decision skipping(Revision revision, RoutePlan route, Ask ask, long now) {
        Shutters shutters = revision.compiled.shutters;
        long moment = shutters.still();
        Many many = route.many;
        if (many == null || moment == Shutters.MOVING) {
            return null;
        }
        Passed passed = new Passed();
        for (int at = 0; at < many.count(); at = many.next(shutters, at + 1)) {
            CellState state = revision.state(many.substrate(at));
            if (state == null) {
                return null;
            }
            CandidatePlan candidate = route.candidates[at];
            Reason reason = Check.test(state, candidate, route, ask, null, revision.agesAfterNanos, now);
            if (reason != null) {
                passed.add(candidate, state, reason);
            } else {
                return passed.same(revision) && shutters.stillAt(moment)
                        ? passed.place(revision, route, ask, now, candidate, state)
                        : null;
            }
        }
        return passed.same(revision) && shutters.stillAt(moment) ? passed.none(revision, route, ask, now) : null;
    }

    private static @Nullable Decision inOrder(
            States states,
            Revision revision,
            RoutePlan route,
            CandidatePlan[] order,
            Ask ask,
            @Nullable Marks marks,
            long now) {
        if (order.length == 0) {
            return Decision.none(revision, route, ask, now, order, new CellState[0], new Reason[0], 0, 0);
        }
        while (true) {
            CellState[] passed = null;
            Reason[] reasons = null;
            for (int at = 0; at < order.length; at++) {
                CellState state = states.state(order[at].substrate.index);
                if (state == null) {
                    return null;
                }
                Reason reason = Check.test(state, order[at], route, ask, marks, revision.agesAfterNanos, now);
                if (reason == null) {
                    if (same(states, order, passed, at)) {
                        return Decision.place(revision, route, ask, now, order, passed, reasons, at, state);
                    }
                    break;
                }
                if (passed == null || reasons == null) {
                    passed = new CellState[order.length];
                    reasons = new Reason[order.length];
                }
                passed[at] = state;
                reasons[at] = reason;
                if (at == order.length - 1 && same(states, order, passed, order.length)) {
                    return Decision.none(revision, route, ask, now, order, passed, reasons, order.length, 0);
                }
            }
        }
    }

    /** As {@link #inOrder}, for orders that depend on the states: all are read first, and all must still be the same at the end. */
    private static @Nullable Decision byOutlook(
            States states,
            Revision revision,
            RoutePlan route,
            Ask ask,
            @Nullable Marks marks,
            long holdNanos,
            long now) {
        while (true) {
            List<Outlook> outlooks = outlooks(states, revision, route, ask, marks, now);
            if (outlooks == null) {
                return null;
            }
            Decision decision = Holding.decide(revision, route, ask, holdNanos, now, outlooks);
            if (same(states, outlooks)) {
                return decision;
            }
        }
    }

    /** Every candidate in the order in which a request tries them; null when the revision is not the newest any more. */
    static @Nullable List<Outlook> outlooks(
            States states, Revision revision, RoutePlan route, Ask ask, @Nullable Marks marks, long now) {
        List<Outlook> outlooks = new ArrayList<>(route.candidates.length);
        for (CandidatePlan candidate : order(route, ask)) {
            CellState state = states.state(candidate.substrate.index);
            if (state == null) {
                return null;
            }
            outlooks.add(Outlook.of(state, candidate, route, ask, marks, revision, now));
        }
        return OrderRule.sorted(outlooks, route, ask, now);
    }

    private static boolean same(States states, List<Outlook> outlooks) {
        for (Outlook outlook : outlooks) {
            if (states.state(outlook.candidate().substrate.index) != outlook.state()) {
                return false;
            }
        }
        return true;
    }

    /** The candidates in the order in which a request tries them. */
    static CandidatePlan[] order(RoutePlan route, Ask ask) {
        String preferred = ask.prefer();
        return preferred == null ? route.candidates : preferred(route.candidates, preferred);
    }

    /** Whether the states that were passed over are still the ones that were read. */
    private static boolean same(States states, CandidatePlan[] order, CellState @Nullable [] passed, int count) {
        for (int at = 0; passed != null && at < count; at++) {
            if (states.state(order[at].substrate.index) != passed[at]) {
                return false;
            }
        }
        return true;
    }

    /** The candidates with those on one substrate first among their tier. */
    private static CandidatePlan[] preferred(CandidatePlan[] candidates, String substrateId) {
        CandidatePlan[] order = new CandidatePlan[candidates.length];
        int next = 0;
        for (boolean overflow : new boolean[] {false, true}) {
            for (boolean wanted : new boolean[] {true, false}) {
                for (CandidatePlan candidate : candidates) {
                    if (candidate.substrate.overflow == overflow
                            && candidate.substrate.id.equals(substrateId) == wanted) {
                        order[next++] = candidate;
                    }
                }
            }
        }
        return order;
    }
}
