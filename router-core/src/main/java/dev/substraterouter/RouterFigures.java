package dev.substraterouter;

import dev.substraterouter.model.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How a router stands, in figures: a snapshot of one moment. What is named is named by the policy, so there are never more than the policy
 * has.
 *
 * @param revision the policy's revision in force
 * @param reloads how many policies were put in force after the first
 * @param rejectedReloads how many were turned down
 * @param rejected whether the last one was turned down, see {@link SubstrateRouter#rejectedPolicy()}
 * @param droppedEvents how many events did not reach a listener, or the log, because it did not keep up
 * @param droppedTraces how many traces and observations did not reach a sink
 * @param waiting how many requests wait, by their own priority; every priority is there
 * @param queues the places in which requests wait: those that all share first, then those of single workloads
 * @param substrates every substrate
 * @param candidates every candidate of every workload, without the batch path
 */
public record RouterFigures(
        long revision,
        long reloads,
        long rejectedReloads,
        boolean rejected,
        long droppedEvents,
        long droppedTraces,
        Map<Priority, Integer> waiting,
        List<QueueFigures> queues,
        List<SubstrateFigures> substrates,
        List<CandidateFigures> candidates) {
    /** Copies the collections. */
    public RouterFigures {
        waiting = Map.copyOf(waiting);
        queues = List.copyOf(queues);
        substrates = List.copyOf(substrates);
        candidates = List.copyOf(candidates);
    }

    /**
     * Places in which requests wait.
     *
     * @param workload whose they are; empty: all share them that have none of their own
     * @param waiting how many are taken
     * @param capacity how many there are
     */
    public record QueueFigures(Optional<String> workload, int waiting, int capacity) {}

    /**
     * A substrate.
     *
     * @param id its id
     * @param leases the router's own leases there, those included whose work may still run
     * @param freeSlots how many more jobs fit into its slots, those of others counted; empty without a limit
     * @param statusAge how old the newest status is; empty: it never said anything
     * @param passes whether its gate is open to work in general; the router's own leases close no gate
     * @param ejected whether it is out after faults
     * @param trial whether its one trial runs
     * @param cordoned whether an operator has taken it out
     * @param suspect whether there is something odd about its statuses, see {@link SubstrateView#suspicions()}
     */
    public record SubstrateFigures(
            String id,
            int leases,
            OptionalInt freeSlots,
            Optional<Duration> statusAge,
            boolean passes,
            boolean ejected,
            boolean trial,
            boolean cordoned,
            boolean suspect) {}

    /**
     * A candidate.
     *
     * @param workload its workload
     * @param substrateId where
     * @param model the model that it declares
     * @param drift how many times as long as declared its work takes; empty: nothing is declared, or too few successes were seen
     */
    public record CandidateFigures(String workload, String substrateId, Optional<String> model, OptionalDouble drift) {}
}
