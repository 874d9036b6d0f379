package dev.substraterouter.examples.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.testkit.HandDrivenTime;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The operator's listener over real sockets: who may ask for what, and what is answered. */
class ControlApiTest {
    private final Desk desk = new Desk(new HandDrivenTime());

    @BeforeEach
    void allWell() {
        desk.allWell();
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/metrics",
                "/admin/pool",
                "/admin/routes",
                "/admin/queue",
                "/admin/traces",
                "/admin/history",
                "/admin/policy",
                "/admin/events"
            })
    void whoLooksMustBeKnownAndMayView(String path) {
        HttpResponse<String> unknown = desk.get("", path);
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(unknown.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(desk.get("guessed", path).statusCode()).isEqualTo(401);
        HttpResponse<String> agent = desk.get(Desk.AGENT, path);
        assertThat(agent.statusCode()).isEqualTo(403);
        assertThat(agent.body()).contains("'agent-7' may not view");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cordon", "uncordon", "drain", "reset", "kick"})
    void whoMayOnlyViewChangesNothing(String verb) {
        assertThat(desk.post(Desk.VIEWER, "/admin/substrates/legion/" + verb, "")
                        .statusCode())
                .isEqualTo(403);
        assertThat(desk.post("", "/admin/substrates/legion/" + verb, "").statusCode())
                .isEqualTo(401);
        assertThat(substrate("legion").get("cordoned").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cordon", "uncordon", "drain", "reset", "kick"})
    void aSubstrateThatIsNotThereIsNotFound(String verb) {
        HttpResponse<String> answer = desk.post(Desk.ANNA, "/admin/substrates/nobody/" + verb, "");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("nobody");
    }

    @Test
    void cordonDrainAndTheWayBack() {
        assertThat(desk.post(Desk.ANNA, "/admin/substrates/legion/cordon", "").statusCode())
                .isEqualTo(200);
        assertThat(substrate("legion").get("state").asString()).isEqualTo("cordoned");
        desk.post(Desk.ANNA, "/admin/substrates/legion/uncordon", "");
        assertThat(substrate("legion").get("state").asString()).isEqualTo("healthy");

        try (Placement held = desk.router
                .tryPlace(RouteRequest.workload("flux-fill").identity("agent-7"))
                .orElseThrow()) {
            HttpResponse<String> drained = desk.post(Desk.ANNA, "/admin/substrates/legion/drain", "");
            assertThat(drained.statusCode()).isEqualTo(202);
            assertThat(drained.body()).isEqualTo("{\"substrate\":\"legion\",\"cordoned\":true,\"leases\":1}");
            assertThat(held.substrateId()).isEqualTo("legion");
        }
        assertThat(substrate("legion").get("leases").asInt()).isZero();
        assertThat(desk.post(Desk.ANNA, "/admin/substrates/legion/reset", "").statusCode())
                .isEqualTo(200);
    }

    @Test
    void aKickWithoutAnybodyWhoRestartsIsAConflict() {
        HttpResponse<String> answer = desk.post(Desk.ANNA, "/admin/substrates/legion/kick", "");
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("SubstrateOperator");
        assertThat(substrate("legion").get("cordoned").asBoolean()).isFalse();
    }

    @Test
    void thePoolTellsFiguresReasonsAndWhatTheCallerMay() {
        desk.report("legion", 93, 32, 48);
        JsonNode pool = desk.json("/admin/pool");
        assertThat(pool.get("caller").asString()).isEqualTo("ops-anna");
        assertThat(pool.get("may")).hasSize(6);
        JsonNode legion = substrate("legion");
        assertThat(legion.get("state").asString()).isEqualTo("unhealthy");
        assertThat(legion.at("/reasons/0/text").asString()).isEqualTo("gpu util 93 >= 70");
        assertThat(legion.at("/reasons/0/reason").asString()).isEqualTo("gpu-util");
        assertThat(legion.at("/status/vram_total_gb").asDouble()).isEqualTo(32);
        assertThat(legion.get("max_gpu_util_pct").asDouble()).isEqualTo(70);
        assertThat(legion.get("status_age_seconds").asDouble()).isZero();
        assertThat(substrate("archive").get("status").isNull()).isTrue();
        JsonNode viewer =
                Desk.JSON.readTree(desk.get(Desk.VIEWER, "/admin/pool").body());
        assertThat(viewer.get("may").toString()).isEqualTo("[\"view\"]");
    }

    @Test
    void routesTellWhoServesAndWhyNobodyBefore() {
        desk.report("mirrorforge", 93, 64, 55);
        JsonNode route = desk.json("/admin/routes").at("/routes/0");
        assertThat(route.get("workload").asString()).isEqualTo("flux-dev");
        assertThat(route.get("mechanism").asString()).isEqualTo("route");
        assertThat(route.get("serving_now").asString()).isEqualTo("legion");
        assertThat(route.at("/candidates/0/reasons/0/text").asString()).isEqualTo("gpu util 93 >= 70");
        assertThat(route.at("/candidates/0/model").asString()).isEqualTo("flux1-dev");
        // a viewer may not ask for the workload, but is told why all the same
        JsonNode seen =
                Desk.JSON.readTree(desk.get(Desk.VIEWER, "/admin/routes").body());
        assertThat(seen.at("/routes/0/candidates/0/reasons/0/text").asString()).isEqualTo("gpu util 93 >= 70");
        assertThat(desk.json("/admin/routes").at("/routes/3/mechanism").asString())
                .isEqualTo("pin");
        assertThat(desk.json("/admin/routes").at("/routes/4/mechanism").asString())
                .isEqualTo("need");
    }

    @Test
    void whoWaitsIsToldByPlaces() {
        desk.router.cordon("mirrorforge");
        for (Priority priority : List.of(Priority.NORMAL, Priority.LOW)) {
            desk.router.placeAsync(
                    RouteRequest.workload("upscale").identity("agent-7").priority(priority));
        }
        JsonNode answer = desk.json("/admin/queue");
        JsonNode queues = answer.get("queues");
        assertThat(queues).hasSize(2);
        assertThat(queues.at("/0/workload").isNull()).isTrue();
        assertThat(queues.at("/0/waiting").asInt()).isEqualTo(2);
        assertThat(queues.at("/0/workloads")).hasSize(4);
        assertThat(queues.at("/1/workload").asString()).isEqualTo("sdxl");
        assertThat(queues.at("/1/workloads/0").asString()).isEqualTo("sdxl");
        assertThat(queues.at("/1/waiting").asInt()).isZero();
        assertThat(queues.at("/1/capacity").asInt()).isEqualTo(2);
        assertThat(answer.get("waiting").toString()).isEqualTo("{\"high\":0,\"normal\":1,\"low\":1}");
    }

    @Test
    void tracesAreTheNewestAndNoMoreThanAskedFor() {
        for (String id : List.of("a", "b", "c")) {
            desk.router
                    .tryPlace(RouteRequest.workload("flux-dev")
                            .identity("agent-7")
                            .requestId(id))
                    .orElseThrow()
                    .succeed();
        }
        JsonNode traces = desk.json("/admin/traces?limit=2").get("traces");
        assertThat(traces).hasSize(2);
        assertThat(traces.at("/0/request_id").asString()).isEqualTo("c");
        assertThat(traces.at("/0/attempts/0/outcome").asString()).isEqualTo("succeeded");
        assertThat(traces.at("/0/attempts/0/path").asString()).isEqualTo("primary");
        assertThat(desk.get(Desk.ANNA, "/admin/traces?limit=501").statusCode()).isEqualTo(400);
        assertThat(desk.get(Desk.ANNA, "/admin/traces?limit=-1").statusCode()).isEqualTo(400);
    }

    @Test
    void recommendsForTheCallerAndPlacesNothing() {
        JsonNode found = Desk.JSON.readTree(desk.post(Desk.ANNA, "/admin/recommend", "{\"workload\":\"flux-fill\"}")
                .body());
        assertThat(found.get("best").asString()).isEqualTo("legion");
        assertThat(found.get("candidates")).hasSize(3);
        assertThat(found.get("explain").asString()).contains("1. legion: now");
        JsonNode need = Desk.JSON.readTree(
                desk.post(Desk.ANNA, "/admin/recommend", "{\"need\":{\"capabilities\":[\"volta\"],\"vram_gb\":10}}")
                        .body());
        assertThat(need.get("best").asString()).isEqualTo("mirrorforge");
        assertThat(substrate("legion").get("leases").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|400|neither",
                "{\"workload\":\"a\",\"need\":{}}|400|both",
                "{\"workload\":|400|Unexpected end",
                "{\"need\":{\"vram_gb\":-1}}|400|vramGb: -1.0",
                "{\"need\":{\"privacy\":\"secret\"}}|400|privacy: secret",
                "{\"need\":{\"max_latency_seconds\":0}}|400|max_latency_seconds: 0.0",
                "{\"wrokload\":\"a\"}|400|wrokload",
                "{\"workload\":\"unknown\"}|404|unknown",
                "{\"need\":{\"vram_gb\":500}}|422|500"
            })
    void aRecommendationThatCannotBeGivenSaysWhy(String body, int status, String why) {
        HttpResponse<String> answer = desk.post(Desk.ANNA, "/admin/recommend", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(why);
    }

    @Test
    void aGoodPolicyIsPutInForceAndABadOneTellsLineAndColumn() {
        JsonNode before = desk.json("/admin/policy");
        assertThat(before.get("file").asString()).isEqualTo("policy.yaml");
        String yaml = before.get("yaml").asString();
        assertThat(YamlPolicy.parse(yaml)).isEqualTo(Desk.policy());

        HttpResponse<String> bad = desk.post(
                Desk.ANNA,
                "/admin/policy",
                "version: 1\nsubstrates:\n  legion: { vram_gb: 32, max_concurrent_jobs: -1 }\n  legion: {}\n");
        assertThat(bad.statusCode()).isEqualTo(422);
        assertThat(bad.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode problem = Desk.JSON.readTree(bad.body()).at("/problems/0");
        assertThat(problem.get("line").asInt()).isPositive();
        assertThat(problem.get("column").asInt()).isPositive();
        assertThat(desk.router.policy().revision())
                .isEqualTo(before.get("revision").asLong());

        HttpResponse<String> good =
                desk.post(Desk.ANNA, "/admin/policy", yaml.replace("max_concurrent_jobs: 2", "max_concurrent_jobs: 3"));
        assertThat(good.statusCode()).as(good.body()).isEqualTo(200);
        assertThat(desk.json("/admin/policy").get("revision").asLong())
                .isGreaterThan(before.get("revision").asLong());
        assertThat(substrate("mirrorforge").get("max_concurrent_jobs").asInt()).isEqualTo(3);
        assertThat(desk.post(Desk.VIEWER, "/admin/policy", yaml).statusCode()).isEqualTo(403);
        assertThat(desk.post(Desk.ANNA, "/admin/policy", "#".repeat(1024 * 1024 + 1))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void livesAndIsReadyWhenEveryRouteHasSomebody() {
        assertThat(desk.get("", "/healthz").statusCode()).isEqualTo(200);
        assertThat(desk.get("", "/readyz").statusCode()).isEqualTo(200);
        desk.draining.set(true);
        HttpResponse<String> draining = desk.get("", "/readyz");
        assertThat(draining.statusCode()).isEqualTo(503);
        assertThat(draining.body()).contains("going down");
        assertThat(desk.get("", "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void beforeAnyStatusItIsNotReadyAndSaysForWhat() {
        try (Desk fresh = new Desk(new HandDrivenTime())) {
            HttpResponse<String> answer = fresh.get("", "/readyz");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("flux-dev, sdxl, upscale").doesNotContain("embed");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example,421",
        "127.0.0.1.evil.example,421",
        "ops.example,401",
        "OPS.example:8091,401",
        "localhost:1,401",
        "10.1.2.3,401",
        "[::1]:8091,401"
    })
    void onlyOwnNamesAreAnswered(String host, int status) throws IOException {
        assertThat(rawStatus(host)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"Sec-Fetch-Site,cross-site", "Sec-Fetch-Site,same-site", "Origin,http://evil.example", "Origin,null"})
    void thePagesOfOtherSitesAreRefused(String header, String value) {
        HttpRequest request = desk.request(Desk.ANNA, "/admin/substrates/legion/cordon")
                .header(header, value)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(desk.send(request).statusCode()).isEqualTo(403);
        assertThat(substrate("legion").get("cordoned").asBoolean()).isFalse();
    }

    @Test
    void theOwnPageMayAsk() {
        HttpRequest request = desk.request(Desk.ANNA, "/admin/substrates/legion/cordon")
                .header("Sec-Fetch-Site", "same-origin")
                .header("Origin", "http://127.0.0.1:" + desk.listener.address().getPort())
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(desk.send(request).statusCode()).isEqualTo(200);
    }

    @Test
    void otherPathsAndMethodsAreToldApart() {
        assertThat(desk.get(Desk.ANNA, "/v1/workloads/flux-dev").statusCode()).isEqualTo(404);
        assertThat(desk.get(Desk.ANNA, "/admin/substrates/a/b/cordon").statusCode())
                .isEqualTo(404);
        HttpResponse<String> byGet = desk.get(Desk.ANNA, "/admin/substrates/legion/cordon");
        assertThat(byGet.statusCode()).isEqualTo(405);
        assertThat(byGet.headers().firstValue("Allow")).hasValue("POST");
    }

    @Test
    void thePageAsksNobodyElse() {
        HttpResponse<String> page = desk.get("", "/");
        assertThat(page.statusCode()).isEqualTo(200);
        String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe");
        assertThat(page.body())
                .contains("uPlot")
                .doesNotContain("<!--styles-->")
                .doesNotContain("src=\"http");
    }

    private JsonNode substrate(String id) {
        for (JsonNode one : desk.json("/admin/pool").get("substrates")) {
            if (one.get("id").asString().equals(id)) {
                return one;
            }
        }
        throw new AssertionError("no '" + id + "' in the pool");
    }

    private int rawStatus(String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", desk.listener.address().getPort())) {
            String request = "GET /admin/pool HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.split(" ")[1]);
        }
    }
}
