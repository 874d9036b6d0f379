package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example of {@link HttpStatusProbe}: a router that learns of its substrates over HTTP. */
class RouterWithProbeTest {
    private static String idle(int totalGb) {
        return "{\"gpu_util_pct\": 2, \"gpu_temp_c\": 40, \"vram_used_gb\": 1, \"vram_total_gb\": " + totalGb
                + ", \"running_jobs\": 0, \"queued_jobs\": 0}";
    }

    private static Substrate substrate(String id, URI status, int gb) {
        return Substrate.builder(id)
                .status(StatusAddress.of(status))
                .vramGb(gb)
                .maxConcurrentJobs(1)
                .build();
    }

    @Test
    void aRouterPlacesByWhatTheProbeBrings() throws Exception {
        Net net = new Net();
        Policy policy = Policy.builder()
                .substrate(substrate("legion", net.http(200, idle(32)), 32))
                .substrate(substrate("mirrorforge", Net.nobody(), 64))
                .workload(Workload.builder("flux-fill")
                        .vramGb(24)
                        .route("mirrorforge", "legion")
                        .build())
                .build();
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .statusSource(HttpStatusProbe.create())
                .build();
        try (router) {
            assertThat(router.awaitReady(Duration.ofSeconds(20))).isTrue();
            try (Placement placement = router.place(RouteRequest.workload("flux-fill"))) {
                assertThat(placement.substrateId()).isEqualTo("legion");
            }
        }
        net.close();
    }
}
