package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.policy.StrategyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * In what order candidates are tried where they are not tried as written: pure functions.
 *
 * <p>Always: those that could never serve last, before them overflow, then what the request prefers first within its tier, then the
 * strategy. Ties: the tightest fit of memory, then the id.
 */
final class OrderRule {
    /** By how much head-room another must have more to go before one that is written earlier. */
    static final double SWITCH_MARGIN = 0.10;

    private OrderRule() {}

    static List<Outlook> sorted(List<Outlook> outlooks, RoutePlan route, Ask ask, long now) {
        List<Outlook> order = new ArrayList<>(outlooks);
        switch (route.strategy) {
            case PREFERENCE -> {}
            case EARLIEST_FINISH ->
                order.sort(Comparator.comparingDouble((Outlook outlook) -> outlook.finishKey(route))
                        .thenComparing(ties()));
            case OUTCOME_COST ->
                order.sort(Comparator.comparingDouble((Outlook outlook) -> outlook.costKey(route))
                        .thenComparing(ties()));
            case HEALTHIEST -> order = byHeadRoom(order, now);
        }
        order.sort(tiers(ask)); // stable
        return order;
    }

    static boolean asWritten(RoutePlan route) {
        return route.strategy == StrategyKind.PREFERENCE;
    }

    private static Comparator<Outlook> ties() {
        return Comparator.comparingLong((Outlook outlook) -> outlook.candidate().spareMib)
                .thenComparing(outlook -> outlook.candidate().substrate.id)
                .thenComparingInt(outlook -> outlook.candidate().position);
    }

    private static Comparator<Outlook> tiers(Ask ask) {
        return Comparator.comparing((Outlook outlook) -> outlook.candidate().unusable != null)
                .thenComparing(outlook -> outlook.candidate().substrate.overflow)
                .thenComparing(outlook -> !outlook.candidate().substrate.id.equals(ask.prefer()));
    }

    /**
     * The most head-room first; of those within the margin of it, the one that is written first. How much one has counts only for those that
     * it stands beside: whoever is down may look idle, and must not change the order of those who are not.
     */
    private static List<Outlook> byHeadRoom(List<Outlook> outlooks, long now) {
        record Seen(Outlook outlook, double headRoom, int standing) {}
        List<Seen> rest = new ArrayList<>();
        outlooks.forEach(outlook -> rest.add(new Seen(outlook, outlook.headRoom(now), standing(outlook, now))));
        List<Outlook> order = new ArrayList<>();
        while (!rest.isEmpty()) {
            int best = rest.stream().mapToInt(Seen::standing).min().orElseThrow();
            double most = rest.stream()
                    .filter(seen -> seen.standing == best)
                    .mapToDouble(Seen::headRoom)
                    .max()
                    .orElseThrow();
            Seen next = rest.stream()
                    .filter(seen -> seen.headRoom >= most - SWITCH_MARGIN)
                    .findFirst()
                    .orElseThrow();
            rest.remove(next);
            order.add(next.outlook);
        }
        return order;
    }

    /** The admissible stand first, then those that own work alone keeps out, then who is down; overflow stands behind all others. */
    private static int standing(Outlook outlook, long now) {
        int own = outlook.admissible() ? 0 : outlook.state().passesGate(outlook.candidate(), now) ? 1 : 2;
        return outlook.candidate().substrate.overflow ? own + 3 : own;
    }
}
