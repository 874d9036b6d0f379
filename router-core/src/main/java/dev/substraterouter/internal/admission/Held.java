package dev.substraterouter.internal.admission;

/**
 * A lease as the ledger holds it. Immutable.
 *
 * @param lease the lease
 * @param gpu the GPU it is booked on by the newest status, or {@link Lease#NO_GPU}
 * @param seen whether the newest status that told the memory in use had its memory in it
 * @param lingering whether its placement has ended and only its work may still run
 * @param endedNanos when its placement ended; meaningless unless lingering
 */
public record Held(Lease lease, int gpu, boolean seen, boolean lingering, long endedNanos) {
    Held seenOn(int newGpu, boolean newSeen) {
        return gpu == newGpu && seen == newSeen ? this : new Held(lease, newGpu, newSeen, lingering, endedNanos);
    }
}
