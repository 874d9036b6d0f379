package dev.substraterouter.examples.quickstart.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.metrics.RouterMetrics;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.status.SubstrateStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java does what the README says. */
class SnippetsTest {
    private static final byte[] IMAGE = {1, 2, 3};
    private static final String IDLE = "{\"gpu_util_pct\": 3, \"vram_used_gb\": 1, \"vram_total_gb\": 32,"
            + " \"gpu_temp_c\": 40, \"running_jobs\": 0, \"queued_jobs\": 0}";

    @TempDir
    Path folder;

    private HttpServer agent;
    private String policy;

    @BeforeEach
    void start() throws Exception {
        agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.createContext("/status", exchange -> {
            byte[] body = IDLE.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        agent.start();
        String address = "http://127.0.0.1:" + agent.getAddress().getPort();
        policy = """
                version: 1
                substrates:
                  legion: { endpoint: "%1$s", status: "%1$s/status", vram_gb: 32, max_concurrent_jobs: 1 }
                workloads:
                  flux-fill: { vram_gb: 24, pin: legion }
                """.formatted(address);
    }

    @AfterEach
    void stop() {
        agent.stop(0);
    }

    private SubstrateRouter router() {
        SubstrateRouter router =
                SubstrateRouter.builder().policy(YamlPolicy.parse(policy)).build();
        router.reportStatus(
                "legion",
                SubstrateStatus.builder()
                        .gpuUtilPct(3)
                        .vramUsedGb(1)
                        .vramTotalGb(32)
                        .gpuTempC(40)
                        .runningJobs(0)
                        .build());
        return router;
    }

    @Test
    void theFirstScreenPaints() throws Exception {
        Path file = Files.writeString(folder.resolve("routing.yaml"), policy);
        byte[] image = new FirstScreen((endpoint, prompt) -> IMAGE).paint(file, "a lighthouse");
        assertThat(image).isEqualTo(IMAGE);
    }

    @Test
    void theAfternoonLosesWhatCameDuringTheCrash() {
        SimulationReport report = Afternoon.simulated(YamlPolicy.parse(policy));
        assertThat(report.served()).isGreaterThan(120);
        assertThat(report.lost()).isBetween(1L, 60L);
        assertThat(Afternoon.simulated(YamlPolicy.parse(policy))).hasToString(report.toString());
    }

    @Test
    void paintsNowOrNever() throws Exception {
        try (SubstrateRouter router = router()) {
            assertThat(ByHand.paintNowOrNever(router, (endpoint, prompt) -> IMAGE, "a lighthouse"))
                    .contains(IMAGE);
            router.cordon("legion");
            assertThat(ByHand.paintNowOrNever(router, (endpoint, prompt) -> IMAGE, "a lighthouse"))
                    .isEmpty();
        }
    }

    @Test
    void refusalsHaveTheirCodes() {
        SubstrateRouter router = router();
        RoutingException unknown = refusal(router, RouteRequest.workload("flux-fil"));
        assertThat(HttpAnswers.code(unknown)).isEqualTo(404);
        assertThat(HttpAnswers.retryAfter(unknown)).isEmpty();
        RoutingException never =
                refusal(router, RouteRequest.workload("flux-fill").avoid("legion"));
        assertThat(HttpAnswers.code(never)).isEqualTo(422);
        router.cordon("legion");
        RoutingException busy =
                refusal(router, RouteRequest.workload("flux-fill").maxWait(Duration.ZERO));
        assertThat(busy).isInstanceOf(SubstratesBusyException.class);
        assertThat(HttpAnswers.code(busy)).isEqualTo(503);
        assertThat(HttpAnswers.retryAfter(busy)).hasValue(5);
        router.close();
        assertThat(HttpAnswers.code(refusal(router, RouteRequest.workload("flux-fill"))))
                .isEqualTo(503);
    }

    @Test
    void whatIsPlacedIsCounted() throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (SubstrateRouter router = router()) {
            RouterMetrics metrics = Watched.watch(router, registry);
            router.tryPlace(RouteRequest.workload("flux-fill")).orElseThrow().succeed();
            assertThat(decisions(registry).count()).isEqualTo(1);
            metrics.close();
            assertThat(registry.getMeters()).isEmpty();
        }
    }

    /** The counter, which is made on the router's executor, a moment after there is something to count. */
    private static FunctionCounter decisions(SimpleMeterRegistry registry) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        FunctionCounter counter = null;
        while (counter == null && System.nanoTime() - end < 0) {
            Thread.sleep(1);
            counter = registry.find("substrate.router.decisions").functionCounter();
        }
        assertThat(counter).isNotNull();
        return counter;
    }

    private static RoutingException refusal(SubstrateRouter router, RouteRequest request) {
        return catchThrowableOfType(RoutingException.class, () -> router.place(request));
    }
}
