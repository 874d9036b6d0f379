package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code run_workload} is told to run.
 *
 * @param workload the workload's name
 * @param parameters its parameters, an object
 * @param inputs its inputs
 * @param priority how urgent it is; empty: as the caller's role has it
 * @param mode live, for later, or either, which is waited for too; absent, it is live, as by HTTP
 * @param maxWait how long it may wait for a place; empty: as the policy says
 * @param deadline by when its answer is useful; empty: always
 * @param idempotent whether it may run twice
 */
public record WorkloadRun(
        String workload,
        JsonNode parameters,
        List<Input> inputs,
        Optional<Priority> priority,
        PlacementMode mode,
        Optional<Duration> maxWait,
        Optional<Duration> deadline,
        boolean idempotent) {
    private static final int NAME = 256;
    private static final int MOST_INPUTS = 32;
    /** No more comes in one message, of MCP as of HTTP. */
    private static final int MOST_TEXT = 2 << 20;

    /**
     * One input.
     *
     * @param name its name
     * @param contentType what it is
     * @param data its bytes in Base64; empty: it is text
     * @param text its text; empty: it is data
     */
    public record Input(String name, String contentType, Optional<String> data, Optional<String> text) {
        private static Input of(Arguments arguments) {
            Optional<String> data = arguments.optionalText("data", MOST_TEXT);
            Optional<String> text = arguments.optionalText("text", MOST_TEXT);
            if (data.isPresent() == text.isPresent()) {
                throw arguments.wrong("data", "either data (Base64) or text, not both");
            }
            data.filter(value -> !isBase64(value)).ifPresent(value -> {
                throw arguments.wrong("data", "Base64");
            });
            Input input = new Input(
                    arguments.text("name", NAME),
                    arguments
                            .optionalText("content_type", NAME)
                            .orElse(text.isPresent() ? "text/plain; charset=utf-8" : "application/octet-stream"),
                    data,
                    text);
            arguments.end();
            return input;
        }

        private static boolean isBase64(String value) {
            try {
                Base64.getDecoder().decode(value);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }

    /** Copies the list. */
    public WorkloadRun {
        inputs = List.copyOf(inputs);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException that names the key, the value and what was expected
     */
    public static WorkloadRun of(JsonNode json) {
        Arguments arguments = Arguments.of(json);
        WorkloadRun run = new WorkloadRun(
                arguments.text("workload", NAME),
                arguments.object("parameters").orElseGet(Json.MAPPER::createObjectNode),
                arguments.inners("inputs", MOST_INPUTS).stream().map(Input::of).toList(),
                arguments.word("priority", Priority.class),
                arguments.word("mode", PlacementMode.class).orElse(PlacementMode.INTERACTIVE),
                arguments.secondsOrNone("max_wait_sec"),
                arguments.secondsOrNone("deadline_sec"),
                arguments.flag("idempotent").orElse(true));
        arguments.end();
        return run;
    }

    RouteRequest request() {
        RouteRequest request = RouteRequest.workload(workload).mode(mode).idempotent(idempotent);
        request = priority.map(request::priority).orElse(request);
        request = maxWait.map(request::maxWait).orElse(request);
        return deadline.map(request::deadline).orElse(request);
    }

    Message message() {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("parameters", parameters);
        ArrayNode list = body.putArray("inputs");
        for (Input input : inputs) {
            ObjectNode one = list.addObject().put("name", input.name()).put("content_type", input.contentType());
            input.data().ifPresent(data -> one.put("data", data));
            input.text().ifPresent(text -> one.put("text", text));
        }
        return Message.json(body);
    }
}
