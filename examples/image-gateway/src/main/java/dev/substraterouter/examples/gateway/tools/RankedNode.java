package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.Finding;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node that fits a need.
 *
 * @param rank from 1, the best first
 * @param substrate its id
 * @param admissible whether work would be placed there now
 * @param reasons why not; or, when it would, what is to be known about it
 * @param virtual whether it exists only behind its MCP address
 * @param endpoint where work would be sent; null: nowhere, or it is virtual
 * @param mcpUrl its MCP address; null: it has none
 * @param expectedWaitSeconds how long until it is worth asking again; zero when admissible
 * @param expectedLatencySeconds how long the work is expected to take; null: nobody knows
 * @param cost what one job is expected to cost; null: nobody knows
 * @param why why the policy has it there; null: it does not say
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RankedNode(
        int rank,
        String substrate,
        boolean admissible,
        List<String> reasons,
        boolean virtual,
        @Nullable String endpoint,
        @Nullable String mcpUrl,
        double expectedWaitSeconds,
        @Nullable Double expectedLatencySeconds,
        @Nullable Double cost,
        @Nullable String why) {
    /** Copies the list. */
    public RankedNode {
        reasons = List.copyOf(reasons);
    }

    static RankedNode of(RankedCandidate candidate, Policy policy) {
        boolean virtual = policy.substrate(candidate.substrateId())
                .map(Substrate::virtual)
                .orElse(false);
        return new RankedNode(
                candidate.rank(),
                candidate.substrateId(),
                candidate.admissible(),
                candidate.reasons().stream().map(Finding::text).toList(),
                virtual,
                virtual ? null : candidate.endpoint().map(URI::toString).orElse(null),
                candidate.mcpUrl().map(URI::toString).orElse(null),
                Served.seconds(candidate.expectedWait()),
                candidate.expectedLatency().map(Served::seconds).orElse(null),
                NeedView.number(candidate.cost()),
                candidate.why().orElse(null));
    }
}
