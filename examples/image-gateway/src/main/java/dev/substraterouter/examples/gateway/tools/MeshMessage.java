package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What {@code mesh_send} is told to send, and to whom.
 *
 * @param message the message: a text goes as text, anything else as JSON
 * @param requiredCodebase the codebase that the node must hold; empty: any
 * @param requiredCapabilities what the node must be able to do
 * @param preferredNode whom to look at first; it is not admitted because of this; empty: nobody
 * @param action what to do
 */
public record MeshMessage(
        JsonNode message,
        Optional<String> requiredCodebase,
        List<String> requiredCapabilities,
        Optional<String> preferredNode,
        Action action) {
    private static final int NAME = 256;
    private static final Arguments NO_ROUTING = Arguments.of(Json.MAPPER.createObjectNode());

    /** What to do with a message. */
    public enum Action {
        /** One node is asked, and its answer waited for. */
        INVOKE,
        /** One node does it when it has time; a ticket is given. */
        DELEGATE,
        /** Every node that may take it now is asked. */
        BROADCAST
    }

    /** Copies the list. */
    public MeshMessage {
        requiredCapabilities = List.copyOf(requiredCapabilities);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException that names the key, the value and what was expected
     */
    public static MeshMessage of(JsonNode json) {
        Arguments arguments = Arguments.of(json);
        JsonNode message = arguments.any("message", "a text or a JSON value");
        Arguments routing = arguments.inner("routing").orElse(NO_ROUTING);
        MeshMessage all = new MeshMessage(
                message,
                routing.optionalText("required_codebase", NAME),
                routing.names("required_capabilities"),
                routing.optionalText("preferred_node", NAME),
                arguments.requiredWord("action_type", Action.class));
        routing.end();
        arguments.end();
        return all;
    }

    /** A message may have effects, so it is sent again only where nobody can have begun with it. */
    RouteRequest request() {
        Need.Builder need = Need.builder().capabilities(requiredCapabilities.toArray(String[]::new));
        requiredCodebase.ifPresent(need::codebase);
        RouteRequest request = RouteRequest.need(need.build()).idempotent(false);
        return preferredNode.map(request::prefer).orElse(request);
    }
}
