package dev.substraterouter.examples.quickstart;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A machine of the story: a worker process that does jobs ({@code POST /v1/generate?workload=...}), and beside it an agent that tells how
 * the machine stands ({@code GET /status}). The process can crash and be started again; the agent lives on, as it mostly does. Somebody
 * else may use the machine too.
 *
 * <p>Thread-safe.
 */
final class Worker implements AutoCloseable {
    /** How much faster than in reality time passes. */
    static final int COMPRESSION = 100;

    private static final int AGENT_OFFSET = 1_000;
    private static final double IDLE_VRAM_GB = 1;

    private final String id;
    private final int declaredPort;
    private final double vramGb;
    private final int maxJobs;
    private final double utilPerJobPct;
    private final Map<String, Job> jobs;
    private final HttpServer agent;
    private final int port;
    private @Nullable Server server; // guarded by this
    private @Nullable Others others; // guarded by this
    private @Nullable Instant lastRequest; // guarded by this

    /** What a job takes, in real time. */
    record Job(Duration takes, double vramGb) {
        static Job of(int seconds, double vramGb) {
            return new Job(Duration.ofSeconds(seconds), vramGb);
        }
    }

    /** What somebody else takes of the machine. */
    private record Others(double utilPct, double vramGb, int jobs) {}

    private Worker(String id, int declaredPort, double vramGb, int maxJobs, double utilPerJobPct, Map<String, Job> jobs)
            throws IOException {
        this.id = id;
        this.declaredPort = declaredPort;
        this.vramGb = vramGb;
        this.maxJobs = maxJobs;
        this.utilPerJobPct = utilPerJobPct;
        this.jobs = Map.copyOf(jobs);
        agent = listenAt(declaredPort + AGENT_OFFSET);
        agent.createContext("/status", this::status);
        agent.start();
        HttpServer work = listenAt(declaredPort);
        this.port = work.getAddress().getPort();
        server = new Server(work);
    }

    /** Two older cards: two jobs at a time, slow with what does not suit them. */
    static Worker mirrorforge() throws IOException {
        return new Worker(
                "mirrorforge",
                18_188,
                64,
                2,
                47,
                Map.of(
                        "flux-dev", Job.of(40, 12),
                        "flux-fill", Job.of(120, 24),
                        "sdxl", Job.of(7, 8),
                        "upscale", Job.of(10, 6),
                        "caption", Job.of(5, 8)));
    }

    /** A new card in somebody's workstation: one job at a time, fast. */
    static Worker legion() throws IOException {
        return new Worker(
                "legion",
                18_189,
                32,
                1,
                95,
                Map.of(
                        "flux-dev", Job.of(15, 12),
                        "flux-fill", Job.of(40, 24),
                        "sdxl", Job.of(3, 8),
                        "portrait", Job.of(40, 24),
                        "caption", Job.of(3, 8)));
    }

    /** Somebody else's machine, rented by the hour: large, with room for many jobs. */
    static Worker rented() throws IOException {
        return new Worker("rented", 18_190, 80, 8, 10, Map.of("flux-fill", Job.of(45, 24)));
    }

    String id() {
        return id;
    }

    /** Where jobs are sent. */
    URI endpoint() {
        return at(port);
    }

    /** Where its status is asked. */
    URI statusAddress() {
        return at(agent.getAddress().getPort()).resolve("/status");
    }

    /** A policy with the addresses at which it really listens in place of those of the file. */
    String putAddressesIn(String policy) {
        return policy.replace(at(declaredPort).toString(), endpoint().toString())
                .replace(
                        at(declaredPort + AGENT_OFFSET).resolve("/status").toString(),
                        statusAddress().toString());
    }

    // the switches

    /** Somebody begins to use the machine: it is busy with work that is not ours. */
    synchronized void othersBegin() {
        others = new Others(93, 20, maxJobs);
    }

    /** Somebody begins to hold memory, and nothing else. */
    synchronized void othersHold(double vramGb) {
        others = new Others(5, vramGb, 0);
    }

