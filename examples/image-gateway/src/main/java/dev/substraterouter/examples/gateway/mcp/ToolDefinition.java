package dev.substraterouter.examples.gateway.mcp;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.substraterouter.examples.gateway.web.Json;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.type.TypeReference;

/**
 * What a model is told of a tool, as {@code tools.json} has it.
 *
 * @param name the tool's name
 * @param title its name for people
 * @param description what it does, for a model
 * @param readOnly whether it changes nothing
 * @param idempotent whether calling it twice is as calling it once
 * @param openWorld whether it reaches beyond the gateway
 * @param inputSchema the JSON schema of its arguments
 */
record ToolDefinition(
        String name,
        String title,
        String description,
        @JsonProperty("readOnly") boolean readOnly,
        boolean idempotent,
        @JsonProperty("openWorld") boolean openWorld,
        @JsonProperty("inputSchema") Map<String, Object> inputSchema) {
    private static final String FILE = "tools.json";

    /** By name, in the file's order. */
    static Map<String, ToolDefinition> all() {
        try (InputStream file = Objects.requireNonNull(ToolDefinition.class.getResourceAsStream(FILE), FILE)) {
            List<ToolDefinition> all = Json.MAPPER.readValue(file, new TypeReference<>() {});
            Map<String, ToolDefinition> byName = new LinkedHashMap<>();
            all.forEach(one -> byName.put(one.name(), one));
            return byName;
        } catch (IOException e) {
            throw new UncheckedIOException(FILE, e);
        }
    }

    Tool tool() {
        return Tool.builder(name, inputSchema)
                .title(title)
                .description(description)
                .annotations(ToolAnnotations.builder()
                        .title(title)
                        .readOnlyHint(readOnly)
                        .destructiveHint(false)
                        .idempotentHint(idempotent)
                        .openWorldHint(openWorld)
                        .build())
                .build();
    }
}
