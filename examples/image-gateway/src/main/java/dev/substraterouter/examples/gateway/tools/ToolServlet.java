package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.CallerServlet;
import dev.substraterouter.examples.gateway.web.ClientWatch;
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

    private final transient ClientWatch watch;
    private final transient Tool tool;

    @FunctionalInterface
    private interface Tool {
        Object answer(Caller caller, JsonNode arguments) throws Exception;
    }

    private ToolServlet(IdentityResolver identities, ClientWatch watch, Tool tool) {
        super(identities);
        this.watch = watch;
        this.tool = tool;
    }

    /** {@code POST /v1/gap}: takes the JSON of {@code knowledge_gap}. */
    public static ToolServlet gap(Tools tools, IdentityResolver identities, ClientWatch watch) {
        return new ToolServlet(identities, watch, (caller, json) -> tools.knowledgeGap(caller, GapQuestion.of(json)));
    }

    /** {@code POST /v1/needs}: takes the JSON of {@code instance_route_recommend}. */
    public static ToolServlet needs(Tools tools, IdentityResolver identities, ClientWatch watch) {
        return new ToolServlet(identities, watch, (caller, json) -> tools.recommend(caller, RouteQuestion.of(json)));
    }

    @Override
    protected void serve(Caller caller, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!is(request, response, "POST")) {
            return;
        }
        byte[] body = request.getInputStream().readNBytes(MOST + 1);
        if (body.length > MOST) {
            tooLarge().write(response);
            return;
        }
        ClientWatch.Watched client = watch.of(request);
        try (client) {
            client.start();
            answer(caller, body, response);
        }
    }

    private void answer(Caller caller, byte[] body, HttpServletResponse response) throws IOException {
        Object answer;
        try {
            answer = tool.answer(caller, READER.readTree(body));
        } catch (InterruptedException stopped) {
            throw new IOException("the client has gone, or the gateway is going down", stopped);
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
