package dev.substraterouter.probe.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.StatusTarget;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers on free loopback ports, well-behaved and hostile; closed together. */
final class Net implements AutoCloseable {
    static final String IDLE = "{\"gpu_util_pct\": 3.0, \"running_jobs\": 0}";

    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("test-net"));

    /** What a hostile server does with a connection. */
    interface Script {
        void talk(Socket socket) throws IOException, InterruptedException;
    }

    /** Asked often, with patience: a machine under load is not a failed answer. */
    static StatusTarget target(String id, URI url) {
        return target(id, StatusAddress.of(url));
    }

    static StatusTarget target(String id, StatusAddress address) {
        return new StatusTarget(id, List.of(address), Duration.ofMillis(100), Duration.ofSeconds(15));
    }

    /** Asked often, with half a second for an answer: for servers that never give one. */
    static StatusTarget hasty(String id, URI url) {
        return hasty(id, StatusAddress.of(url));
    }

    static StatusTarget hasty(String id, StatusAddress address) {
        return new StatusTarget(id, List.of(address), Duration.ofMillis(100), Duration.ofMillis(500));
    }

    /** A server of the JDK; its address ends in /status. */
    URI http(HttpHandler handler) {
        try {
            HttpServer server = HttpServer.create(loopback(), 0);
            server.createContext("/", handler);
            server.setExecutor(threads);
            server.start();
            open.add(() -> server.stop(0));
            return uri("http", server.getAddress().getPort());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A server that answers everything with the same. */
    URI http(int code, String body) {
        return http(exchange -> reply(exchange, code, body));
    }

    static void reply(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** A raw server that plays a script on each connection, and counts them. */
    Raw raw(Script script) {
        try {
            ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Raw raw = new Raw(server, script);
            open.add(raw);
            threads.execute(raw::accept);
            return raw;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A raw server that reads the request and answers with the given head, and body if it is well-behaved. */
    Raw answering(String answer, Script more) {
        return raw(socket -> {
            request(socket);
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            more.talk(socket);
        });
    }

    /** A port on which nobody listens. */
    static URI nobody() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return uri("http", server.getLocalPort());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static URI uri(String scheme, int port) {
        return URI.create(scheme + "://127.0.0.1:" + port + "/status");
    }

    /** Reads up to the end of the request's head. */
    static String request(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        for (int one = in.read(); one >= 0; one = in.read()) {
            head.append((char) one);
            if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                break;
            }
        }
        return head.toString();
    }

    /** Waits until the other side has closed. */
    static void untilClosed(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // whatever still comes
            }
        } catch (SocketException reset) {
            // closed the hard way
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
        threads.shutdownNow();
    }

    /** A raw server. */
    final class Raw implements Closeable {
        private final ServerSocket server;
        private final Script script;
        private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
        final AtomicInteger connections = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();

        Raw(ServerSocket server, Script script) {
            this.server = server;
            this.script = script;
        }

        URI uri() {
            return Net.uri("http", server.getLocalPort());
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    connections.incrementAndGet();
                    sockets.add(socket);
                    threads.execute(() -> talk(socket));
                }
            } catch (IOException closed) {
                // the end of the test
            }
        }

        private void talk(Socket socket) {
            try (socket) {
                script.talk(socket);
            } catch (IOException | InterruptedException over) {
                // the other side has gone
            } finally {
                sockets.remove(socket);
                ended.incrementAndGet();
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
