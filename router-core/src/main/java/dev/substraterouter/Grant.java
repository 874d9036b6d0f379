package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;

/**
 * A lease that has been taken for a request.
 *
 * @param decision the decision that took it
 * @param lease the lease
 * @param waitedNanos how long the request has waited in the queue, over all its attempts
 */
record Grant(Decision decision, Lease lease, long waitedNanos) {
    /** The priority that a request which asks has under the route of the decision. */
    Priority priority(RouteRequest request) {
        return request.priority().orElse(decision.route.defaultPriority);
    }
}
