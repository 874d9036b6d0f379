package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.tools.GapQuestion;
import dev.substraterouter.examples.gateway.tools.MeshMessage;
import dev.substraterouter.examples.gateway.tools.Problems;
import dev.substraterouter.examples.gateway.tools.RouteQuestion;
import dev.substraterouter.examples.gateway.tools.Tools;
import dev.substraterouter.examples.gateway.tools.WorkloadRun;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tools as the MCP server calls them. Thread-safe; a call blocks until its answer is there. */
final class Handlers {
    private static final System.Logger LOG = System.getLogger(Handlers.class.getName());

    private final Map<String, Handler> handlers;
    private final Function<McpTransportContext, Caller> callers;

    @FunctionalInterface
    private interface Handler {
        Object answer(Caller caller, JsonNode arguments) throws Exception;
    }

    /**
     * Handlers.
     *
     * @param tools do the work
     * @param callers say who calls
     */
    Handlers(Tools tools, Function<McpTransportContext, Caller> callers) {
        this.callers = callers;
        this.handlers = Map.of(
                "knowledge_gap", (caller, json) -> tools.knowledgeGap(caller, GapQuestion.of(json)),
                "instance_route_recommend", (caller, json) -> tools.recommend(caller, RouteQuestion.of(json)),
                "mesh_send", (caller, json) -> tools.meshSend(caller, MeshMessage.of(json)),
                "pool_instances", (caller, json) -> tools.poolInstances(caller, json),
                "run_workload", (caller, json) -> tools.runWorkload(caller, WorkloadRun.of(json)));
    }

    List<SyncToolSpecification> specifications() {
        return ToolDefinition.all().values().stream().map(this::specification).toList();
    }

    private SyncToolSpecification specification(ToolDefinition definition) {
        Handler handler = Objects.requireNonNull(handlers.get(definition.name()), definition.name());
        return SyncToolSpecification.builder()
                .tool(definition.tool())
                .callHandler((exchange, request) -> call(handler, callers.apply(exchange.transportContext()), request))
                .build();
    }

    private static CallToolResult call(Handler handler, Caller caller, CallToolRequest request) {
        try {
            return Results.of(handler.answer(caller, arguments(request.arguments())));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Results.of(Problem.of(503, "The gateway is going down", "cut short"));
        } catch (Exception e) {
            return Results.of(Problems.of(e).orElseGet(() -> defect(request.name(), e)));
        }
    }

    private static Problem defect(String tool, Exception e) {
        LOG.log(System.Logger.Level.ERROR, "the tool " + tool + " failed", e);
        return Problem.of(500, "The gateway failed", "its log says why");
    }

    private static JsonNode arguments(@Nullable Map<String, Object> arguments) {
        return Json.MAPPER.valueToTree(arguments == null ? Map.of() : arguments);
    }
}
