package consumer;

import com.sun.net.httpserver.HttpServer;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A host with a policy in YAML that polls its substrate over HTTP. */
public final class Main {

    private static final String STATUS = """
            {"gpu_util_pct": 3.0, "vram_used_gb": 1.0, "vram_total_gb": 32.0, "gpu_temp_c": 40, "running_jobs": 0, "queued_jobs": 0}
            """;

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        HttpServer worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.createContext("/status", exchange -> {
            byte[] body = STATUS.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        worker.start();
        try (SubstrateRouter router = SubstrateRouter.builder()
                .policy(YamlPolicy.parse(
                        policy("http://127.0.0.1:" + worker.getAddress().getPort())))
                .statusSource(HttpStatusProbe.create())
                .build()) {
            if (!router.awaitReady(Duration.ofSeconds(20))) {
                throw new IllegalStateException("not ready: " + router.substrates());
            }
            String servedBy = router.call(RouteRequest.workload("flux-fill"), placement -> placement.substrateId());
            System.out.println("served by " + servedBy);
        } finally {
            worker.stop(0);
        }
    }

    private static String policy(String address) {
        return """
                version: 1
                substrates:
                  legion: { endpoint: "%1$s", status: "%1$s/status", vram_gb: 32, max_concurrent_jobs: 1 }
                workloads:
                  flux-fill: { vram_gb: 24, route: [legion] }
                """.formatted(address);
    }
}
