package dev.substraterouter.testkit;

import dev.substraterouter.RouteView;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what a router has left behind: leases, waiters, attempts without an end, scheduled tasks, threads. Every leak is a sentence with the
 * numbers; an empty list is none. Immutable and thread-safe.
 *
 * <pre>{@code
 * LeakCheck leaks = LeakCheck.begin("router");
 * // build a router of that name, use it, close its placements, close it
 * leaks.assertNone(router, Duration.ofSeconds(10));
 * }</pre>
 */
public final class LeakCheck {
    private static final int PAUSE_MILLIS = 50;

    private final String prefix;
    private final Set<Thread> before;

    private LeakCheck(String prefix, Set<Thread> before) {
        this.prefix = prefix;
        this.before = before;
    }

    /**
     * Remembers the threads that are alive now, which are nobody's leak.
     *
     * @param routerName what the router's builder is given as its name, with which the names of its threads begin; by default {@code router}
     */
    public static LeakCheck begin(String routerName) {
        return new LeakCheck(
                routerName + "-", Set.copyOf(Thread.getAllStackTraces().keySet()));
    }

    /**
     * What a router holds of which nothing should be open: leases, waiters, and attempts of the recent traces that have not ended. A lease
     * whose work failed by the node's fault counts for up to {@code stale_after} after its end, as it does for the router. Does not block.
     */
    public static List<String> held(SubstrateRouter router) {
        List<String> leaks = new ArrayList<>();
        for (SubstrateView substrate : router.substrates()) {
            add(leaks, substrate.id() + ": leases", substrate.leases());
        }
        for (RouteView route : router.routes()) {
            add(leaks, route.workload() + ": waiting", route.waiting());
        }
        router.recentTraces().forEach(trace -> unended(leaks, trace));
        return leaks;
    }

    /** The tasks that are still scheduled on hand-driven time: after a router is closed, none of its own. Does not block. */
    public static List<String> scheduled(HandDrivenTime time) {
        List<String> leaks = new ArrayList<>();
        add(leaks, "scheduled tasks", time.scheduled());
        return leaks;
    }

    private static void unended(List<String> leaks, RoutingTrace trace) {
        for (Attempt attempt : trace.attempts()) {
            if (attempt.outcome() == Outcome.OPEN) {
                leaks.add("request '" + trace.requestId() + "': attempt " + attempt.number() + " on '"
                        + attempt.substrateId() + "' is open (expected: ended)");
            }
        }
    }

    private static void add(List<String> leaks, String what, int count) {
        if (count != 0) {
            leaks.add(what + ": " + count + " (expected: 0)");
        }
    }

    /**
     * The router's threads that are alive and were not before, once they have had so long to end. Blocks until there is none, at most so
     * long.
     *
     * @throws InterruptedException when interrupted
     */
    public List<String> threads(Duration within) throws InterruptedException {
        long start = System.nanoTime();
        List<Thread> alive = alive();
        while (!alive.isEmpty() && System.nanoTime() - start < within.toNanos()) {
            alive.get(0).join(PAUSE_MILLIS);
            alive = alive();
        }
        return alive.stream()
                .map(thread -> "thread '" + thread.getName() + "': " + thread.getState() + " (expected: ended)")
                .toList();
    }

    private List<Thread> alive() {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        now.removeIf(thread -> !thread.getName().startsWith(prefix));
        return List.copyOf(now);
    }

    /**
     * Fails if a router that was closed has left anything behind. Blocks until its threads have ended, at most so long.
     *
     * @throws AssertionError with every leak
     * @throws InterruptedException when interrupted
     */
    public void assertNone(SubstrateRouter closed, Duration within) throws InterruptedException {
        List<String> leaks = new ArrayList<>(held(closed));
        leaks.addAll(threads(within));
        if (!leaks.isEmpty()) {
            throw new AssertionError(closed + " has left behind:\n  " + String.join("\n  ", leaks));
        }
    }
}
