package dev.substraterouter.examples.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.gateway.Eventually;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.model.RouteRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The tools over real sockets: needs, gaps, links and tickets. */
class ToolsHttpTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static FakeWorker first;
    private static FakeWorker second;
    private static Rig rig;

    @BeforeAll
    static void start() throws IOException {
        first = new FakeWorker();
        second = new FakeWorker();
        rig = new Rig(first.uri(), second.uri());
    }

    @AfterAll
    static void stop() throws IOException {
        rig.close();
        first.close();
        second.close();
    }

    @Test
    void aNeedIsRankedWithReasons() throws Exception {
        JsonNode ranking =
                ok(post("/v1/needs", Rig.AGENT, "{\"required_capabilities\":[\"CUDA\"],\"vram_required_gb\":12}"));
        assertThat(ranking.at("/candidates/0/substrate").stringValue())
                .isEqualTo(ranking.at("/best").stringValue());
        assertThat(ranking.at("/candidates")).hasSize(2);
        assertThat(ranking.at("/candidates/0/endpoint").stringValue()).startsWith("http://127.0.0.1:");
        assertThat(ranking.at("/need/capabilities/0").stringValue()).isEqualTo("cuda");
        assertThat(ranking.at("/explanation").stringValue()).contains("1. ");
    }

    @Test
    void aHotNodeIsRankedWithWhyNot() throws Exception {
        JsonNode ranking = ok(post("/v1/needs", Rig.AGENT, "{\"required_capabilities\":[\"kiln\"]}"));
        assertThat(ranking.has("best")).isFalse();
        assertThat(ranking.at("/candidates/0/admissible").booleanValue()).isFalse();
        assertThat(ranking.at("/candidates/0/reasons/0").stringValue()).isEqualTo("gpu util 97 >= 70");
    }

    @Test
    void aVirtualNodeIsReachedByItsMcpAddress() throws Exception {
        JsonNode ranking = ok(post("/v1/needs", Rig.AGENT, "{\"required_capabilities\":[\"prophecy\"]}"));
        JsonNode oracle = ranking.at("/candidates/0");
        assertThat(oracle.at("/virtual").booleanValue()).isTrue();
        assertThat(oracle.at("/mcp_url").stringValue()).isEqualTo("http://127.0.0.1:8090/mcp");
        assertThat(oracle.has("endpoint")).isFalse();
    }

    @Test
    void refusalsAreProblems() throws Exception {
        HttpResponse<String> none = post("/v1/needs", Rig.AGENT, "{\"required_capabilities\":[\"unicorn\"]}");
        problem(none, 422, "No substrate could ever serve this");
        problem(post("/v1/needs", Rig.GUEST, "{}"), 403, "Not allowed");
        problem(post("/v1/gap", Rig.GUEST, "{\"query\":\"x\",\"gap_description\":\"y\"}"), 403, "Not allowed");
    }

    @Test
    void badRequestsNameTheKey() throws Exception {
        HttpResponse<String> wrong = post("/v1/needs", Rig.AGENT, "{\"vram_required_gb\":\"lots\"}");
        assertThat(problem(wrong, 400, "Bad request")).startsWith("vram_required_gb: \"lots\" (expected: a number");
        assertThat(problem(post("/v1/needs", Rig.AGENT, "{\"vram\":1}"), 400, "Bad request"))
                .startsWith("vram: 1 (expected: only required_capabilities, ");
        assertThat(problem(post("/v1/needs", Rig.AGENT, "{"), 400, "Bad request"))
                .startsWith("body: not JSON at line 1");
        assertThat(problem(post("/v1/needs", Rig.AGENT, "{} {}"), 400, "Bad request"))
                .startsWith("body: not JSON");
        assertThat(problem(
                        post("/v1/needs", Rig.AGENT, "{\"vram_required_gb\":1,\"vram_required_gb\":2}"),
                        400,
                        "Bad request"))
                .startsWith("body: not JSON");
        assertThat(problem(post("/v1/needs", Rig.AGENT, ""), 400, "Bad request"))
                .startsWith("arguments: ");
        problem(post("/v1/needs", Rig.AGENT, " ".repeat(ToolServlet.MOST + 1)), 413, "Too large");
    }

    @Test
    void aCallerThatHangsUpEndsTheCallThatItCaused() throws Exception {
        try (FakeWorker silent = new FakeWorker();
                Rig own = new Rig(silent.uri(), silent.uri())) {
            String body = "{\"query\":\"do:wait\",\"gap_description\":\"needs cuda\"}";
            try (Socket caller = new Socket("127.0.0.1", URI.create(own.base()).getPort())) {
                String request = "POST /v1/gap HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                        + Rig.token(Rig.AGENT) + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
                caller.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                Eventually.until("the worker is asked", () -> !silent.bodies().isEmpty());
            }
            Eventually.until(
                    "the call has ended", () -> !own.router.recentTraces().isEmpty());
            assertThat(own.router.recentTraces().get(0).attempts())
                    .singleElement()
                    .satisfies(attempt ->
                            assertThat(attempt.outcome()).isEqualTo(dev.substraterouter.trace.Outcome.NEUTRAL));
        }
    }

    @Test
    void nobodyUnknownIsServed() throws Exception {
        for (String path : new String[] {"/v1/needs", "/v1/gap", "/v1/links/x", "/v1/tickets/x"}) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(rig.base() + path))
                    .header("Authorization", "Bearer guessed")
                    .POST(BodyPublishers.ofString("{}"))
                    .build();
            HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            problem(answer, 401, "Who asks?");
        }
        HttpResponse<String> get = get("/v1/needs", Rig.AGENT);
        assertThat(get.headers().firstValue("Allow")).contains("POST");
        problem(get, 405, "Method not allowed");
    }

    @Test
    void aGapIsUnderstoodPlacedAndAnswered() throws Exception {
        JsonNode answer = ok(
                post(
                        "/v1/gap",
                        Rig.AGENT,
                        "{\"query\":\"Trace the kernel\",\"gap_description\":\"needs a Volta GPU with CUDA and at least 12 GB of VRAM\"}"));
        assertThat(answer.at("/need/vram_gb").doubleValue()).isEqualTo(12);
        assertThat(answer.at("/need/capabilities").toString()).isEqualTo("[\"cuda\",\"volta\"]");
        assertThat(answer.at("/clauses").toString()).contains("\"kind\":\"vram\"", "12 GB");
        assertThat(answer.at("/chosen/substrate").stringValue()).isEqualTo("mirror");
        assertThat(answer.at("/chosen/endpoint").stringValue())
                .isEqualTo(first.uri().toString());
        assertThat(answer.at("/dispatch/dispatched").booleanValue()).isTrue();
        assertThat(answer.at("/dispatch/status").intValue()).isEqualTo(200);
        assertThat(answer.at("/dispatch/body/query").stringValue()).isEqualTo("Trace the kernel");
        assertThat(answer.at("/dispatch/request_id").isString()).isTrue();
    }

    @Test
    void explicitValuesWinOverWords() throws Exception {
        JsonNode answer = ok(post(
                "/v1/gap",
                Rig.AGENT,
                "{\"query\":\"x\",\"gap_description\":\"needs Volta\",\"required_capabilities\":[\"blackwell\"]}"));
        assertThat(answer.at("/chosen/substrate").stringValue()).isEqualTo("legion");
        assertThat(answer.at("/overridden/0/value").stringValue()).isEqualTo("volta");
    }

    @Test
    void aGapThatNobodyFillsSaysWhatWasUnderstood() throws Exception {
        JsonNode none = ok(gap("unicorn"));
        assertThat(none.at("/dispatch/dispatched").booleanValue()).isFalse();
        assertThat(none.at("/dispatch/refused/reason").stringValue()).isEqualTo("no-eligible-substrate");
        assertThat(none.at("/need/capabilities/0").stringValue()).isEqualTo("unicorn");
        assertThat(none.has("chosen")).isFalse();
        JsonNode virtual = ok(gap("prophecy"));
        assertThat(virtual.at("/dispatch/refused/reason").stringValue()).isEqualTo("no-endpoint");
        assertThat(virtual.at("/dispatch/refused/detail").stringValue()).contains("http://127.0.0.1:8090/mcp");
        assertThat(virtual.at("/chosen/mcp_url").stringValue()).isEqualTo("http://127.0.0.1:8090/mcp");
        JsonNode dead = ok(gap("cemetery"));
        assertThat(dead.at("/dispatch/refused/reason").stringValue()).isEqualTo("worker-failed");
    }

    @Test
    void aLargeAnswerComesByALink() throws Exception {
        long bytes = 8L << 20;
        JsonNode answer =
                ok(post("/v1/gap", Rig.AGENT, "{\"query\":\"do:large=" + bytes + "\",\"gap_description\":\"cuda\"}"));
        JsonNode link = answer.at("/dispatch/link");
        assertThat(link.at("/size").longValue()).isEqualTo(bytes);
        assertThat(link.at("/content_type").stringValue()).isEqualTo("image/tiff");
        assertThat(answer.at("/dispatch").has("body")).isFalse();
        String path = link.at("/url").stringValue().substring(rig.base().length());
        problem(get(path, Rig.OTHER), 404, "Not found");
        problem(head(path), 405, "");
        HttpResponse<InputStream> fetched = HTTP.send(request(path, Rig.AGENT).build(), BodyHandlers.ofInputStream());
        assertThat(fetched.headers().firstValue("Content-Type")).contains("image/tiff");
        assertThat(fetched.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        try (InputStream body = fetched.body()) {
            assertThat(count(body)).isEqualTo(bytes);
        }
        problem(get(path, Rig.AGENT), 404, "Not found");
        assertThat(rig.links.waiting()).isZero();
    }

    @Test
    void aTicketIsFollowedToItsResult() throws Exception {
        String id = delegate("a message");
        JsonNode state = until(id, "succeeded");
        assertThat(state.at("/result").stringValue()).isEqualTo("/v1/tickets/" + id + "/result");
        assertThat(state.at("/substrate").isString()).isTrue();
        for (int n = 0; n < 2; n++) {
            HttpResponse<String> result = get("/v1/tickets/" + id + "/result", Rig.AGENT);
            assertThat(result.body()).isEqualTo("a message");
            assertThat(result.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/plain");
        }
        problem(get("/v1/tickets/" + id, Rig.OTHER), 404, "Not found");
        problem(get("/v1/tickets/" + id + "/result", Rig.OTHER), 404, "Not found");
        problem(get("/v1/tickets/nothing", Rig.AGENT), 404, "Not found");
        problem(get("/v1/tickets/", Rig.AGENT), 404, "Not found");
    }

    @Test
    void aTicketWithoutResultSaysWhy() throws Exception {
        String bad = delegate("do:bad");
        JsonNode state = until(bad, "dead");
        assertThat(state.at("/reasons").toString()).contains("answered 400");
        HttpResponse<String> result = get("/v1/tickets/" + bad + "/result", Rig.AGENT);
        assertThat(problem(result, 410, "There is no result")).startsWith("state: dead: ");
    }

    @Test
    void aTicketIsCancelledByItsOwnerOnly() throws Exception {
        String id = rig.tools
                .delegate(
                        Rig.AGENT,
                        RouteRequest.workload("glaze"),
                        "text/plain",
                        "hot".getBytes(StandardCharsets.UTF_8),
                        "/work")
                .id();
        problem(delete("/v1/tickets/" + id, Rig.OTHER), 404, "Not found");
        problem(get("/v1/tickets/" + id + "/result", Rig.AGENT), 409, "There is no result yet");
        JsonNode cancelled = ok(delete("/v1/tickets/" + id, Rig.AGENT));
        assertThat(cancelled.at("/state").stringValue()).isEqualTo("cancelled");
        problem(delete("/v1/tickets/" + id + "/result", Rig.AGENT), 405, "Method not allowed");
    }

    private static String delegate(String text) {
        return rig.tools
                .delegate(
                        Rig.AGENT,
                        RouteRequest.workload("flux-dev"),
                        "text/plain; charset=utf-8",
                        text.getBytes(StandardCharsets.UTF_8),
                        "")
                .id();
    }

    private static JsonNode until(String id, String state) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        JsonNode last;
        do {
            last = ok(get("/v1/tickets/" + id, Rig.AGENT));
            if (state.equals(last.at("/state").stringValue())) {
                return last;
            }
        } while (System.nanoTime() - end < 0);
        throw new AssertionError("not " + state + " within " + PATIENCE + ": " + last);
    }

    private static HttpResponse<String> gap(String capability) throws Exception {
        return post(
                "/v1/gap",
                Rig.AGENT,
                "{\"query\":\"x\",\"gap_description\":\"y\",\"required_capabilities\":[\"" + capability + "\"]}");
    }

    private static JsonNode ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        return Json.MAPPER.readTree(answer.body());
    }

    private static String problem(HttpResponse<String> answer, int status, String title) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        if (title.isEmpty()) {
            return "";
        }
        JsonNode problem = Json.MAPPER.readTree(answer.body());
        assertThat(problem.at("/title").stringValue()).isEqualTo(title);
        return problem.at("/detail").stringValue();
    }

    private static HttpResponse<String> post(String path, Caller caller, String body) throws Exception {
        return HTTP.send(
                request(path, caller).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path, Caller caller) throws Exception {
        return HTTP.send(request(path, caller).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> delete(String path, Caller caller) throws Exception {
        return HTTP.send(request(path, caller).DELETE().build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> head(String path) throws Exception {
        return HTTP.send(
                request(path, Rig.AGENT).method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path, Caller caller) {
        return HttpRequest.newBuilder(URI.create(rig.base() + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + Rig.token(caller));
    }

    private static long count(InputStream body) throws IOException {
        byte[] chunk = new byte[64 * 1024];
        long all = 0;
        for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
            all += read;
        }
        return all;
    }
}
