package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Where a request would go in a situation, why not elsewhere, and what would really happen to it. Immutable.
 *
 * @param candidates those that satisfy the request's contract, in the order in which they are tried
 * @param never those that could never serve it, with the reasons; of very many, the first are looked at
 * @param ending what happened when it was placed
 */
public record Explanation(List<RankedCandidate> candidates, List<Considered> never, Ending ending) {
    /** Each costs a look at all of them. */
    private static final int MOST_NEVER = 200;

    /** Copies the lists. */
    public Explanation {
        candidates = List.copyOf(candidates);
        never = List.copyOf(never);
    }

    /** Asks the router of a situation, and then lets it place the request. */
    public static Explanation of(Situation situation, RouteRequest request) {
        SubstrateRouter router = situation.router();
        try {
            List<RankedCandidate> candidates = router.recommend(request).candidates().stream()
                    .map(Explanation::plain)
                    .toList();
            List<Considered> never = never(router, request, candidates);
            return new Explanation(candidates, never, ending(router, request));
        } catch (RoutingException never) {
            List<Considered> considered =
                    never.trace().considered().stream().map(Explanation::plain).toList();
            return new Explanation(List.of(), considered, Ending.refused(never));
        }
    }

    private static RankedCandidate plain(RankedCandidate told) {
        return new RankedCandidate(
                told.rank(),
                told.substrateId(),
                told.endpoint(),
                told.mcpUrl(),
                told.admissible(),
                plain(told.reasons()),
                told.expectedWait(),
                told.expectedLatency(),
                told.why(),
                told.cost());
    }

    private static Considered plain(Considered told) {
        return new Considered(told.substrateId(), told.admissible(), plain(told.findings()));
    }

    private static List<Finding> plain(List<Finding> told) {
        return told.stream()
                .map(finding -> new Finding(finding.reason(), Faults.plain(finding.text())))
                .toList();
    }

    private static Ending ending(SubstrateRouter router, RouteRequest request) {
        CompletableFuture<Placement> placing = router.placeAsync(request);
        if (!placing.isDone()) {
            return Ending.waits();
        }
        try (Placement placement = placing.join()) {
            return Ending.placed(placement);
        } catch (CompletionException e) {
            if (e.getCause() instanceof RoutingException refused) {
                return Ending.refused(refused);
            }
            throw e;
        }
    }

    /** Those of a route, or else of the pool, that are no candidates: each is asked for alone. */
    private static List<Considered> never(
            SubstrateRouter router, RouteRequest request, List<RankedCandidate> candidates) {
        List<String> known =
                candidates.stream().map(RankedCandidate::substrateId).toList();
        List<Considered> never = new ArrayList<>();
        for (String id : some(named(router.policy(), request))) {
            if (!known.contains(id)) {
                alone(router, request, id).ifPresent(never::add);
            }
        }
        return never;
    }

    private static List<String> some(List<String> names) {
        return names.subList(0, Math.min(names.size(), MOST_NEVER));
    }

    private static List<String> named(Policy policy, RouteRequest request) {
        List<String> route = policy.workload(request.workload()).stream()
                .flatMap(workload -> workload.candidates().stream())
                .map(candidate -> candidate.on())
                .toList();
        return route.isEmpty() ? policy.substrates().stream().map(Substrate::id).toList() : route;
    }

    private static Optional<Considered> alone(SubstrateRouter router, RouteRequest request, String id) {
        String[] others = router.policy().substrates().stream()
                .map(Substrate::id)
                .filter(other -> !other.equals(id))
                .toArray(String[]::new);
        try {
            router.recommend(request.avoid(others));
            return Optional.empty();
        } catch (NoEligibleSubstrateException never) {
            return never.trace().considered().stream()
                    .filter(one -> one.substrateId().equals(id))
                    .findFirst();
        }
    }
}
