package dev.substraterouter.examples.gateway.worker;

import java.net.http.HttpRequest.BodyPublisher;
import java.util.List;
import java.util.Map;

/**
 * What a worker is asked.
 *
 * @param method the HTTP method
 * @param path what is appended to the endpoint, with its query; starts with a slash, or is empty
 * @param headers headers to send; names in any case
 * @param body the body; subscribed to once for each attempt
 */
public record WorkerRequest(String method, String path, Map<String, List<String>> headers, BodyPublisher body) {
    /** Copies the headers. */
    public WorkerRequest {
        headers = Map.copyOf(headers);
    }
}
