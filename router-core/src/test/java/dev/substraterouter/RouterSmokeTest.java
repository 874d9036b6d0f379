package dev.substraterouter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RouterSmokeTest {
    private final HandDrivenTime time = new HandDrivenTime();

    private SubstrateRouter router() {
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(Policies.smallestBuilder()
                        .queue(QueueLimits.builder().capacity(2).build())
                        .build())
                .timeSource(time)
                .executor(Runnable::run)
                .build();
        router.reportStatus("mirrorforge", Statuses.idle(64));
        router.reportStatus("legion", Statuses.idle(32));
        return router;
    }

    @Test
    void walksThroughTheFallbackMachine() {
        try (SubstrateRouter router = router()) {
            RouteRequest fill = RouteRequest.workload("flux-fill");
            List<Placement> open = new ArrayList<>();
            Placement primary = router.tryPlace(fill).orElseThrow();
            assertThat(primary.substrateId()).isEqualTo("legion");
            assertThat(primary.degraded()).isEmpty();
            Placement fallback = router.tryPlace(fill).orElseThrow();
            assertThat(fallback.substrateId()).isEqualTo("mirrorforge");
            assertThat(fallback.degraded()).containsExactly(DegradedReason.NOT_PRIMARY);
            open.add(router.tryPlace(fill).orElseThrow());
            assertThat(router.tryPlace(fill)).isEmpty();
            CompletableFuture<Placement> first = router.placeAsync(fill);
            CompletableFuture<Placement> second = router.placeAsync(fill);
            CompletableFuture<Placement> third = router.placeAsync(fill);
            assertThat(first).isNotDone();
            assertThat(second).isNotDone();
            assertThat(third).isCompletedExceptionally();
            assertThatThrownBy(third::join)
                    .cause()
                    .isInstanceOf(SubstratesBusyException.class)
                    .hasMessageContaining("waiting 2/2")
                    .hasMessageContaining("legion jobs 1/1")
                    .hasMessageContaining("mirrorforge jobs 2/2");
            primary.succeed();
            assertThat(first).isCompleted();
            assertThat(first.join().substrateId()).isEqualTo("legion");
            fallback.close();
            assertThat(second.join().substrateId()).isEqualTo("mirrorforge");
            time.advance(Duration.ofSeconds(16));
            assertThat(router.tryPlace(RouteRequest.workload("sdxl"))).isEmpty();
            assertThat(router.recommend(RouteRequest.workload("sdxl")).explain())
                    .contains("stale");
        }
    }
}
