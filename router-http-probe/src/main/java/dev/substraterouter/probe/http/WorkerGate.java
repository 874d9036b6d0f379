package dev.substraterouter.probe.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The door of a worker that several routers share: lets in so many jobs at once and no more, and counts them.
 *
 * <p>Each router knows its own jobs at once and those of others only by the last status, so two of them may send to the same last place.
 * Only the worker can tell; it refuses the second with 429, when to come back, and how it stands now. {@link Backpressure} makes of that
 * what a router understands: the worker is full, nothing is wrong with it.
 *
 * <pre>{@code
 * WorkerGate gate = WorkerGate.limit(2);
 * server.createContext("/generate", gate.guard(work));
 * server.createContext("/status", StatusServer.handler(gate.status(smi::read)));
 * }</pre>
 *
 * <p>How the races end: one counter. A job is in once it has raised the counter from below the limit in one atomic step, so of two that see
 * the last place one gets it. A pass lowers the counter the first time it is closed, by whichever thread, and never again. A status tells
 * the counter as it was when it was written.
 *
 * <p>Thread-safe; nothing waits. It counts what came through it: jobs that reach the worker another way are unknown to it.
 */
public final class WorkerGate {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int DRAIN_BUFFER = 64 * 1024;
    private static final long MAX_DRAINED = 64L << 20;
    private static final Duration CARD_FRESH = Duration.ofSeconds(1);
    private static final Duration CARD_PATIENCE = Duration.ofMillis(100);

    private final int limit;
    private final Duration retryAfter;
    private final AtomicInteger running = new AtomicInteger();

    private WorkerGate(int limit, Duration retryAfter) {
        this.limit = limit;
        this.retryAfter = retryAfter;
    }

    /**
     * A gate for so many jobs at once, which asks whom it refuses to come back after 1 s.
     *
     * @throws IllegalArgumentException if the limit is below 1
     */
    public static WorkerGate limit(int jobs) {
        return limit(jobs, Duration.ofSeconds(1));
    }

    /**
     * A gate for so many jobs at once.
     *
     * @param jobs at least 1
     * @param retryAfter when those who are refused may come back, in whole seconds, rounded up: about what a job takes
     * @throws IllegalArgumentException if the limit is below 1, or the time not positive or above 1 hour
     */
    public static WorkerGate limit(int jobs, Duration retryAfter) {
        if (jobs < 1) {
            throw new IllegalArgumentException("limit: " + jobs + " (expected: >= 1)");
        }
        if (retryAfter.isNegative() || retryAfter.isZero() || retryAfter.compareTo(Backpressure.MAX_RETRY_AFTER) > 0) {
            throw new IllegalArgumentException("retryAfter: " + retryAfter + " (expected: > 0, at most PT1H)");
        }
        return new WorkerGate(jobs, retryAfter);
    }

    /** Lets a job in, if there is a place now; never waits. Empty: full. */
    public Optional<Pass> tryEnter() {
        int now = running.get();
        while (now < limit) {
            int seen = running.compareAndExchange(now, now + 1);
            if (seen == now) {
                return Optional.of(new Pass(running));
            }
            now = seen;
        }
        return Optional.empty();
    }

    /** How many jobs are in now, 0 to {@link #limit()}. */
    public int running() {
        return running.get();
    }

    /** How many may be in at once. */
    public int limit() {
        return limit;
    }

    /**
     * What a card's reader tells, with {@code running_jobs} as this gate counts them. {@link StatusServer} knows such a reader: it shares the
     * card's readings, and asks for the count with each answer.
     *
     * @param card reads the card, for example {@code NvidiaSmi.create()::read}
     */
    public Supplier<SubstrateStatus> status(Supplier<SubstrateStatus> card) {
        return new GatedCard(Objects.requireNonNull(card, "card"), this);
    }

    /** The same door before a handler; the refusal tells how many jobs run, and no more. See {@link #guard(HttpHandler, Supplier)}. */
    public HttpHandler guard(HttpHandler work) {
        return guard(work, () -> SubstrateStatus.builder().build());
    }

    /**
     * The door before a handler: it is called while there is a place, and its job is over when it returns or throws. Otherwise the answer is
     * 429 with {@code Retry-After} and the current status in the body. The card is read at most once a second for that, by a thread of its
     * own, and waited for at most 100 ms: a refusal that comes without it tells the jobs alone.
     *
     * @param work does the job on the thread that calls it
     * @param card reads the card; may block; may throw
     */
    public HttpHandler guard(HttpHandler work, Supplier<SubstrateStatus> card) {
        Objects.requireNonNull(work, "work");
        SharedReading cards = new SharedReading(cardOf(card), CARD_FRESH, CARD_PATIENCE, System::nanoTime);
        return exchange -> {
            Optional<Pass> pass = tryEnter();
            if (pass.isEmpty()) {
                refuse(exchange, cards);
                return;
            }
            try {
                work.handle(exchange);
            } finally {
                pass.get().close();
            }
        };
    }

    private void refuse(HttpExchange exchange, SharedReading cards) throws IOException {
        try (exchange) {
            long seconds = retryAfter.plusNanos(999_999_999).toSeconds();
            exchange.getResponseHeaders().set("Retry-After", Long.toString(seconds));
            StatusHandler.send(exchange, TOO_MANY_REQUESTS, StatusWriter.write(counted(card(cards))));
            exchange.getResponseBody().flush();
            drain(exchange.getRequestBody());
        }
    }

    /**
     * Takes what is still being sent, in vain: a connection that is closed while its request is on the way loses the answer, and the client
     * would take a full worker for a broken one. Up to a bound.
     */
    private static void drain(InputStream request) throws IOException {
        byte[] waste = new byte[DRAIN_BUFFER];
        long left = MAX_DRAINED;
        for (int read = request.read(waste); read >= 0 && left > 0; read = request.read(waste)) {
            left -= read;
        }
    }

    private static SubstrateStatus card(SharedReading cards) {
        try {
            return cards.ask();
        } catch (NoStatusException none) {
            return SubstrateStatus.builder().odd("card: " + none.reason()).build();
        }
    }

    private SubstrateStatus counted(SubstrateStatus card) {
        return card.toBuilder().runningJobs(running()).build();
    }

    /** Of a reader that counts jobs by a gate, the card's reader; otherwise the reader itself. */
    static Supplier<SubstrateStatus> cardOf(Supplier<SubstrateStatus> reader) {
        return reader instanceof GatedCard gated ? gated.card() : reader;
    }

    /** What such a reader adds to what the card's reader tells. */
    static UnaryOperator<SubstrateStatus> liveOf(Supplier<SubstrateStatus> reader) {
        return reader instanceof GatedCard gated ? gated.gate()::counted : UnaryOperator.identity();
    }

    @Override
    public String toString() {
        return "WorkerGate[" + running() + "/" + limit + "]";
    }

    private record GatedCard(Supplier<SubstrateStatus> card, WorkerGate gate) implements Supplier<SubstrateStatus> {
        @Override
        public SubstrateStatus get() {
            return gate.counted(card.get());
        }
    }

    /** A job's place. Thread-safe; a pass that is never closed keeps its place for ever. */
    public static final class Pass implements AutoCloseable {
        private final AtomicInteger running;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Pass(AtomicInteger running) {
            this.running = running;
        }

        /** The job is over. Closing again, from any thread, does nothing. */
        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                running.decrementAndGet();
            }
        }
    }
}
