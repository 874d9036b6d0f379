package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.tools.Deliveries;
import dev.substraterouter.examples.gateway.tools.Delivery;
import dev.substraterouter.examples.gateway.tools.GapAnswer;
import dev.substraterouter.examples.gateway.tools.Link;
import dev.substraterouter.examples.gateway.tools.Reply;
import dev.substraterouter.examples.gateway.tools.Served;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Puts answers into the form of MCP. Stateless. */
final class Results {
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private Results() {}

    /** Whatever a tool has answered. */
    static CallToolResult of(Object answer) {
        if (answer instanceof Reply reply) {
            return reply(reply);
        }
        return data(answer, isError(answer));
    }

    /** A problem: its words for the model, and all of it for programs. */
    static CallToolResult of(Problem problem) {
        return CallToolResult.builder()
                .addTextContent(problem.title() + ": " + problem.detail() + again(problem.retryAfterSeconds()))
                .structuredContent(map(problem))
                .isError(true)
                .build();
    }

    /** An answer that nobody gave is an error to a model, although it says much. */
    private static boolean isError(Object answer) {
        if (answer instanceof GapAnswer gap) {
            return !gap.dispatch().dispatched();
        }
        return answer instanceof Deliveries all && all.answers().stream().noneMatch(Delivery::dispatched);
    }

    private static CallToolResult data(Object answer, boolean error) {
        return CallToolResult.builder()
                .addTextContent(Json.MAPPER.writeValueAsString(answer))
                .structuredContent(map(answer))
                .isError(error)
                .build();
    }

    private static CallToolResult reply(Reply reply) {
        return CallToolResult.builder()
                .addContent(content(reply))
                .isError(reply.isRefusal())
                .meta(meta(reply))
                .build();
    }

    private static Content content(Reply reply) {
        Link link = reply.link();
        if (link != null) {
            return link(link);
        }
        if (reply.isText()) {
            return TextContent.builder(reply.text()).build();
        }
        String data = Base64.getEncoder().encodeToString(reply.body());
        if (reply.isImage()) {
            return ImageContent.builder(data, reply.mediaType()).build();
        }
        String uri = "urn:substrate-router:answer:" + reply.served().requestId();
        return EmbeddedResource.builder(BlobResourceContents.builder(uri, data)
                        .mimeType(reply.contentType())
                        .build())
                .build();
    }

    private static Content link(Link link) {
        return ResourceLink.builder()
                .name("answer")
                .title("The answer")
                .uri(link.url())
                .description("GET it with the same bearer token. It works once, within " + link.expiresInSeconds()
                        + " seconds.")
                .mimeType(link.contentType())
                .size(link.size())
                .build();
    }

    private static Map<String, Object> meta(Reply reply) {
        Served served = reply.served();
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put("substrate", served.substrate());
        put(meta, "model", served.model());
        meta.put("degraded", served.degraded());
        meta.put("reason", served.reason());
        meta.put("request_id", served.requestId());
        put(meta, "expected_seconds", served.expectedSeconds());
        meta.put("status", reply.status());
        meta.put("content_type", reply.contentType());
        return meta;
    }

    private static void put(Map<String, Object> meta, String key, @Nullable Object value) {
        if (value != null) {
            meta.put(key, value);
        }
    }

    private static String again(@Nullable Long seconds) {
        return seconds == null ? "" : " (retry after " + seconds + " s)";
    }

    private static Map<String, Object> map(Object answer) {
        return Json.MAPPER.convertValue(answer, MAP);
    }
}
