package dev.substraterouter.cases;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;

/** A program that embeds a router and returns from {@code main} without closing it. */
final class Embedded {
    private static final RouteRequest FILL = RouteRequest.workload("flux-fill");

    private Embedded() {}

    public static void main(String[] args) throws Exception {
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(Policies.smallest())
                .listener(event -> {})
                .build();
        router.reportStatus("mirrorforge", Statuses.idle(64));
        router.reportStatus("legion", Statuses.idle(32));
        router.call(FILL, placement -> "done");
        Placement open = router.place(FILL);
        router.placeAsync(FILL);
        router.placeAsync(FILL);
        router.placeAsync(FILL); // waits
        System.out.println("placed on " + open.substrateId());
    }
}
