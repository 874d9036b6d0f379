package dev.substraterouter.simulate;

import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import java.util.List;
import java.util.Optional;

/** Invariant 11: a recommendation leaves everything as it was. */
final class RecommendationChecks {
    private final InvariantWatch run;
    private int turns;

    RecommendationChecks(InvariantWatch run) {
        this.run = run;
    }

    void check(RouterWatch watch) {
        List<String> workloads =
                watch.policy.workloads().stream().map(workload -> workload.name()).toList();
        String workload = workloads.get(turns++ % workloads.size());
        SubstrateRouter router = watch.router();
        String before = picture(router);
        Optional<String> best = best(router, RouteRequest.workload(workload));
        Optional<String> again = best(router, RouteRequest.workload(workload));
        run.check(11, best.equals(again), () -> "recommended " + best + ", then " + again);
        String after = picture(router);
        run.check(11, before.equals(after), () -> "a recommendation made of " + before + ": " + after);
    }

    private static Optional<String> best(SubstrateRouter router, RouteRequest request) {
        try {
            return router.recommend(request).best().map(RankedCandidate::substrateId);
        } catch (RoutingException never) {
            return Optional.of(never.getClass().getSimpleName());
        }
    }

    private static String picture(SubstrateRouter router) {
        return router.substrates().toString() + router.routes();
    }
}
