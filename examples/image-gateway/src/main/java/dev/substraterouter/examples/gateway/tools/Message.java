package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.worker.WorkerRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What is sent to a worker.
 *
 * @param path what is appended to its endpoint; starts with a slash, or is empty
 * @param contentType what the body is
 * @param body the body; not changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Message(String path, String contentType, byte[] body) {
    /** A text as text, anything else as JSON. */
    static Message of(JsonNode message) {
        return message.isString()
                ? new Message(
                        "", "text/plain; charset=utf-8", message.stringValue().getBytes(StandardCharsets.UTF_8))
                : json(message);
    }

    static Message json(Object value) {
        return new Message("", "application/json", Json.MAPPER.writeValueAsBytes(value));
    }

    WorkerRequest request() {
        return new WorkerRequest(
                "POST", path, Map.of("Content-Type", List.of(contentType)), BodyPublishers.ofByteArray(body));
    }
}
