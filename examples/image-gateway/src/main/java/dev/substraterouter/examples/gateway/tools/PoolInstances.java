package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shows the pool. Who may {@linkplain Operation#VIEW view} it sees all of it; anyone else sees those nodes that could ever serve something it may
 * ask for, by the router's own word. Thread-safe; does not block.
 */
final class PoolInstances {
    private final SubstrateRouter router;

    PoolInstances(SubstrateRouter router) {
        this.router = router;
    }

    Pool show(Caller caller) {
        Policy policy = router.policy();
        boolean all = caller.mayOperate(router, Operation.VIEW);
        Set<String> visible = all ? Set.of() : visible(caller, policy);
        return new Pool(router.substrates().stream()
                .filter(view -> all || visible.contains(view.id()))
                .map(view -> Instance.of(view, policy))
                .toList());
    }

    private Set<String> visible(Caller caller, Policy policy) {
        Set<String> visible = new HashSet<>();
        NotAuthorizedException refusal = null;
        boolean allowed = false;
        for (RouteRequest request : requests(policy)) {
            try {
                router.recommend(caller.asking(request)).candidates().stream()
                        .map(RankedCandidate::substrateId)
                        .forEach(visible::add);
                allowed = true;
            } catch (NotAuthorizedException no) {
                refusal = no;
            } catch (NoEligibleSubstrateException none) {
                allowed = true; // it may ask, and nobody could serve it
            }
        }
        return seen(visible, allowed, refusal);
    }

    /** Who may ask for nothing at all is told so. */
    private static Set<String> seen(Set<String> visible, boolean allowed, @Nullable NotAuthorizedException refusal) {
        if (!allowed && refusal != null) {
            throw refusal;
        }
        return visible;
    }

    private static List<RouteRequest> requests(Policy policy) {
        Need anything = Need.builder().privacy(Trust.PUBLIC).build();
        return Stream.concat(
                        Stream.of(RouteRequest.need(anything)),
                        policy.workloads().stream().map(Workload::name).map(RouteRequest::workload))
                .toList();
    }
}
