package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;

/** One of the {@link Tools} by HTTP: takes the JSON of the MCP tool in a POST, and answers with JSON or a problem. Thread-safe. */
public final class ToolServlet extends CallerServlet {
    private static final long serialVersionUID = 1L;

    /** How large a request may be, in bytes. */
    static final int MOST = 1 << 20;

    private static final ObjectReader READER =
            Json.MAPPER.reader().with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private final transient Tool tool;

    @FunctionalInterface
    private interface Tool {
        Object answer(Caller caller, JsonNode arguments) throws Exception;
    }

    private ToolServlet(IdentityResolver identities, Tool tool) {
        super(identities);
        this.tool = tool;
    }

    /** {@code POST /v1/gap}: takes the JSON of {@code knowledge_gap}. */
    public static ToolServlet gap(Tools tools, IdentityResolver identities) {
        return new ToolServlet(identities, (caller, json) -> tools.knowledgeGap(caller, GapQuestion.of(json)));
    }

    /** {@code POST /v1/needs}: takes the JSON of {@code instance_route_recommend}. */
    public static ToolServlet needs(Tools tools, IdentityResolver identities) {
        return new ToolServlet(identities, (caller, json) -> tools.recommend(caller, RouteQuestion.of(json)));
    }

    @Override
    void serve(Caller caller, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!is(request, response, "POST")) {
            return;
        }
        byte[] body = request.getInputStream().readNBytes(MOST + 1);
        if (body.length > MOST) {
            tooLarge().write(response);
            return;
        }
        answer(caller, body, response);
    }

    private void answer(Caller caller, byte[] body, HttpServletResponse response) throws IOException {
        Object answer;
        try {
            answer = tool.answer(caller, READER.readTree(body));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            Problem.of(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The gateway is going down", "cut short")
                    .write(response);
            return;
        } catch (Exception e) {
            problem(e).write(response);
            return;
        }
        Json.write(response, HttpServletResponse.SC_OK, answer);
    }

    private static Problem problem(Exception e) {
        return Problems.of(e).orElseThrow(() -> new IllegalStateException("a tool failed", e));
    }

    private static Problem tooLarge() {
        return Problem.of(
                HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
                "Too large",
                "body: more than " + MOST + " bytes (expected: at most that)");
    }
}
