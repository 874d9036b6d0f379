package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateOperator;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.examples.gateway.web.Listener;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.time.TimeSource;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An operator's listener over a router whose substrates are told of by hand, and a client that asks it. */
final class Desk implements AutoCloseable {
    static final String ANNA = "anna's token";
    static final String VIEWER = "viewer's token";
    static final String AGENT = "agent's token";
    static final JsonMapper JSON = new JsonMapper();
    private static final Logger SERVER = Logger.getLogger("org.eclipse.jetty"); // kept, so that its level is

    static {
        SERVER.setLevel(Level.WARNING);
    }

    final ToldPolicy source = new ToldPolicy(policy());
    final AtomicBoolean draining = new AtomicBoolean();
    final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final Events events;
    final History history;
    final SubstrateRouter router;
    final Listener listener;
    private final HttpClient http = HttpClient.newHttpClient();

    Desk(TimeSource time) {
        this(time, new History(time));
    }

    Desk(TimeSource time, History history) {
        this(time, history, Optional.empty());
    }

    Desk(TimeSource time, History history, Optional<SubstrateOperator> operator) {
        events = new Events(time instanceof HandDrivenTime ? new PromptTime(time) : time);
        this.history = history;
        SubstrateRouter.Builder builder = SubstrateRouter.builder()
                .policySource(source)
                .statusSource(StatusSource.none())
                .listener(events)
                .traceSink(events)
                .traceSink(history)
                .timeSource(time)
                .log(false);
        operator.ifPresent(builder::operator);
        router = builder.build();
        ControlApi api = new ControlApi(
                router,
                tokens(),
                metrics,
                events,
                history,
                Path.of("policy.yaml"),
                Set.of("ops.example"),
                draining::get);
        listener = started(api);
    }

    private static Listener started(ControlApi api) {
        try {
            return Listener.builder("control", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .serve("/", api.servlet())
                    .threads(8)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BearerTokens tokens() {
        return BearerTokens.of(Map.of(
                "ops-anna", BearerTokens.sha256(ANNA),
                "view-wall", BearerTokens.sha256(VIEWER),
                "agent-7", BearerTokens.sha256(AGENT)));
    }

    static Policy policy() {
        return Policy.builder()
                .substrates(
                        Substrate.builder("mirrorforge")
                                .endpoint("http://10.40.10.1:8188")
                                .hardware("2 x V100 32 GB")
                                .why("Volta runs the Q4_K_S GGUF well")
                                .capabilities("cuda", "volta")
                                .vramGb(64)
                                .gpus(2)
                                .maxConcurrentJobs(2)
                                .build(),
                        Substrate.builder("legion")
                                .endpoint("http://10.40.10.2:8188")
                                .hardware("RTX 5090 32 GB, somebody's workstation")
                                .capabilities("cuda", "blackwell")
                                .vramGb(32)
                                .maxConcurrentJobs(1)
                                .owner(15, 3)
                                .build(),
                        Substrate.builder("thundercompute")
                                .kind(SubstrateKind.EXTERNAL)
                                .overflow(true)
                                .endpoint("https://gpu.example.com")
                                .capabilities("cuda")
                                .vramGb(80)
                                .maxConcurrentJobs(8)
                                .costPerHour(1.9)
                                .build(),
                        Substrate.builder("archive")
                                .kind(SubstrateKind.BATCH)
                                .capabilities("cuda")
                                .build())
                .workloads(
                        Workload.builder("flux-dev")
                                .vramGb(12)
                                .route(
                                        Candidate.builder("mirrorforge")
                                                .model("flux1-dev")
                                                .build(),
                                        Candidate.builder("legion")
                                                .model("flux1-dev")
                                                .build())
                                .build(),
                        Workload.builder("flux-fill")
                                .vramGb(24)
                                .privacy(Trust.PUBLIC)
                                .route("legion", "mirrorforge", "thundercompute")
                                .build(),
                        Workload.builder("sdxl")
                                .vramGb(8)
                                .route("mirrorforge", "legion")
                                .batch(Candidate.on("archive"))
                                .queue(WorkloadQueue.builder().capacity(2).build())
                                .build(),
                        Workload.builder("upscale").vramGb(6).pin("mirrorforge").build(),
                        Workload.builder("embed")
                                .vramGb(4)
                                .capabilities("blackwell")
                                .build())
                .role(Role.builder("operator")
                        .identities("ops-*")
                        .workloads("*")
                        .capabilities("*")
                        .adhoc(true)
                        .external(true)
                        .operate(Operation.values())
                        .build())
                .role(Role.builder("viewer")
                        .identities("view-*")
                        .operate(Operation.VIEW)
                        .build())
                .role(Role.builder("agent")
                        .identities("agent-*")
                        .workloads("*")
                        .capabilities("*")
                        .adhoc(true)
                        .external(true)
                        .build())
                .build();
    }

    /** Both machines are idle and well. */
    void allWell() {
        report("mirrorforge", 12, 64, 55);
        report("legion", 3, 32, 48);
    }

    void report(String id, double util, double vramTotal, double temp) {
        router.reportStatus(
                id,
                SubstrateStatus.builder()
                        .gpuUtilPct(util)
                        .vramUsedGb(vramTotal / 8)
                        .vramTotalGb(vramTotal)
                        .gpuTempC(temp)
                        .runningJobs(0)
                        .queuedJobs(0)
                        .build());
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + listener.address().getPort() + path);
    }

    HttpResponse<String> get(String token, String path) {
        return send(request(token, path).GET().build());
    }

    HttpResponse<String> post(String token, String path, String body) {
        return send(request(token, path)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    JsonNode json(String path) {
        HttpResponse<String> answer = get(ANNA, path);
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    HttpRequest.Builder request(String token, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(20));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** A policy that changes when the test says so. */
    static final class ToldPolicy implements PolicySource {
        private final Policy first;
        private final AtomicReference<PolicySink> sink = new AtomicReference<>();

        ToldPolicy(Policy first) {
            this.first = first;
        }

        @Override
        public Policy current() {
            return first;
        }

        @Override
        public void start(PolicySink told) {
            sink.set(told);
        }

        @Override
        public void close() {
            sink.set(null);
        }

        /** As if the file had been changed to something that is no policy. */
        void spoilt(PolicyProblem... problems) {
            sink.get().rejected(new PolicyException(List.of(problems)));
        }
    }

    @Override
    public void close() {
        events.close();
        router.close();
        listener.close();
    }
}
