package dev.substraterouter.internal.admission;

import dev.substraterouter.model.Priority;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, in the order of service: by priority class with age, then by arrival. Knows nothing of health.
 *
 * <p><b>The idea.</b> One set per declared priority, each in the order of arrival. Since age lifts the earlier ones first, each set is
 * also in the order of service, and the whole order is a merge of three. Adding and removing is logarithmic.
 *
 * <p><b>Lost wake-ups.</b> A newcomer that finds nobody waiting takes no lock. A releaser frees its lease first and reads {@link #waiting}
 * after; a waiter is counted in {@link #waiting} first and looks at the leases after. Both are volatile, so at least one of the two sees
 * the other, and either the releaser serves the waiter or the waiter finds the place itself.
 *
 * <p><b>The bound.</b> Counting and adding happen under the lock, so exactly as many wait as there are places.
 *
 * @param <W> the sort of waiter
 */
public final class WaitQueue<W extends Waiter> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Priority, TreeSet<W>> byPriority = new EnumMap<>(Priority.class);
    private final Map<String, Integer> taken = new HashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** A queue in which nobody waits. */
    public WaitQueue() {
        for (Priority priority : Priority.values()) {
            byPriority.put(priority, new TreeSet<>(Comparator.comparingLong((W waiter) -> waiter.sequence)));
        }
    }

    /** The lock that guards the queue and its waiters; no foreign code runs under it. */
    public ReentrantLock lock() {
        return lock;
    }

    /** How many wait, without the lock. */
    public int waiting() {
        return waiting.get();
    }

    /** How many wait in some places. Under the lock. */
    public int waiting(String places) {
        return taken.getOrDefault(places, 0);
    }

    /** Adds a waiter. Under the lock. */
    public void add(W waiter) {
        of(waiter.declared).add(waiter);
        taken.merge(waiter.places(), 1, Integer::sum);
        waiter.queued(true);
        waiting.incrementAndGet();
    }

    /** Removes a waiter; false when it does not wait any more. Under the lock. */
    public boolean remove(W waiter) {
        if (!waiter.queued()) {
            return false;
        }
        of(waiter.declared).remove(waiter);
        leave(waiter.places());
        waiter.queued(false);
        waiting.decrementAndGet();
        return true;
    }

    /** Moves a waiter to other places, whether one is free there or not: a reload throws nobody out. Under the lock. */
    public void move(W waiter, String places) {
        if (waiter.queued() && !waiter.places().equals(places)) {
            leave(waiter.places());
            taken.merge(places, 1, Integer::sum);
            waiter.places(places);
        }
    }

    /** Everyone, in no particular order. Under the lock. */
    public List<W> everyone() {
        List<W> all = new ArrayList<>(waiting.get() + 1);
        byPriority.values().forEach(all::addAll);
        return all;
    }

    /** Everyone in the order of service. Under the lock. */
    public List<W> inOrder(long now, long agesAfterNanos) {
        return sorted(everyone(), now, agesAfterNanos);
    }

    /** Everyone and a newcomer, who is not added, in the order of service. Under the lock. */
    public List<W> inOrderWith(W newcomer, long now, long agesAfterNanos) {
        List<W> order = everyone();
        order.add(newcomer);
        return sorted(order, now, agesAfterNanos);
    }

    private List<W> sorted(List<W> order, long now, long agesAfterNanos) {
        order.sort(Comparator.comparingInt((W waiter) -> waiter.priorityClass(now, agesAfterNanos))
                .thenComparingLong(waiter -> waiter.sequence));
        return order;
    }

    /** Who leaves to make room for somebody of a higher priority: the newest of the lowest priority below it; null when there is none. */
    public @Nullable W displacedBy(Priority newcomer, String places) {
        for (Priority lowest : List.of(Priority.LOW, Priority.NORMAL)) {
            if (newcomer.outranks(lowest)) {
                for (W waiter : of(lowest).descendingSet()) {
                    if (waiter.places().equals(places)) {
                        return waiter;
                    }
                }
            }
        }
        return null;
    }

    private NavigableSet<W> of(Priority priority) {
        return Objects.requireNonNull(byPriority.get(priority));
    }

    private void leave(String places) {
        taken.computeIfPresent(places, (name, count) -> count == 1 ? null : count - 1);
    }
}
