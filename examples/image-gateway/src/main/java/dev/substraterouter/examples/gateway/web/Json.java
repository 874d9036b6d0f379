package dev.substraterouter.examples.gateway.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON mapper: keys in snake case, unknown keys refused. Thread-safe. */
public final class Json {
    /** The mapper. */
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /** Writes a value as the whole answer. */
    public static void write(HttpServletResponse response, int status, Object value) throws IOException {
        write(response, status, "application/json", value);
    }

    static void write(HttpServletResponse response, int status, String type, Object value) throws IOException {
        byte[] bytes = MAPPER.writeValueAsBytes(value);
        response.setStatus(status);
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
