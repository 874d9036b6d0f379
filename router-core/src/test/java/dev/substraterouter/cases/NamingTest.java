package dev.substraterouter.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.RoutingTrace;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that know machines are seen: their traces say so, and the report tells their share. */
class NamingTest {
    private static final RouteRequest FILL = RouteRequest.workload("flux-fill");

    @Test
    void aRequestThatPrefersOrAvoidsASubstrateIsSaidToNameOne() {
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(Policies.smallest())
                .timeSource(new HandDrivenTime())
                .log(false)
                .build()) {
            router.reportStatus("mirrorforge", Statuses.idle(64));
            router.reportStatus("legion", Statuses.idle(32));

            List<RouteRequest> requests = List.of(FILL, FILL.prefer("legion"), FILL.avoid("mirrorforge"), FILL);
            for (RouteRequest request : requests) {
                router.tryPlace(request).ifPresent(Placement::close);
            }

            assertThat(router.recentTraces())
                    .extracting(RoutingTrace::namesSubstrate)
                    .containsExactlyInAnyOrder(false, true, true, false);
            PathReport report = PathReport.of(router.recentTraces());
            assertThat(report.namingSubstrate())
                    .hasValueSatisfying(share -> assertThat(share.value()).isEqualTo(0.5));
            assertThat(report.explain()).contains("Requests that name a substrate: 0.50 (");
        }
    }
}
