package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.examples.gateway.access.Caller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * One request on the operator's listener that was let in.
 *
 * @param caller who asks
 * @param id what stands in the path for {@code {id}}; empty where the path has none
 */
record Call(HttpServletRequest request, HttpServletResponse response, Caller caller, String id) {
    private static final int MAX_BODY = 1024 * 1024;

    /** Answers with JSON. */
    void answer(int status, Object value) throws IOException {
        answer(status, "application/json", ControlJson.bytes(value));
    }

    /** Answers with bytes, which nobody is to keep or to take for something else. */
    void answer(int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** The body as text, of at most 1 MiB. */
    String body() throws IOException, ProblemException {
        byte[] bytes = request.getInputStream().readNBytes(MAX_BODY + 1);
        if (bytes.length > MAX_BODY) {
            throw new ProblemException(413, "Too large", "body: above " + MAX_BODY + " bytes (expected: at most that)");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProblemException(400, "Not UTF-8", "body: not UTF-8 (expected: UTF-8): " + e.getMessage());
        }
    }
}
