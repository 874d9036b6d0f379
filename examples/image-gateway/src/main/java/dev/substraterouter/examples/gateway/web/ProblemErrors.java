package dev.substraterouter.examples.gateway.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.ee11.servlet.ErrorHandler;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Says what the server itself turns down as a {@link Problem}, without a word of what threw. Thread-safe. */
final class ProblemErrors extends ErrorHandler {
    private static final String TYPE = "application/problem+json";

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, TYPE);
        response.write(true, body(code, message, cause), callback);
    }

    private static ByteBuffer body(int code, @Nullable String message, @Nullable Throwable cause) {
        String title = HttpStatus.getMessage(code);
        String detail = cause == null && message != null ? message : title;
        return ByteBuffer.wrap(
                Json.MAPPER.writeValueAsString(Problem.of(code, title, detail)).getBytes(StandardCharsets.UTF_8));
    }
}
