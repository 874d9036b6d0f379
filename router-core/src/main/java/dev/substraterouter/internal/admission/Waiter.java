package dev.substraterouter.internal.admission;

import dev.substraterouter.model.Priority;

/**
 * One request in the wait queue. Everything that changes is guarded by the queue's lock: whoever holds it and finds the waiter queued
 * decides how it ends, so a grant, a timeout, an interrupt and a cancellation can never all win.
 */
public abstract class Waiter {
    /** The order of arrival, unique in a router. */
    public final long sequence;

    public final long arrivalNanos;
    /** When its budget of waiting is used up. */
    public final long deadlineNanos;

    private Priority declared;
    private String places;
    private boolean queued;

    /** A waiter that is not in the queue yet. */
    protected Waiter(long sequence, long arrivalNanos, Priority declared, long deadlineNanos, String places) {
        this.sequence = sequence;
        this.arrivalNanos = arrivalNanos;
        this.declared = declared;
        this.deadlineNanos = deadlineNanos;
        this.places = places;
    }

    /** Whether it waits. Read under the queue's lock. */
    public final boolean queued() {
        return queued;
    }

    /** The places it takes one of. Read under the queue's lock. */
    public final String places() {
        return places;
    }

    /** Its priority, without age. Read under the queue's lock. */
    public final Priority declared() {
        return declared;
    }

    /** Its priority from now on: a reload may change what its identity may ask for. Under the queue's lock. */
    protected final void declared(Priority newPriority) {
        declared = newPriority;
    }

    /** Its priority class now, with age: 0 is the most urgent. */
    public final int priorityClass(long now, long agesAfterNanos) {
        return priorityClass(declared, arrivalNanos, now, agesAfterNanos);
    }

    /** The priority class of a request that arrived at a moment: every {@code agesAfterNanos} lifts it one class. */
    public static int priorityClass(Priority declared, long arrivalNanos, long now, long agesAfterNanos) {
        long lifted = Math.max(0, now - arrivalNanos) / agesAfterNanos;
        return (int) Math.max(0, rank(declared) - lifted);
    }

    /** The class of a priority that has not aged: 0 is the most urgent. */
    public static int rank(Priority priority) {
        return switch (priority) {
            case HIGH -> 0;
            case NORMAL -> 1;
            case LOW -> 2;
        };
    }

    final void queued(boolean now) {
        queued = now;
    }

    final void places(String newPlaces) {
        places = newPlaces;
    }
}
