package dev.substraterouter.probe.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves a worker's {@code /status} in the router's own format, from whatever reads it: {@code StatusServer.start(address, smi::read)}.
 *
 * <p>Answers {@code GET} and {@code HEAD}: 200 with the status; 503 with the status when the worker says that it is not ready; 503 with
 * {@code {"error": ...}} when the reader throws or takes too long; 401 without the right token; 405 for any other method. Nothing may keep
 * an answer ({@code Cache-Control: no-store}).
 *
 * <p>However many routers ask, the reader is called by one thread, once at a time, and who asks meanwhile shares a reading that began at
 * most {@link Builder#freshFor} before the question or begins after it. Of a reader made by {@link WorkerGate#status} only the card is
 * shared; its jobs are counted for each answer.
 *
 * <p>A server of its own has four daemon threads and answers at {@code /status} alone. It trusts its network: bind it to a private address,
 * and give it a token where that is not enough. There is no TLS; a host that needs it puts the handler into its own
 * {@link com.sun.net.httpserver.HttpsServer}.
 *
 * <p>Thread-safe.
 */
public final class StatusServer implements AutoCloseable {
    /** The path at which a server of its own answers. */
    public static final String PATH = "/status";

    private static final int THREADS = 4;
    private static final int BACKLOG = 64;
    private static final long IDLE_SECONDS = 10;

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final SharedReading card;

    private StatusServer(HttpServer server, ThreadPoolExecutor threads, SharedReading card) {
        this.server = server;
        this.threads = threads;
        this.card = card;
    }

    /**
     * A handler for a server of the host's, with the defaults of {@link #builder}. It answers at whatever path it is put, and blocks the
     * server's thread while a reading is under way, for at most 1.5 s.
     *
     * @param reader reads the status; may block; throwing is an answer too
     */
    public static HttpHandler handler(Supplier<SubstrateStatus> reader) {
        return builder(reader).handler();
    }

    /**
     * Starts a server of its own with the defaults of {@link #builder}.
     *
     * @param address where it listens; port 0: a free one, see {@link #address()}
     * @param reader reads the status; may block; throwing is an answer too
     * @throws IOException if it cannot listen there
     * @throws IllegalArgumentException if the address is not resolved, or means every address of the machine
     */
    public static StatusServer start(InetSocketAddress address, Supplier<SubstrateStatus> reader) throws IOException {
        return builder(reader).start(address);
    }

    /** A builder: no token, no wildcard address, readings fresh for 100 ms, answers within 1.5 s. */
    public static Builder builder(Supplier<SubstrateStatus> reader) {
        return new Builder(reader);
    }

    /** Where it listens, with the port that it really has. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Stops listening and closes every connection. Does not wait for a reader that blocks. Closing again does nothing. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
        card.close();
    }

    /** Builds a server or a handler. Not thread-safe. */
    public static final class Builder {
        private final Supplier<SubstrateStatus> reader;
        private @Nullable String token;
        private boolean anyAddress;
        private Duration freshFor = Duration.ofMillis(100);
        private Duration answerWithin = Duration.ofMillis(1_500);

        private Builder(Supplier<SubstrateStatus> reader) {
            this.reader = Objects.requireNonNull(reader, "reader");
        }

        /**
         * The bearer token that every question must carry; default none.
         *
         * @throws IllegalArgumentException if it is empty or no word of ASCII; the message does not hold it
         */
        public Builder token(String bearer) {
            if (bearer.isEmpty() || !bearer.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                throw new IllegalArgumentException("token: empty, or with blanks in it (expected: one word of ASCII)");
            }
            token = bearer;
            return this;
        }

        /** Whether it may listen at every address of the machine; default false: its owner must say so. */
        public Builder anyAddress(boolean allowed) {
            anyAddress = allowed;
            return this;
        }

        /**
         * How long before a question a reading may have begun, to be its answer; default 100 ms, which is what a router reckons with. More
         * saves calls of the reader, and is safe for what tells the card alone; a reader that counts jobs would tell old counts.
         *
         * @throws IllegalArgumentException if it is negative, or above 1 minute
         */
        public Builder freshFor(Duration most) {
            freshFor = inRange("freshFor", most, Duration.ZERO);
            return this;
        }

        /**
         * How long a question waits for a reading; default 1.5 s, below the 2 s for which a probe waits by default.
         *
         * @throws IllegalArgumentException if it is not positive, or above 1 minute
         */
        public Builder answerWithin(Duration most) {
            answerWithin = inRange("answerWithin", most, Duration.ofMillis(1));
            return this;
        }

        private static Duration inRange(String name, Duration value, Duration least) {
            if (value.compareTo(least) < 0 || value.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to PT1M)");
            }
            return value;
        }

        /** The handler alone; see {@link StatusServer#handler}. */
        public HttpHandler handler() {
            return new StatusHandler(reading(), WorkerGate.liveOf(reader), token, "");
        }

        /** Starts a server; see {@link StatusServer#start}. */
        public StatusServer start(InetSocketAddress address) throws IOException {
            checkAddress(address);
            HttpServer server = HttpServer.create(address, BACKLOG);
            ThreadPoolExecutor threads = threads();
            SharedReading card = reading();
            server.setExecutor(threads);
            server.createContext("/", new StatusHandler(card, WorkerGate.liveOf(reader), token, PATH));
            server.start();
            return new StatusServer(server, threads, card);
        }

        private SharedReading reading() {
            return new SharedReading(WorkerGate.cardOf(reader), freshFor, answerWithin, System::nanoTime);
        }

        private void checkAddress(InetSocketAddress address) {
            InetAddress host = address.getAddress();
            if (host == null) {
                throw new IllegalArgumentException("address: " + address + " (expected: a known one)");
            }
            if (host.isAnyLocalAddress() && !anyAddress) {
                throw new IllegalArgumentException("address: " + host.getHostAddress()
                        + " is every address of this machine" + " (expected: one address, or anyAddress(true))");
            }
        }

        /** Few threads. What waits for them is bounded by the connections that are open. */
        private static ThreadPoolExecutor threads() {
            ThreadPoolExecutor threads = new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Daemons.named("status-server"));
            threads.allowCoreThreadTimeOut(true);
            return threads;
        }
    }
}
