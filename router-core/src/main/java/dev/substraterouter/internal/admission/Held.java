package dev.substraterouter.internal.admission;

/** A lease as the ledger holds it: the lease itself until something is known of it, then with marks. Immutable. */
public sealed interface Held permits Lease, Marked {
    /** The lease. */
    Lease lease();

    /** The GPU it is booked on by the newest status, or {@link Lease#NO_GPU}. */
    int gpu();

    /** Whether the newest status that told the memory in use had its memory in it. */
    boolean seen();

    /** Whether its placement has ended and only its work may still run. */
    boolean lingering();

    /** When its placement ended; meaningless unless lingering. */
    long endedNanos();

    /** The same as a status has left it. */
    default Held seenOn(int newGpu, boolean newSeen) {
        return gpu() == newGpu && seen() == newSeen
                ? this
                : new Marked(lease(), newGpu, newSeen, lingering(), endedNanos());
    }
}