    /** The machine is ours again. */
    synchronized void othersEnd() {
        others = null;
    }

    /** The worker process crashes, in the middle of whatever it does. */
    void kill() {
        Server killed;
        synchronized (this) {
            killed = server;
            server = null;
        }
        if (killed != null) {
            killed.kill();
        }
    }

    /** Starts the worker process, after a crash on the same port. */
    void start() throws IOException {
        Server started = new Server(listen(port));
        synchronized (this) {
            server = started;
        }
    }

    @Override
    public void close() {
        kill();
        agent.stop(0);
    }

    // what it knows of itself

    /** How many of our jobs it is doing. */
    synchronized int running() {
        return server == null ? 0 : server.running.size();
    }

    /** When it last ended a job. */
    synchronized @Nullable Instant lastRequest() {
        return lastRequest;
    }

    /** The truth about it, in the format that the router's probe reads. */
    private synchronized String status() {
        int foreignJobs = others == null ? 0 : others.jobs();
        double util = others == null ? 3 : others.utilPct();
        double vram = IDLE_VRAM_GB + (others == null ? 0 : others.vramGb());
        if (server != null) {
            util += server.running.size() * utilPerJobPct;
            vram += server.running.stream().mapToDouble(Job::vramGb).sum();
        }
        return String.format(
                Locale.ROOT,
                """
                {"gpu_util_pct": %.1f, "vram_used_gb": %.1f, "vram_total_gb": %.1f, "gpu_temp_c": %.0f, \
                "running_jobs": %d, "queued_jobs": 0, "last_request_ts": %s}
                """,
                Math.min(100, util),
                Math.min(vramGb, vram),
                vramGb,
                40 + util / 5,
                foreignJobs + running(),
                lastRequest == null ? "null" : '"' + lastRequest.toString() + '"');
    }

    private void status(HttpExchange exchange) throws IOException {
        answer(exchange, 200, status());
    }

    // the server

    /** Listens on a port of this machine, on any free one where that is taken. */
    private static HttpServer listenAt(int declaredPort) throws IOException {
        try {
            return listen(declaredPort);
        } catch (BindException taken) {
            return listen(0);
        }
    }

    private static HttpServer listen(int port) throws IOException {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    }

    private static URI at(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** The worker process, from its start to its end. */
    private final class Server implements HttpHandler {
        private final HttpServer http;
        private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, id + "-worker");
            thread.setDaemon(true);
            return thread;
        });
        private final CountDownLatch killed = new CountDownLatch(1);
        private final List<Job> running = new ArrayList<>(); // guarded by the worker

        Server(HttpServer http) {
            this.http = http;
            http.createContext("/v1/generate", this);
            http.setExecutor(threads);
            http.start();
        }

        void kill() {
            http.stop(0);
            killed.countDown();
            threads.shutdown();
        }

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            Job job = jobs.get(query.replace("workload=", ""));
            byte[] prompt = exchange.getRequestBody().readAllBytes();
            if (job == null) {
                answer(exchange, 404, "no such workload: " + query);
            } else if (!begin(job)) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                answer(exchange, 429, "doing as much as it can");
            } else if (done(job)) {
                answer(exchange, 200, "an image of " + new String(prompt, StandardCharsets.UTF_8));
            } else {
                exchange.close(); // nobody is left to answer
            }
        }

        private boolean begin(Job job) {
            synchronized (Worker.this) {
                int taken = running.size() + (others == null ? 0 : others.jobs());
                return taken < maxJobs && running.add(job);
            }
        }

        /** Takes the time of a job. False: killed before it was done. */
        private boolean done(Job job) {
            boolean killedBefore;
            try {
                killedBefore = killed.await(job.takes().toMillis() / COMPRESSION, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                killedBefore = true;
            }
            synchronized (Worker.this) {
                running.remove(job);
                lastRequest = Instant.now().truncatedTo(ChronoUnit.MICROS);
            }
            return !killedBefore;
        }
    }
}
