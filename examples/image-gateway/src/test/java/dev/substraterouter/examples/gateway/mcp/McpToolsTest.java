package dev.substraterouter.examples.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.tools.FakeWorker;
import dev.substraterouter.examples.gateway.tools.Rig;
import dev.substraterouter.examples.gateway.web.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The official client drives every tool over both transports, refusals and errors included. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class McpToolsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** How much memory the child process has. */
    private static final int CHILD_MIB = 48;

    enum Way {
        HTTP,
        STDIO
    }

    private static final Map<Way, McpSyncClient> CLIENTS = new EnumMap<>(Way.class);
    private static FakeWorker first;
    private static FakeWorker second;
    private static Rig rig;

    @BeforeAll
    static void start() throws IOException {
        first = new FakeWorker();
        second = new FakeWorker();
        rig = new Rig(first.uri(), second.uri());
        CLIENTS.put(Way.HTTP, client(http(Rig.token(Rig.AGENT))));
        CLIENTS.put(Way.STDIO, client(stdio()));
    }

    @AfterAll
    static void stop() throws IOException {
        CLIENTS.values().forEach(McpSyncClient::close);
        rig.close();
        first.close();
        second.close();
    }

    @ParameterizedTest
    @EnumSource
    void theToolsAreThereAndSayWhatTheyTake(Way way) {
        List<Tool> tools = client(way).listTools().tools();
        assertThat(tools)
                .extracting(Tool::name)
                .containsExactlyInAnyOrder(
                        "knowledge_gap", "instance_route_recommend", "mesh_send", "pool_instances", "run_workload");
        assertThat(tools).allSatisfy(tool -> {
            assertThat(tool.description()).hasSizeGreaterThan(80);
            assertThat(tool.inputSchema()).containsEntry("additionalProperties", false);
            assertThat(tool.annotations().destructiveHint()).isFalse();
        });
        assertThat(tools.stream().filter(tool -> tool.annotations().readOnlyHint()))
                .extracting(Tool::name)
                .containsExactlyInAnyOrder("instance_route_recommend", "pool_instances");
    }

    @ParameterizedTest
    @EnumSource
    void aGapIsFilled(Way way) {
        CallToolResult result = call(
                way,
                "knowledge_gap",
                "{'query':'Trace it','gap_description':'needs a Volta GPU with at least 12 GB of VRAM'}");
        assertThat(result.isError()).isFalse();
        JsonNode answer = structured(result);
        assertThat(answer.at("/chosen/substrate").stringValue()).isEqualTo("mirror");
        assertThat(answer.at("/dispatch/body/query").stringValue()).isEqualTo("Trace it");
        assertThat(text(result)).isEqualTo(answer.toString());
    }

    @ParameterizedTest
    @EnumSource
    void aGapThatNobodyFillsIsAnErrorThatSaysWhatWasUnderstood(Way way) {
        CallToolResult result =
                call(way, "knowledge_gap", "{'query':'x','gap_description':'y','required_capabilities':['unicorn']}");
        assertThat(result.isError()).isTrue();
        assertThat(structured(result).at("/dispatch/refused/reason").stringValue())
                .isEqualTo("no-eligible-substrate");
        assertThat(structured(result).at("/need/capabilities/0").stringValue()).isEqualTo("unicorn");
    }

    @ParameterizedTest
    @EnumSource
    void nodesAreRanked(Way way) {
        JsonNode ranking = structured(call(
                way,
                "instance_route_recommend",
                "{'required_capabilities':['cuda'],'vram_required_gb':12,'task_duration_estimate_sec':60}"));
        assertThat(ranking.at("/candidates")).hasSize(2);
        assertThat(ranking.at("/candidates/0/expected_latency_seconds").doubleValue())
                .isEqualTo(60);
        JsonNode oracle = structured(call(way, "instance_route_recommend", "{'required_capabilities':['prophecy']}"));
        assertThat(oracle.at("/candidates/0/mcp_url").stringValue()).isEqualTo("http://127.0.0.1:8090/mcp");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageIsAnswered(Way way) {
        CallToolResult text = call(
                way,
                "mesh_send",
                "{'message':'hello','routing':{'required_codebase':'mirage','preferred_node':'legion'},'action_type':'invoke'}");
        assertThat(text(text)).isEqualTo("hello");
        assertThat(text.meta()).containsEntry("substrate", "legion").containsKeys("reason", "request_id", "degraded");
        CallToolResult json = call(way, "mesh_send", "{'message':{'a':[1,2]},'action_type':'invoke'}");
        assertThat(text(json)).isEqualTo("{\"a\":[1,2]}");
        assertThat(json.meta()).containsEntry("content_type", "application/json");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageIsDelegated(Way way) {
        CallToolResult result = call(
                way,
                "mesh_send",
                "{'message':'later','routing':{'required_capabilities':['volta']},'action_type':'delegate'}");
        assertThat(result.isError()).isFalse();
        JsonNode ticket = structured(result);
        assertThat(ticket.at("/state").stringValue()).isIn("queued", "running", "succeeded");
        assertThat(ticket.at("/poll").stringValue())
                .isEqualTo("/v1/tickets/" + ticket.at("/id").stringValue());
    }

    @ParameterizedTest
    @EnumSource
    void aBroadcastTellsWhoFailed(Way way) {
        CallToolResult result = call(
                way,
                "mesh_send",
                "{'message':'all','routing':{'required_codebase':'crypt'},'action_type':'broadcast'}");
        assertThat(result.isError()).isFalse();
        JsonNode answers = structured(result).at("/answers");
        assertThat(answers).hasSize(2);
        assertThat(answers.at("/0/substrate").stringValue()).isEqualTo("grave");
        assertThat(answers.at("/0/refused/reason").stringValue()).isEqualTo("worker-failed");
        assertThat(answers.at("/1/substrate").stringValue()).isEqualTo("mirror");
        assertThat(answers.at("/1/body").stringValue()).isEqualTo("all");
    }

    @ParameterizedTest
    @EnumSource
    void thePoolIsShown(Way way) {
        JsonNode pool = structured(call(way, "pool_instances", "{}")).at("/instances");
        List<String> ids = new ArrayList<>();
        pool.forEach(one -> ids.add(one.at("/substrate").stringValue()));
        assertThat(ids).contains("mirror", "legion", "furnace", "oracle").doesNotContain("vault");
        JsonNode mirror = pool.get(ids.indexOf("mirror"));
        assertThat(mirror.at("/hardware").stringValue()).isEqualTo("2 x V100 32 GB");
        assertThat(mirror.at("/tasks/most").intValue()).isEqualTo(4);
        assertThat(mirror.at("/health/passes").booleanValue()).isTrue();
        JsonNode furnace = pool.get(ids.indexOf("furnace"));
        assertThat(furnace.at("/health/passes").booleanValue()).isFalse();
        assertThat(furnace.at("/health/reasons/0").stringValue()).isEqualTo("gpu util 97 >= 70");
        assertThat(pool.get(ids.indexOf("oracle")).at("/virtual").booleanValue())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aWorkloadsPictureIsAPicture(Way way) {
        CallToolResult result = call(
                way,
                "run_workload",
                "{'workload':'flux-dev','parameters':{'x':'do:picture'},'inputs':[{'name':'mask','data':'AAEC'}]}");
        assertThat(result.isError()).isFalse();
        ImageContent picture = (ImageContent) result.content().get(0);
        assertThat(picture.mimeType()).isEqualTo("image/png");
        assertThat(Base64.getDecoder().decode(picture.data())).isEqualTo(FakeWorker.PICTURE);
        assertThat(result.meta())
                .containsEntry("substrate", "mirror")
                .containsEntry("model", "flux1-dev")
                .containsEntry("degraded", List.of())
                .containsEntry("reason", "primary")
                .containsEntry("expected_seconds", 40.0)
                .containsKey("request_id");
    }

    @ParameterizedTest
    @EnumSource
    void aWorkloadsOtherAnswersAreWhatTheyAre(Way way) {
        CallToolResult blob = run(way, "flux-dev", "do:blob");
        BlobResourceContents contents =
                (BlobResourceContents) ((EmbeddedResource) blob.content().get(0)).resource();
        assertThat(contents.mimeType()).isEqualTo("application/zip");
        assertThat(Base64.getDecoder().decode(contents.blob())).isEqualTo(FakeWorker.PICTURE);
        JsonNode json = Json.MAPPER.readTree(text(run(way, "flux-dev", "hi")));
        assertThat(json.at("/parameters/x").stringValue()).isEqualTo("hi");
        CallToolResult bad = run(way, "flux-dev", "do:bad");
        assertThat(bad.isError()).isTrue();
        assertThat(text(bad)).isEqualTo("{\"wrong\":\"steps\"}");
        assertThat(bad.meta()).containsEntry("status", 400);
    }

    @ParameterizedTest
    @EnumSource
    void aWorkloadFallsBackAndSaysWhy(Way way) {
        CallToolResult result = run(way, "exhume", "hi");
        assertThat(result.isError()).isFalse();
        assertThat(result.meta()).containsEntry("substrate", "mirror");
        assertThat(result.meta().get("reason").toString()).startsWith("fallback: grave ");
        assertThat(result.meta().get("degraded").toString()).contains("not_primary");
    }

    @ParameterizedTest
    @EnumSource
    void aWorkloadForLaterIsATicket(Way way) {
        CallToolResult result = call(way, "run_workload", "{'workload':'flux-dev','mode':'batch'}");
        assertThat(structured(result).at("/poll").stringValue()).startsWith("/v1/tickets/");
    }

    @ParameterizedTest
    @EnumSource
    void aLargeAnswerIsALinkForOnce(Way way) throws Exception {
        long size = way == Way.STDIO ? (CHILD_MIB + 16L) << 20 : 300 << 10; // more than the child could hold at once
        CallToolResult result = run(way, "flux-dev", "do:large=" + size);
        ResourceLink link = (ResourceLink) result.content().get(0);
        assertThat(link.size()).isEqualTo(size);
        assertThat(link.mimeType()).isEqualTo("image/tiff");
        assertThat(status(link, Rig.OTHER)).isEqualTo(404);
        HttpResponse<InputStream> fetched = HTTP.send(request(link, Rig.AGENT), BodyHandlers.ofInputStream());
        try (InputStream body = fetched.body()) {
            body.skipNBytes(size);
            assertThat(body.read()).isEqualTo(-1);
        }
        assertThat(status(link, Rig.AGENT)).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void refusalsSayWhy(Way way) {
        refused(call(way, "run_workload", "{'workload':'nothing'}"), "unknown-workload", 404);
        refused(
                call(way, "instance_route_recommend", "{'required_capabilities':['unicorn']}"),
                "no-eligible-substrate",
                422);
        refused(call(way, "run_workload", "{'workload':'flux-dev','priority':'high'}"), "not-authorized", 403);
        JsonNode busy = refused(call(way, "run_workload", "{'workload':'glaze','max_wait_sec':0}"), "no-wait", 503);
        assertThat(busy.at("/retry_after_seconds").longValue()).isPositive();
        assertThat(busy.at("/candidates/0/reasons/0").stringValue()).isEqualTo("gpu util 97 >= 70");
    }

    @ParameterizedTest
    @EnumSource
    void workersFailuresSayWhy(Way way) {
        JsonNode full = refused(run(way, "spill", "do:full", ",'max_wait_sec':0"), "worker-busy", 503);
        assertThat(full.at("/retry_after_seconds").longValue()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void badArgumentsNameTheKey(Way way) {
        CallToolResult result = call(way, "run_workload", "{'workload':'flux-dev','mode':'soon'}");
        assertThat(result.isError()).isTrue();
        assertThat(text(result)).isEqualTo("Bad request: mode: \"soon\" (expected: interactive, batch, either)");
        assertThat(structured(result).at("/status").intValue()).isEqualTo(400);
        assertThat(text(call(way, "pool_instances", "{'all':true}")))
                .isEqualTo("Bad request: all: true (expected: no key)");
        assertThatThrownBy(() -> call(way, "unheard_of", "{}")).hasMessageContaining("Unknown tool");
    }

    /** What the schema tells a model is what is read. */
    @Test
    @SuppressWarnings("unchecked")
    void theSchemasHaveTheKeysThatAreRead() {
        Map<String, String> required = Map.of(
                "knowledge_gap", "'query':'x','gap_description':'y',",
                "instance_route_recommend", "",
                "mesh_send", "'message':'m','action_type':'invoke',",
                "run_workload", "'workload':'flux-dev',");
        for (Tool tool : client(Way.HTTP).listTools().tools()) {
            Map<String, Object> properties =
                    (Map<String, Object>) tool.inputSchema().get("properties");
            String known = properties.isEmpty()
                    ? "no key"
                    : "only "
                            + String.join(
                                    ", ", properties.keySet().stream().sorted().toList());
            assertThat(text(call(Way.HTTP, tool.name(), "{" + required.getOrDefault(tool.name(), "") + "'zzz':1}")))
                    .isEqualTo("Bad request: zzz: 1 (expected: " + known + ")");
        }
    }

    /** Both ways and plain HTTP, on quiet pools that are alike: before anything was sent to them. */
    @Test
    @Order(1)
    void everyWayGivesTheSameDecision() throws Exception {
        for (String capabilities :
                List.of("[]", "['cuda']", "['CUDA','volta']", "['blackwell']", "['kiln']", "['cemetery']")) {
            for (String more :
                    List.of("", ",'vram_required_gb':12", ",'vram_required_gb':31,'task_duration_estimate_sec':5")) {
                String need = "{'required_capabilities':" + capabilities + more + "}";
                JsonNode http = Json.MAPPER.readTree(post("/v1/needs", need)).at("/candidates");
                assertThat(http).as(need).isNotEmpty();
                for (Way way : Way.values()) {
                    JsonNode mcp = structured(call(way, "instance_route_recommend", need))
                            .at("/candidates");
                    assertThat(mcp.toString()).as(way + " " + need).isEqualTo(http.toString());
                }
            }
        }
    }

    @Test
    void everyWayUnderstandsAGapAlike() throws Exception {
        for (String words : List.of(
                "needs a Volta GPU with 12 GB of VRAM",
                "Blackwell and at least 24 GiB, the data must stay on our own machines",
                "anything with CUDA, in less than a minute, no NVLink")) {
            String gap = "{'query':'x','gap_description':'" + words + "'}";
            JsonNode http = understood(Json.MAPPER.readTree(post("/v1/gap", gap)));
            assertThat(http.at("/clauses")).as(words).isNotEmpty();
            for (Way way : Way.values()) {
                assertThat(understood(structured(call(way, "knowledge_gap", gap))))
                        .as(way + " " + words)
                        .isEqualTo(http);
            }
        }
    }

    /** All but the answer itself, which has a number of its own, and what the pools have learnt of how long work takes. */
    private static JsonNode understood(JsonNode gap) {
        ObjectNode rest = ((ObjectNode) gap).deepCopy();
        rest.remove(List.of("dispatch", "candidates"));
        return rest;
    }

    @Test
    void aGuestSeesWhatItMayAskFor() {
        try (McpSyncClient guest = client(http(Rig.token(Rig.GUEST)));
                McpSyncClient operator = client(http(Rig.token(Rig.OPS)))) {
            JsonNode pool =
                    structured(guest.callTool(request("pool_instances", "{}"))).at("/instances");
            assertThat(pool).hasSize(1);
            assertThat(pool.at("/0/substrate").stringValue()).isEqualTo("furnace");
            refused(guest.callTool(request("instance_route_recommend", "{}")), "not-authorized", 403);
            assertThat(structured(operator.callTool(request("pool_instances", "{}")))
                            .at("/instances"))
                    .hasSize(rig.router.policy().substrates().size());
        }
    }

    @Test
    void nobodyUnknownGetsToMcp() throws Exception {
        assertThatThrownBy(() -> client(http("guessed"))).hasStackTraceContaining("Authorization error");
        HttpRequest.Builder bare =
                HttpRequest.newBuilder(URI.create(rig.base() + "/mcp")).POST(HttpRequest.BodyPublishers.ofString("{}"));
        HttpResponse<String> answer = HTTP.send(bare.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void aSessionBelongsToWhoOpenedIt() throws Exception {
        HttpResponse<String> opened = mcp(
                Rig.AGENT,
                null,
                "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
                        + "'protocolVersion':'2025-06-18','capabilities':{},'clientInfo':{'name':'t','version':'1'}}}");
        String session = opened.headers().firstValue("Mcp-Session-Id").orElseThrow();
        String list = "{'jsonrpc':'2.0','id':2,'method':'tools/list','params':{}}";
        assertThat(mcp(Rig.OTHER, session, list).statusCode()).isEqualTo(404);
        assertThat(mcp(Rig.AGENT, session, list).statusCode()).isEqualTo(200);
        assertThat(mcp(Rig.AGENT, "made-up", list).statusCode()).isEqualTo(404);
        HttpRequest.Builder delete = HttpRequest.newBuilder(URI.create(rig.base() + "/mcp"))
                .header("Mcp-Session-Id", session)
                .DELETE();
        assertThat(HTTP.send(
                                delete.copy()
                                        .header("Authorization", bearer(Rig.OTHER))
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(404);
        assertThat(HTTP.send(
                                delete.copy()
                                        .header("Authorization", bearer(Rig.AGENT))
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
        assertThat(mcp(Rig.AGENT, session, list).statusCode()).isEqualTo(404);
    }

    @Test
    void aPageOfAnotherOriginIsTurnedDownAndSoAreOtherMethods() throws Exception {
        HttpRequest trace = HttpRequest.newBuilder(URI.create(rig.base() + "/mcp"))
                .header("Authorization", bearer(Rig.AGENT))
                .method("TRACE", HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(HTTP.send(trace, BodyHandlers.discarding()).statusCode()).isEqualTo(405);
        HttpRequest request = HttpRequest.newBuilder(URI.create(rig.base() + "/mcp"))
                .header("Authorization", bearer(Rig.AGENT))
                .header("Accept", "application/json, text/event-stream")
                .header("Origin", "http://evil.example.com")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(HTTP.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(403);
    }

    private static JsonNode refused(CallToolResult result, String reason, int status) {
        assertThat(result.isError()).isTrue();
        JsonNode problem = structured(result);
        assertThat(problem.at("/reason").stringValue()).as(problem.toString()).isEqualTo(reason);
        assertThat(problem.at("/status").intValue()).isEqualTo(status);
        assertThat(text(result)).contains(problem.at("/detail").stringValue());
        return problem;
    }

    private static CallToolResult run(Way way, String workload, String parameter) {
        return run(way, workload, parameter, "");
    }

    private static CallToolResult run(Way way, String workload, String parameter, String more) {
        return call(
                way,
                "run_workload",
                "{'workload':'" + workload + "','parameters':{'x':'" + parameter + "'}" + more + "}");
    }

    private static CallToolResult call(Way way, String tool, String arguments) {
        return client(way).callTool(request(tool, arguments));
    }

    private static CallToolRequest request(String tool, String arguments) {
        Map<String, Object> read = Json.MAPPER.readValue(arguments.replace('\'', '"'), new TypeReference<>() {});
        return CallToolRequest.builder(tool).arguments(read).build();
    }

    private static JsonNode structured(CallToolResult result) {
        return Json.MAPPER.valueToTree(Objects.requireNonNull(result.structuredContent(), () -> result.toString()));
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().get(0)).text();
    }

    private static McpSyncClient client(Way way) {
        return Objects.requireNonNull(CLIENTS.get(way));
    }

    private static McpSyncClient client(McpClientTransport transport) {
        McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(PATIENCE)
                .initializationTimeout(PATIENCE)
                .build();
        client.initialize();
        return client;
    }

    private static McpClientTransport http(String token) {
        return HttpClientStreamableHttpTransport.builder(rig.base())
                .endpoint(McpEndpoint.PATH)
                .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                .build();
    }

    private static McpClientTransport stdio() {
        return new StdioClientTransport(
                ServerParameters.builder(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString())
                        .args(
                                "-Xmx" + CHILD_MIB + "m",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                StdioGateway.classPath(),
                                StdioGateway.class.getName(),
                                first.uri().toString(),
                                second.uri().toString())
                        .build(),
                McpJsonDefaults.getMapper());
    }

    private static HttpResponse<String> mcp(Caller caller, @Nullable String session, String message) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(rig.base() + "/mcp"))
                .header("Authorization", bearer(caller))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(message.replace('\'', '"')));
        if (session != null) {
            request.header("Mcp-Session-Id", session);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static String post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(rig.base() + path))
                .header("Authorization", bearer(Rig.AGENT))
                .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        return HTTP.send(request, BodyHandlers.ofString()).body();
    }

    private static int status(ResourceLink link, Caller caller) throws Exception {
        return HTTP.send(request(link, caller), BodyHandlers.discarding()).statusCode();
    }

    private static HttpRequest request(ResourceLink link, Caller caller) {
        return HttpRequest.newBuilder(URI.create(link.uri()))
                .header("Authorization", bearer(caller))
                .build();
    }

    private static String bearer(Caller caller) {
        return "Bearer " + Rig.token(caller);
    }
}
