package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers asked over real loopback sockets, by an address without a path. */
class ServersOverHttpTest {
    private final Net net = new Net();
    private final RecordingSink sink = new RecordingSink();
    private final HttpStatusProbe probe = HttpStatusProbe.create();

    @AfterEach
    void close() throws Exception {
        probe.close();
        net.close();
    }

    /** Plays the fixtures of the given paths; 404 for any other. */
    private URI serving(Map<String, String> fixtures, Set<String> questions) {
        URI url = net.http(exchange -> {
            questions.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Accept"));
            String fixture = fixtures.get(exchange.getRequestURI().getPath());
            Net.reply(exchange, fixture == null ? 404 : 200, fixture == null ? "" : body(exchange, fixture));
        });
        return url.resolve("/");
    }

    private static String body(HttpExchange exchange, String fixture) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", fixture.endsWith(".txt") ? "text/plain" : "application/json");
        return fixture.isEmpty() ? "" : new String(FixturesTest.resource(fixture), StandardCharsets.UTF_8);
    }

    private void ask(URI url, String format) {
        probe.start(sink);
        probe.targets(List.of(Net.target("a", new StatusAddress(url, format, Optional.empty(), Optional.empty()))));
    }

    private Map<String, SubstrateStatus> statuses(int sources) {
        Await.until(
                "an answer of " + sources + " sources, not " + sink.reasons("a"),
                () -> bySource().size() == sources);
        return bySource();
    }

    private Map<String, SubstrateStatus> bySource() {
        return sink.of("a").stream()
                .filter(asked -> asked.status != null)
                .collect(Collectors.toMap(
                        asked -> asked.source.substring(asked.source.indexOf('/', 8)),
                        asked -> asked.status,
                        (x, y) -> y));
    }

    @Test
    void vllmIsAskedForItsMetricsAndItsHealth() {
        Set<String> questions = ConcurrentHashMap.newKeySet();
        ask(serving(Map.of("/metrics", "vllm-metrics-v1.txt", "/health", ""), questions), "vllm");

        Map<String, SubstrateStatus> statuses = statuses(2);

        assertThat(statuses.get("/metrics").jobs()).hasValue(59);
        assertThat(statuses.get("/metrics").attributes()).containsEntry("progressing", "true");
        assertThat(statuses.get("/health").reachable()).isTrue();
        assertThat(statuses.get("/health").jobs()).isEmpty();
        assertThat(new TreeSet<>(questions))
                .containsExactly(
                        "/health text/plain;version=0.0.4, application/json;q=0.9",
                        "/metrics text/plain;version=0.0.4, application/json;q=0.9");
    }

    @Test
    void aPathWithAQueryIsAskedAsItIs() {
        Set<String> questions = ConcurrentHashMap.newKeySet();
        ask(
                serving(
                        Map.of("/sdapi/v1/memory", "a1111-memory.json", "/sdapi/v1/progress", "a1111-progress.json"),
                        questions),
                "a1111");

        Map<String, SubstrateStatus> statuses = statuses(2);

        assertThat(statuses.get("/sdapi/v1/memory").vramUsedGb()).hasValue(8);
        assertThat(statuses.get("/sdapi/v1/progress").runningJobs()).hasValue(1);
        assertThat(questions).anyMatch(asked -> asked.startsWith("/sdapi/v1/progress?skip_current_image=true "));
    }

    @Test
    void olderServersThatSendMetricsElsewhereAreFollowed() {
        URI url = net.http(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/metrics/")) {
                Net.reply(exchange, 200, "vllm:num_requests_running 3.0\n");
            } else {
                exchange.getResponseHeaders().add("Location", "/metrics/");
                Net.reply(exchange, 307, "");
            }
        });
        ask(url.resolve("/metrics"), "vllm");

        assertThat(sink.awaitStatus("a").runningJobs()).hasValue(3);
    }

    @Test
    void aSurfaceThatIsSwitchedOffCostsItsOwnFieldsOnly() {
        ask(serving(Map.of("/slots", "llamacpp-slots.json"), ConcurrentHashMap.newKeySet()), "llamacpp");

        assertThat(statuses(1).get("/slots").runningJobs()).hasValue(2);
        assertThat(sink.awaitReason("a")).startsWith("status 404: not served at this path");
    }
}
