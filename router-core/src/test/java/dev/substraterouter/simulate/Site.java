package dev.substraterouter.simulate;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.Outcome;
import java.util.ArrayList;
import java.util.List;

/** One substrate as whoever watches one router knows it: what was told, what is taken, and what keeps it out. Not thread-safe. */
final class Site {
    private static final long SLACK_NANOS = 100_000_000;

    final String id;
    final Told told = new Told();
    final Exile exile = new Exile();
    /** Those that are open, and those whose work may still run. */
    final List<Hold> holds = new ArrayList<>();

    boolean cordoned;
    long cordonedNanos = Long.MIN_VALUE;
    /** Until when its worker has said it is full, at the least; and when it said so. */
    long busyUntil = Long.MIN_VALUE;

    private long busySince = Long.MIN_VALUE / 2;
    private long lastBegan = Long.MIN_VALUE;
    private long lastEnded = Long.MIN_VALUE;
    private long residueMib;

    /** What has happened here in the present event of the run. */
    final List<Hold> placed = new ArrayList<>();

    boolean touched;
    boolean statusCame;

    Site(String id) {
        this.id = id;
    }

    void begins(Hold hold) {
        holds.add(hold);
        placed.add(hold);
        touched = true;
    }

    void ends(Hold hold, long now) {
        touched = true;
        lastEnded = now;
        residueMib += hold.seen ? hold.mostMib : 0;
        if (!hold.mayLinger()) {
            holds.remove(hold);
        }
    }

    void saysFull(long now, long leastNanos) {
        busySince = now;
        busyUntil = Math.max(busyUntil, now + leastNanos);
        touched = true;
    }

    /** When its worker last said that it is full; long ago: never. */
    long lastFull() {
        return busySince;
    }

    /**
     * A status has come. What happened in the same event of the run has been noted before.
     *
     * @param first whether it is certain that all of that has come after the status
     */
    void take(Told.Delivery it, Policy policy, Substrate substrate, boolean first, long event) {
        long since = it.askedNanos() - SLACK_NANOS;
        boolean moved = lastBegan >= since || lastEnded >= since;
        List<Hold> open = holds.stream()
                .filter(hold -> hold.open() && hold.event != event)
                .toList();
        boolean unclear = !placed.isEmpty() && !first;
        told.take(it, policy, substrate, open, moved, unclear);
        holds.removeIf(hold -> !hold.open() && it.askedNanos() > hold.endedNanos);
        residueMib = 0;
        if (it.askedNanos() > busySince) {
            busyUntil = Long.MIN_VALUE;
        }
        touched = true;
        statusCame = true;
    }

    /** What lingers has lingered its time. */
    void expire(long now, long staleNanos) {
        holds.removeIf(hold -> {
            boolean over = !hold.open() && now - hold.endedNanos >= staleNanos;
            residueMib += over && hold.seen ? hold.mostMib : 0;
            return over;
        });
    }

    /** The present event of the run is over. */
    void eventOver(long now) {
        if (!placed.isEmpty()) {
            lastBegan = now;
        }
        placed.clear();
        touched = false;
        statusCame = false;
    }

    /** How many leases count, at the least. */
    int leastJobs() {
        return (int) holds.stream()
                .filter(hold -> hold.open() || hold.outcome == Outcome.NODE_FAULT)
                .count();
    }

    int open() {
        return (int) holds.stream().filter(Hold::open).count();
    }

    /** How many leases count, at the most. */
    int mostJobs() {
        return holds.size();
    }

    long leastMib() {
        return holds.stream()
                .filter(hold -> hold.open() || hold.outcome == Outcome.NODE_FAULT)
                .mapToLong(hold -> hold.leastMib)
                .sum();
    }

    /** What is reserved, and what ended leases may have left behind, at the most. */
    long mostMib() {
        return residueMib + holds.stream().mapToLong(hold -> hold.mostMib).sum();
    }
}
