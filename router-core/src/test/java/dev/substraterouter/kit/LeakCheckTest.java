package dev.substraterouter.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.LeakCheck;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
    private static final RouteRequest FILL = RouteRequest.workload("flux-fill");
    private static final Duration SOON = Duration.ofSeconds(20);

    private static SubstrateRouter.Builder router(String name) {
        return SubstrateRouter.builder().name(name).policy(Policies.smallest()).log(false);
    }

    private static void healthy(SubstrateRouter router) {
        router.reportStatus("mirrorforge", Statuses.idle(64));
        router.reportStatus("legion", Statuses.idle(32));
    }

    @Test
    void aClosedRouterLeavesNothing() throws Exception {
        LeakCheck leaks = LeakCheck.begin("tidy");
        SubstrateRouter router = router("tidy").build();
        healthy(router);
        router.call(FILL, placement -> "done");
        router.close();
        leaks.assertNone(router, SOON);
    }

    @Test
    void aRouterThatIsNotClosedHasItsThread() throws Exception {
        LeakCheck leaks = LeakCheck.begin("open");
        try (SubstrateRouter router = router("open").build()) {
            assertThat(LeakCheck.held(router)).isEmpty();
            assertThat(leaks.threads(Duration.ZERO))
                    .singleElement()
                    .asString()
                    .startsWith("thread 'open-scheduler': ")
                    .endsWith(" (expected: ended)");
            assertThat(LeakCheck.begin("open").threads(Duration.ZERO))
                    .as("what was there before")
                    .isEmpty();
        }
    }

    @Test
    void aForgottenPlacementIsTold() throws Exception {
        LeakCheck leaks = LeakCheck.begin("forgetful");
        SubstrateRouter router = router("forgetful").build();
        healthy(router);
        try (Placement forgotten = router.tryPlace(FILL).orElseThrow()) {
            router.close();
            assertThatThrownBy(() -> leaks.assertNone(router, SOON))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("forgetful")
                    .hasMessageContaining("legion: leases: 1 (expected: 0)");
            assertThat(forgotten.substrateId()).isEqualTo("legion");
        }
        leaks.assertNone(router, SOON);
    }

    @Test
    void waitersAndTasksAreTold() {
        HandDrivenTime time = new HandDrivenTime();
        try (SubstrateRouter router = router("waiting").timeSource(time).build()) {
            router.placeAsync(FILL);
            assertThat(LeakCheck.held(router)).contains("flux-fill: waiting: 1 (expected: 0)");
            assertThat(LeakCheck.scheduled(time)).hasSize(1);
        }
        assertThat(LeakCheck.scheduled(time)).isEmpty();
    }
}
