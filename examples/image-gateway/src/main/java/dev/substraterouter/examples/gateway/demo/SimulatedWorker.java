package dev.substraterouter.examples.gateway.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.substraterouter.probe.http.StatusServer;
import dev.substraterouter.probe.http.WorkerGate;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A worker that draws a picture of a prompt, slowly, and tells its status. {@code POST /} answers with an SVG, a stroke at a time; {@code POST /busy?util=93}
 * has somebody else use the card, {@code util=0} ends it. Thread-safe.
 */
public final class SimulatedWorker implements AutoCloseable {
    private static final int STROKES = 20;
    private static final double IDLE_VRAM_GB = 1;
    private static final int MOST_READ = 1024 * 1024;

    private final String name;
    private final double vramGb;
    private final double jobVramGb;
    private final Duration takes;
    private final HttpServer server;
    private final WorkerGate gate;
    private final ExecutorService threads;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile int othersPct;

    /**
     * Starts a worker on a free port of the loopback address.
     *
     * @param vramGb the memory of its card, in GiB
     * @param jobVramGb what one job takes of it
     * @param jobs how many jobs it runs at once
     * @param takes how long one takes
     * @throws IOException if it cannot listen
     */
    public SimulatedWorker(String name, double vramGb, double jobVramGb, int jobs, Duration takes) throws IOException {
        this.name = name;
        this.vramGb = vramGb;
        this.jobVramGb = jobVramGb;
        this.takes = takes;
        gate = WorkerGate.limit(jobs);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "worker-" + name);
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", gate.guard(this::draw, this::card));
        server.createContext("/busy", this::busy);
        server.createContext(StatusServer.PATH, StatusServer.handler(gate.status(this::card)));
        server.start();
    }

    /** Where it is asked. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Where its status is asked. */
    public URI status() {
        return endpoint().resolve(StatusServer.PATH);
    }

    private SubstrateStatus card() {
        int running = gate.running();
        return SubstrateStatus.builder()
                .gpuUtilPct(Math.min(100, othersPct + running * 45))
                .gpuUtilOtherPct(othersPct)
                .gpuTempC(45 + running * 12)
                .vramUsedGb(Math.min(vramGb, IDLE_VRAM_GB + running * jobVramGb))
                .vramTotalGb(vramGb)
                .build();
    }

    private void busy(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = exchange.getRequestURI().getQuery();
            boolean readable = query != null && query.matches("util=[0-9]{1,2}");
            if (readable) {
                othersPct = Integer.parseInt(query.substring("util=".length()));
            }
            byte[] said = ("others take " + othersPct + " % of " + name + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(readable ? 200 : 400, said.length);
            exchange.getResponseBody().write(said);
        }
    }

    private void draw(HttpExchange exchange) throws IOException {
        try (exchange) {
            String prompt = new String(exchange.getRequestBody().readNBytes(MOST_READ), StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "image/svg+xml");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            tell(
                    out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 200 200\"><!-- drawn by " + name
                            + " -->\n");
            for (int stroke = 0; stroke < STROKES; stroke++) {
                if (closed.await(takes.toMillis() / STROKES, TimeUnit.MILLISECONDS)) {
                    return; // the worker is being taken down in the middle of its work
                }
                tell(out, stroke(prompt, stroke));
            }
            tell(out, "</svg>\n");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** A circle whose place and colour come of the prompt: the same words give the same picture. */
    private static String stroke(String prompt, int number) {
        int seed = (prompt + number).hashCode() * 0x9E3779B1; // neighbours in number are none in place
        return "<circle cx=\"" + Math.floorMod(seed, 200) + "\" cy=\"" + Math.floorMod(seed >> 8, 200) + "\" r=\""
                + (8 + Math.floorMod(seed >> 16, 40)) + "\" fill=\"hsl(" + Math.floorMod(seed >> 4, 360)
                + " 70% 60% / 0.6)\"/>\n";
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
