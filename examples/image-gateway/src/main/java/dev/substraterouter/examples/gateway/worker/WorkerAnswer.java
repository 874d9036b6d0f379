package dev.substraterouter.examples.gateway.worker;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;

/**
 * A worker's answer whose head has come and whose body is still coming. Closing it before its end cancels the call: the connection to the worker
 * is closed. Not thread-safe, but it may be closed from any thread.
 */
public final class WorkerAnswer implements AutoCloseable {
    private final HttpResponse<InputStream> response;

    WorkerAnswer(HttpResponse<InputStream> response) {
        this.response = response;
    }

    /** The HTTP status: below 500, and not 429. */
    public int status() {
        return response.statusCode();
    }

    /** Its headers. */
    public HttpHeaders headers() {
        return response.headers();
    }

    /** What it says its body is; {@code application/octet-stream} when it does not say. */
    public String contentType() {
        return headers().firstValue("Content-Type").orElse("application/octet-stream");
    }

    /** The body as it comes. Reading blocks until there is some; an answer that is cut throws {@link IOException} at its end. */
    public InputStream body() {
        return response.body();
    }

    /**
     * The whole body.
     *
     * @throws AnswerTooLargeException if it has more than so many bytes
     * @throws IOException if it is cut
     */
    public byte[] bytes(int most) throws IOException {
        byte[] bytes = body().readNBytes(most + 1);
        if (bytes.length > most) {
            throw new AnswerTooLargeException("the worker's answer is larger than " + most + " bytes");
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }
}
