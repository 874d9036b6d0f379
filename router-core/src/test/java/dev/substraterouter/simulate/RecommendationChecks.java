package dev.substraterouter.simulate;

import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Workload;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Invariant 11: a recommendation leaves everything as it was, and says what is done then. */
final class RecommendationChecks {
    private static final String NOWHERE = "nowhere";

    private final InvariantWatch run;
    private int turns;

    RecommendationChecks(InvariantWatch run) {
        this.run = run;
    }

    private RouteRequest request(RouterWatch watch, List<RequestClass> classes) {
        List<Workload> workloads = watch.policy.workloads();
        Workload workload = workloads.get(turns++ % workloads.size());
        RouteRequest request = classes.get(turns % classes.size()).request(workload.name());
        return request.mode(PlacementMode.INTERACTIVE);
    }

    /** Changes nothing. */
    void changesNothing(RouterWatch watch, List<RequestClass> classes) {
        RouteRequest request = request(watch, classes);
        SubstrateRouter router = watch.router();
        String before = picture(router);
        String best = recommended(router, request);
        String again = recommended(router, request);
        run.check(11, best.equals(again), () -> "recommended " + best + ", then " + again);
        String after = picture(router);
        run.check(11, before.equals(after), () -> "a recommendation made of " + before + ": " + after);
    }

    /** Does what was recommended; the place is given back at once. */
    void saysWhatIsDone(RouterWatch watch, List<RequestClass> classes) {
        RouteRequest request = request(watch, classes);
        SubstrateRouter router = watch.router();
        String best = recommended(router, request);
        String done = asked(() -> {
            Optional<Placement> placement = router.tryPlace(request);
            String where = placement.map(Placement::substrateId).orElse(NOWHERE);
            placement.ifPresent(Placement::close);
            return where;
        });
        run.check(11, best.equals(done), () -> "recommended " + best + " for " + request + ", done: " + done);
    }

    private static String recommended(SubstrateRouter router, RouteRequest request) {
        return asked(() -> router.recommend(request)
                .best()
                .map(RankedCandidate::substrateId)
                .orElse(NOWHERE));
    }

    private static String asked(Supplier<String> what) {
        try {
            return what.get();
        } catch (RoutingException refused) {
            return refused.reason().name();
        }
    }

    private static String picture(SubstrateRouter router) {
        return router.substrates().toString() + router.routes();
    }
}
