package dev.substraterouter.examples.whatif.bounds;

import java.util.List;

/**
 * A schedule.
 *
 * @param meanSeconds the mean latency, each rejected job counted with its charge
 * @param rejected how many jobs are rejected
 * @param placed the other jobs, in the order of their requests
 */
public record Plan(double meanSeconds, long rejected, List<Placed> placed) {
    /** Copies the list. */
    public Plan {
        placed = List.copyOf(placed);
    }
}
