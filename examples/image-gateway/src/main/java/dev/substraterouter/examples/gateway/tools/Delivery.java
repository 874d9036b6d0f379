package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * What became of a message, as data.
 *
 * @param dispatched whether somebody answered
 * @param substrate who did, or who failed to; null: nobody was asked
 * @param model the model it runs; null: nobody says
 * @param degraded in what way it is less than the primary as declared; null: nobody was asked
 * @param reason why that one; null: nobody was asked
 * @param requestId the request's id; null: nobody was asked
 * @param expectedSeconds how long it was expected to take; null: nobody knows
 * @param status the worker's HTTP status; null: there was no answer
 * @param contentType what the answer is; null: there was none
 * @param body the answer, if it is JSON or text; null: it is not, or is behind the link
 * @param data any other answer in Base64; null: it is no such one, or is behind the link
 * @param link where a large answer can be fetched; null: it is here
 * @param refused why there is no answer; null: there is one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Delivery(
        boolean dispatched,
        @Nullable String substrate,
        @Nullable String model,
        @Nullable List<String> degraded,
        @Nullable String reason,
        @Nullable String requestId,
        @Nullable Double expectedSeconds,
        @Nullable Integer status,
        @Nullable String contentType,
        @Nullable JsonNode body,
        @Nullable String data,
        @Nullable Link link,
        @Nullable Problem refused) {

    /** Somebody answered. */
    static Delivery of(Reply reply) {
        Served served = reply.served();
        boolean here = reply.link() == null;
        return new Delivery(
                true,
                served.substrate(),
                served.model(),
                served.degraded(),
                served.reason(),
                served.requestId(),
                served.expectedSeconds(),
                reply.status(),
                reply.contentType(),
                here && reply.isText() ? body(reply) : null,
                here && !reply.isText() ? Base64.getEncoder().encodeToString(reply.body()) : null,
                reply.link(),
                null);
    }

    /** Nobody was asked. */
    static Delivery refused(Problem why) {
        return new Delivery(false, null, null, null, null, null, null, null, null, null, null, null, why);
    }

    /** This one failed. */
    static Delivery failed(Served by, Problem why) {
        return new Delivery(
                false,
                by.substrate(),
                by.model(),
                by.degraded(),
                by.reason(),
                by.requestId(),
                by.expectedSeconds(),
                null,
                null,
                null,
                null,
                null,
                why);
    }

    /** What claims to be JSON and is not is told as the text that it is. */
    private static JsonNode body(Reply reply) {
        if (reply.isJson()) {
            try {
                return Json.MAPPER.readTree(reply.text());
            } catch (JacksonException notJson) {
                return StringNode.valueOf(reply.text());
            }
        }
        return StringNode.valueOf(reply.text());
    }
}
