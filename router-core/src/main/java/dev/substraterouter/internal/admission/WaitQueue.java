package dev.substraterouter.internal.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Who waits. Knows nothing of health, nor of the order in which waiters are served: that depends on what is known of their work.
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
    private final Set<W> all = new LinkedHashSet<>();
    private final Map<String, Integer> taken = new HashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();

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
        all.add(waiter);
        taken.merge(waiter.places(), 1, Integer::sum);
        waiter.queued(true);
        waiting.incrementAndGet();
    }

    /** Removes a waiter; false when it does not wait any more. Under the lock. */
    public boolean remove(W waiter) {
        if (!waiter.queued()) {
            return false;
        }
        all.remove(waiter);
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

    /** Everyone, in the order of joining: a copy, so that they may leave meanwhile. Under the lock. */
    public List<W> everyone() {
        return new ArrayList<>(all);
    }

    /** Those who take some places, in no particular order, to be read at once. Under the lock. */
    public Stream<W> in(String places) {
        return all.stream().filter(waiter -> waiter.places().equals(places));
    }

    private void leave(String places) {
        taken.computeIfPresent(places, (name, count) -> count == 1 ? null : count - 1);
    }
}
