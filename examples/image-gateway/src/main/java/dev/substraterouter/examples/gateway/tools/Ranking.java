package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.Recommendation;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes fit a need, the best first. Nothing was placed: it says what would be done now.
 *
 * @param need the need
 * @param best where it would be placed now; null: nowhere
 * @param candidates every node that fits, those that could take it now first
 * @param explanation the same in words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Ranking(NeedView need, @Nullable String best, List<RankedNode> candidates, String explanation) {
    /** Copies the list. */
    public Ranking {
        candidates = List.copyOf(candidates);
    }

    static Ranking of(Need need, Recommendation recommendation, Policy policy) {
        List<RankedNode> nodes = nodes(recommendation, policy);
        return new Ranking(
                NeedView.of(need),
                nodes.stream()
                        .filter(RankedNode::admissible)
                        .map(RankedNode::substrate)
                        .findFirst()
                        .orElse(null),
                nodes,
                recommendation.explain());
    }

    static List<RankedNode> nodes(Recommendation recommendation, Policy policy) {
        return recommendation.candidates().stream()
                .map(candidate -> RankedNode.of(candidate, policy))
                .toList();
    }

    /** The request, avoiding the nodes that work cannot be sent to, if there are others; if not, the answer is to say where those are reached. */
    static RouteRequest reachable(List<RankedNode> nodes, RouteRequest request) {
        String[] without = nodes.stream()
                .filter(node -> node.endpoint() == null)
                .map(RankedNode::substrate)
                .toArray(String[]::new);
        return without.length == nodes.size() || without.length == 0 ? request : request.avoid(without);
    }
}
