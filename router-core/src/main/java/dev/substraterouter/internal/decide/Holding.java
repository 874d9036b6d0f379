package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.trace.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request takes the best free candidate, or waits by its own choice for one that is busy and is expected to finish earlier: a
 * pure function.
 *
 * <p>It waits only when that is worth more than the margin, when the better one is expected to come free within its wait, and never at the
 * risk of its deadline: while the free one would meet the deadline, it must still meet it after the expected wait.
 */
final class Holding {
    private Holding() {}

    static Decision decide(
            Revision revision, RoutePlan route, Ask ask, long holdNanos, long now, List<Outlook> outlooks) {
        int count = outlooks.size();
        CandidatePlan[] order = new CandidatePlan[count];
        CellState[] states = new CellState[count];
        @Nullable Reason[] reasons = new Reason[count];
        int free = -1;
        for (int at = 0; at < count; at++) {
            Outlook outlook = outlooks.get(at);
            order[at] = outlook.candidate();
            states[at] = outlook.state();
            reasons[at] = outlook.reason();
            free = free < 0 && outlook.admissible() ? at : free;
        }
        if (free < 0) {
            return Decision.none(revision, route, ask, now, order, states, reasons, count, 0);
        }
        Outlook better = route.strategy == StrategyKind.EARLIEST_FINISH && holdNanos > 0
                ? better(revision, route, ask, holdNanos, now, outlooks.subList(0, free), outlooks.get(free))
                : null;
        return better == null
                ? Decision.place(revision, route, ask, now, order, states, reasons, free, states[free])
                : Decision.hold(revision, route, ask, now, order, states, reasons, free, outlooks.get(free), better);
    }

    /** The one to wait for; null: none is worth it. */
    private static @Nullable Outlook better(
            Revision revision, RoutePlan route, Ask ask, long holdNanos, long now, List<Outlook> before, Outlook free) {
        Outlook best = null;
        for (Outlook outlook : before) {
            boolean inTime = outlook.waitNanos() <= holdNanos;
            if (inTime && (best == null || outlook.finishKey(route) < best.finishKey(route))) {
                best = outlook;
            }
        }
        double freeKey = free.finishKey(route);
        if (best == null
                || freeKey == Double.POSITIVE_INFINITY
                || freeKey <= revision.finishMargin * best.finishKey(route)) {
            return null;
        }
        return risksDeadline(ask.leftNanos(now), free, best) ? null : best;
    }

    private static boolean risksDeadline(long left, Outlook free, Outlook best) {
        boolean freeMeets = free.finishNanos() <= left;
        boolean freeMeetsAfter = best.waitNanos() + free.finishNanos() <= left;
        return freeMeets && !freeMeetsAfter;
    }
}
