package dev.substraterouter.simulate;

import dev.substraterouter.model.RouteRequest;

/**
 * One request of a run, the same under every policy.
 *
 * @param number its number, from 0 in the order of arrival
 * @param arrivalNanos when it came, nanoseconds from the beginning of the run
 * @param workload what it asks for
 * @param requestClass who asks
 * @param request how it is put to a router
 * @param first its first uniform draw for the service time; see {@link ServiceTime}
 * @param second its second one
 * @param factor its service time as a multiple of the mean; NaN: as drawn
 */
public record SimulatedRequest(
        long number,
        long arrivalNanos,
        String workload,
        RequestClass requestClass,
        RouteRequest request,
        double first,
        double second,
        double factor) {
    /** How long it takes where the workload takes as given, seconds. */
    public double seconds(ServiceTime time) {
        return Double.isNaN(factor) ? time.seconds(first, second) : factor * time.meanSeconds();
    }
}
