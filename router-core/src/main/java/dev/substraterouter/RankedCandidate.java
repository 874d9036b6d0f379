package dev.substraterouter;

import dev.substraterouter.trace.Finding;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One candidate of a recommendation.
 *
 * @param rank from 1, the best first
 * @param substrateId the substrate
 * @param endpoint where work would be sent; empty: the host serves it itself
 * @param mcpUrl its MCP address; empty when it has none
 * @param admissible whether a request would be placed there now
 * @param reasons why not; or, when it would, what is to be known about it
 * @param expectedWait how long it may be until it is worth asking again; zero when admissible
 * @param expectedLatency how long the work is expected to take, with loading where that is needed: the observed figure once enough
 *     successes were seen, else the policy's; empty when neither is known
 * @param why why the policy has it there, in the words of its author; empty when it does not say
 * @param cost what one job is expected to cost: compute, review and error, and disturbing the owner while the owner is at work; empty when
 *     a figure that counts is not declared
 */
public record RankedCandidate(
        int rank,
        String substrateId,
        Optional<URI> endpoint,
        Optional<URI> mcpUrl,
        boolean admissible,
        List<Finding> reasons,
        Duration expectedWait,
        Optional<Duration> expectedLatency,
        Optional<String> why,
        OptionalDouble cost) {
    /** Copies the list. */
    public RankedCandidate {
        reasons = List.copyOf(reasons);
    }
}
