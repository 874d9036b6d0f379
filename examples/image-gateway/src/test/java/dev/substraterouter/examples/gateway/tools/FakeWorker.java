package dev.substraterouter.examples.gateway.tools;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A worker over a real socket that does as it is told: by the {@code x-do} parameter of a JSON body, or by the text of a message. By default it
 * answers with what it was sent.
 */
public final class FakeWorker implements AutoCloseable {
    /** A small picture: what matters is only that the bytes come back as they are. */
    public static final byte[] PICTURE = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 1, 2, 3};

    private static final int CHUNK = 64 * 1024;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    public FakeWorker() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Lets go those who were told to wait. */
    public void open() {
        gate.countDown();
    }

    /** The bodies it was sent. */
    public List<String> bodies() {
        return bodies;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            String body = new String(sent, StandardCharsets.UTF_8);
            bodies.add(body);
            if (body.contains("do:picture")) {
                answer(exchange, 200, "image/png", PICTURE);
            } else if (body.contains("do:blob")) {
                answer(exchange, 200, "application/zip", PICTURE);
            } else if (body.contains("do:bad")) {
                answer(exchange, 400, "application/json", "{\"wrong\":\"steps\"}".getBytes(StandardCharsets.UTF_8));
            } else if (body.contains("do:full")) {
                exchange.getResponseHeaders().set("Retry-After", "7");
                answer(exchange, 429, "text/plain", "full".getBytes(StandardCharsets.UTF_8));
            } else if (body.contains("do:fail")) {
                answer(exchange, 500, "text/plain", "out of luck".getBytes(StandardCharsets.UTF_8));
            } else if (body.contains("do:large")) {
                large(exchange, number(body));
            } else if (body.contains("do:wait")) {
                gate.await();
                answer(exchange, 200, "text/plain", "at last".getBytes(StandardCharsets.UTF_8));
            } else if (body.contains("do:cut")) {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write(new byte[10]);
            } else {
                String type = exchange.getRequestHeaders().getFirst("Content-Type");
                answer(exchange, 200, type, sent);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static long number(String body) {
        return Long.parseLong(body.replaceAll("(?s).*do:large=(\\d+).*", "$1"));
    }

    /** So many bytes that were never in memory together. */
    private static void large(HttpExchange exchange, long bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "image/tiff");
        exchange.sendResponseHeaders(200, bytes);
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = exchange.getResponseBody()) {
            for (long left = bytes; left > 0; left -= CHUNK) {
                out.write(chunk, 0, (int) Math.min(CHUNK, left));
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
