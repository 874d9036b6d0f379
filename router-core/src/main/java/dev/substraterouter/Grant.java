package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Decision;

/**
 * A lease that has been taken for a request.
 *
 * @param decision the decision that took it
 * @param lease the lease
 * @param waitedNanos how long the request has waited in the queue, over all its attempts
 */
record Grant(Decision decision, Lease lease, long waitedNanos) implements Found {}
