package dev.substraterouter.examples.gateway.forward;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.examples.gateway.Eventually;
import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.examples.gateway.web.ClientWatch;
import dev.substraterouter.examples.gateway.web.Listener;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.RoutingTrace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** The forwarding part of the gateway on a real socket, before two workers "a" and "b" that the workload "image" prefers in this order. */
final class Rig implements AutoCloseable {
    final SubstrateRouter router;
    final HttpClient http = HttpClient.newHttpClient();
    private final ClientWatch watch;
    private final Listener listener;

    Rig(URI a, URI b) throws IOException {
        this(a, b, "", Map.of(), 64 * 1024, Duration.ofSeconds(20));
    }

    Rig(URI a, URI b, String more, Map<String, String> tokens, int maxReplay, Duration stalled) throws IOException {
        Policy policy = YamlPolicy.parse("""
                version: 1
                health: { stale_after: 10m } # a slow machine is no reason to know less
                substrates:
                  a: { endpoint: "%s", vram_gb: 32, max_concurrent_jobs: 1 }
                  b: { endpoint: "%s", vram_gb: 32, max_concurrent_jobs: 1 }
                workloads:
                  image: { vram_gb: 4, route: [ { on: a, model: flux1-dev, expected_latency: 40s }, { on: b, expected_latency: 120s } ] }
                %s
                """.formatted(a, b, more));
        router = SubstrateRouter.builder().policy(policy).log(false).build();
        idle("a");
        idle("b");
        watch = new ClientWatch();
        WorkerClient workers = new WorkerClient(router::policy, Duration.ofSeconds(2));
        listener = Listener.builder("clients", new InetSocketAddress("127.0.0.1", 0))
                .stalledAfter(stalled)
                .serve(
                        ForwardServlet.PATH,
                        new ForwardServlet(
                                router,
                                BearerTokens.of(tokens),
                                workers,
                                watch,
                                maxReplay,
                                4 * maxReplay,
                                (caller, request, path, type, body) -> "ticket-of-" + body.length + path))
                .start();
    }

    /** Has a substrate say that it is idle. */
    void idle(String id) {
        router.reportStatus(
                id,
                SubstrateStatus.builder()
                        .gpuUtilPct(0)
                        .gpuTempC(40)
                        .vramUsedGb(0)
                        .vramTotalGb(32)
                        .runningJobs(0)
                        .build());
    }

    int port() {
        return listener.address().getPort();
    }

    HttpRequest.Builder ask(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/v1/workloads/" + path))
                .timeout(Eventually.PATIENCE);
    }

    HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = ask(path).POST(HttpRequest.BodyPublishers.ofString(body));
        return http.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    int leases() {
        return router.substrates().stream().mapToInt(SubstrateView::leases).sum();
    }

    /** The trace of the only request, which may end a moment after its answer. */
    RoutingTrace lastTrace() throws InterruptedException {
        Eventually.until("its trace is there", () -> !router.recentTraces().isEmpty());
        return router.recentTraces().get(0);
    }

    @Override
    public void close() {
        listener.close();
        watch.close();
        router.close();
    }
}
