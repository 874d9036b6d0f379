package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
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

    @Test
    @DisplayName("a substrate whose status hangs delays no decision, and the router stays ready [R8]")
    void aHangingStatusDelaysNoDecision() throws Exception {
        Net net = new Net();
        CountDownLatch asked = new CountDownLatch(1);
        Net.Raw hanging = net.raw(socket -> {
            asked.countDown();
            Net.untilClosed(socket);
        });
        Policy policy = Policy.builder()
                .poll(PollSettings.builder()
                        .timeout(Duration.ofSeconds(30))
                        .every(Duration.ofSeconds(60))
                        .build())
                .health(HealthLimits.builder().staleAfter(Duration.ofMinutes(5)).build())
                .substrate(substrate("hung", hanging.uri(), 64))
                .substrate(substrate("legion", net.http(200, idle(32)), 32))
                .workload(Workload.builder("flux-fill")
                        .vramGb(24)
                        .route("hung", "legion")
                        .build())
                .build();
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy)
                .log(false)
                .statusSource(HttpStatusProbe.create())
                .build();
        try (router) {
            assertThat(router.awaitReady(Duration.ofSeconds(20))).isTrue();
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
            for (int request = 0; request < 1_000; request++) {
                try (Placement placement = router.place(RouteRequest.workload("flux-fill"))) {
                    assertThat(placement.substrateId()).isEqualTo("legion");
                }
            }
            assertThat(router.awaitReady(Duration.ZERO)).isTrue();
            assertThat(hanging.ended).as("all that while the one question hung").hasValue(0);
            assertThat(hanging.connections).hasValue(1);
        }
        net.close();
    }

    /** The probe, with the reasons of its missed polls beside. */
    private static final class Watched implements StatusSource {
        private final StatusSource probe = HttpStatusProbe.create();
        private final List<String> missed = new CopyOnWriteArrayList<>();

        @Override
        public void start(StatusSink sink) {
            probe.start((id, from) -> {
                StatusTicket ticket = sink.asking(id, from);
                return new StatusTicket() {
                    @Override
                    public void answered(SubstrateStatus status) {
                        ticket.answered(status);
                    }

                    @Override
                    public void failed(String reason) {
                        ticket.failed(reason);
                        missed.add(reason);
                    }
                };
            });
        }

        @Override
        public void targets(List<StatusTarget> targets) {
            probe.targets(targets);
        }

        @Override
        public void refresh(String substrateId) {
            probe.refresh(substrateId);
        }

        @Override
        public void close() {
            probe.close();
        }
    }

    private static Policy movable(URI status) {
        return Policy.builder()
                .poll(PollSettings.builder().every(Duration.ofSeconds(60)).build())
                .health(HealthLimits.builder().staleAfter(Duration.ofMinutes(5)).build())
                .substrate(substrate("legion", status, 32))
                .workload(
                        Workload.builder("flux-fill").vramGb(24).route("legion").build())
                .build();
    }

    @Test
    @DisplayName("a status address that moves to a name nobody knows costs a poll, and nothing of what was known [J59]")
    void anUnknownNameCostsOnePoll() throws Exception {
        Net net = new Net();
        Watched watched = new Watched();
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(movable(net.http(200, idle(32))))
                .statusSource(watched)
                .build();
        try (router) {
            assertThat(router.awaitReady(Duration.ofSeconds(20))).isTrue();
            Placement before = router.place(RouteRequest.workload("flux-fill"));
            router.reload(movable(URI.create("http://no-such-host.invalid:9100/status")));
            Await.until("a missed poll", () -> !watched.missed.isEmpty());

            assertThat(watched.missed.get(0)).isEqualTo("unknown host (no-such-host.invalid:9100)");
            SubstrateView view = router.substrates().get(0);
            assertThat(view.leases()).isEqualTo(1);
            assertThat(view.ejectedUntil()).isEmpty();
            assertThat(view.status()).isPresent();
            before.succeed();
            try (Placement after = router.place(RouteRequest.workload("flux-fill"))) {
                assertThat(after.substrateId()).isEqualTo("legion");
            }
        }
        net.close();
    }
}
