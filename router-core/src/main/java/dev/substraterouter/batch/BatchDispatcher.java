package dev.substraterouter.batch;

import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes work that may wait, and does it where and when the router has a place that nobody else needs: as {@link Priority#LOW} and live
 * ({@link PlacementMode#INTERACTIVE}), without ever taking a waiting place, under the same constraints as any other request.
 *
 * <pre>{@code
 * BatchQueue store = InMemoryBatchQueue.create();
 * try (BatchDispatcher batch = BatchDispatcher.create(router, store, (placement, job) -> render(placement.endpoint(), job.payload()))) {
 *     BatchTicket ticket = batch.submit(RouteRequest.workload("flux-dev"), prompt);
 *     ticket.result().thenAccept(image -> deliver(image));
 * }
 * }</pre>
 *
 * <p><b>What it promises.</b> A job that was accepted is in the store, and ends in exactly one of three ways: its success is recorded, it
 * becomes a dead letter with its reasons, or it is cancelled. Until a success is recorded it may run more than once (after a failure, after
 * a crash, or while a dispatcher is cut off from the store); after that it is never started again. A job whose request is not
 * {@linkplain RouteRequest#idempotent(boolean) idempotent} is started at most once, and given up when that run's end is not known to be a
 * success; only when the substrate never had it, or turned it away, is it tried again. A promise lasts as long as its store: the one in memory ends
 * with the process.
 *
 * <p><b>Attempts.</b> Every run that was started counts, also one that killed its dispatcher, so a job that ruins whatever it touches ends as a
 * dead letter. What does not count: no place now; a substrate that was not reached or turned the work away (but one that ran out of memory
 * counts); a refusal for good, as when a reload has removed the workload or the authorizer is broken. The next reload may bring it back,
 * so a job that is refused is kept, and asked for again at the longest pause, until it has only been refused for
 * {@linkplain Builder#refusedFor so long}. Between attempts a job pauses, each time twice as long, and after a fault of the substrate it goes
 * rather to another one that is free.
 *
 * <p><b>Turns.</b> The oldest job that finds a place goes first. Nothing ages: the router lets LOW stand back while others wait, so under a steady
 * load of NORMAL requests a batch job waits without bound. A deadline bounds that: a job that has not begun by then is given up, within some
 * looks of it.
 *
 * <p><b>How the races end.</b>
 *
 * <ul>
 *   <li>Cancel against completion: one step of the store decides; a success that was recorded first stands, otherwise the result is thrown
 *       away. The run's thread is interrupted, and its place is freed when the work returns.
 *   <li>A claim that runs out against completion: while nobody else has claimed the job its result is accepted, however late; once somebody has,
 *       it is refused, and the run is interrupted at its next renewal.
 *   <li>Close against claim: what is claimed after closing is given back untouched; what runs goes on, its claim is kept, and its end is
 *       recorded; what is queued stays in the store.
 *   <li>Submit against close: a job is accepted or {@link IllegalStateException} is thrown; an accepted one stays in the store for the next
 *       dispatcher on it.
 *   <li>Crash: claims of a dispatcher that is gone run out, and others claim the jobs.
 * </ul>
 *
 * <p>Several dispatchers, on several routers, may share a store. Thread-safe. {@link #submit} and {@link #ticket} ask the store and block as
 * long as it does, and {@link #deadLetters} too; nothing else blocks. The work runs on the executor, and futures are completed there, after the
 * run's slot was given back; the store and the router are asked on another one. When its router is closed, a dispatcher closes itself, at the
 * latest at its next tick.
 */
public final class BatchDispatcher implements AutoCloseable {
    private final Drain drain;

    private BatchDispatcher(Builder builder) {
        Crew crew =
                new Crew(builder.name, builder.maxRunning, builder.timeSource, builder.executor, builder.storeExecutor);
        Limits limits = new Limits(
                builder.name,
                builder.every,
                builder.claimFor,
                builder.maxAttempts,
                builder.maxRunning,
                builder.refusedFor,
                new Backoff(builder.backoffFirst, builder.backoffLimit, builder.seed));
        drain = new Drain(builder.router, builder.queue, builder.work, limits, crew);
    }

    /** A dispatcher with the defaults of the {@linkplain #builder builder}, at work. */
    public static BatchDispatcher create(SubstrateRouter router, BatchQueue queue, BatchWork work) {
        return builder(router, queue, work).build();
    }

    /**
     * A builder.
     *
     * @param router decides where the work runs
     * @param queue keeps the jobs; neither is closed with the dispatcher
     * @param work does the work
     */
    public static Builder builder(SubstrateRouter router, BatchQueue queue, BatchWork work) {
        return new Builder(router, queue, work);
    }

    /**
     * Accepts a job. Its request's priority, mode and wait limit do not matter: it is asked for as LOW, which is what the authorizer sees. Its deadline counts from now, and a job that has not begun by then
     * is given up.
     *
     * @param payload what the work needs; copied
     * @throws RoutingException when it could never be placed; nothing was accepted
     * @throws BatchFullException when the store has no room; nothing was accepted
     * @throws IllegalStateException when the dispatcher is closed; nothing was accepted
     */
    public BatchTicket submit(RouteRequest request, byte[] payload) {
        return submit(request, payload, null);
    }

    /**
     * Accepts a job once: as long as the store knows a job of the same identity and key, running or ended, that one's ticket is returned, whatever
     * else is asked, and whether the policy in force would still place it or not.
     *
     * @param payload what the work needs; copied
     * @param idempotencyKey what makes it the same job, 1 to {@value BatchJob#MAX_TEXT} characters; null: nothing does
     * @throws RoutingException when it could never be placed; nothing was accepted
     * @throws BatchFullException when the store has no room; nothing was accepted
     * @throws IllegalStateException when the dispatcher is closed; nothing was accepted
     * @throws IllegalArgumentException if the key is empty or too long
     */
    public BatchTicket submit(RouteRequest request, byte[] payload, @Nullable String idempotencyKey) {
        if (drain.closed()) {
            throw new IllegalStateException("the batch dispatcher is closed");
        }
        BatchJob job = BatchJob.of(
                UUID.randomUUID().toString(),
                request,
                payload,
                idempotencyKey,
                0,
                drain.time().wall());
        if (idempotencyKey != null) {
            Optional<BatchJob> same = drain.queue().known(request.identity(), idempotencyKey);
            if (same.isPresent()) {
                return new BatchTicket(drain, same.get().id());
            }
        }
        drain.check(job.drained(Duration.ZERO));
        BatchJob accepted = drain.queue().offer(job);
        drain.look();
        return new BatchTicket(drain, accepted.id());
    }

    /** A ticket for a job of the store, whoever accepted it; empty when the store does not know it. */
    public Optional<BatchTicket> ticket(String id) {
        return drain.queue()
                .find(id)
                .map(report -> new BatchTicket(drain, report.job().id()));
    }

    /** The 1,000 oldest of {@link #deadLetters(String, int)}. */
    public List<BatchReport> deadLetters() {
        return deadLetters("", 1_000);
    }

    /**
     * The jobs of the store that were given up and are still kept, the oldest first. To try one again, submit its job's request and payload.
     *
     * @param after only those behind the one of this id, the last of the page before; empty, or not a dead letter any more: from the oldest
     * @param most how many at most
     * @throws IllegalArgumentException if {@code most} is below 1
     */
    public List<BatchReport> deadLetters(String after, int most) {
        return drain.queue().deadLetters(after, most);
    }

    /** How many jobs this dispatcher runs now. */
    public int running() {
        return drain.running();
    }

    /**
     * Claims nothing any more and accepts nothing; what runs goes on and its end is recorded. Futures of jobs that do not run here complete
     * with {@link BatchGoneException}. Calling it again does nothing.
     */
    @Override
    public void close() {
        drain.close();
    }

    @Override
    public String toString() {
        return "BatchDispatcher[" + drain.limits().name() + ", running " + running() + "/"
                + drain.limits().maxRunning() + (drain.closed() ? ", closed" : "") + "]";
    }

    /** Builds a {@link BatchDispatcher}. Not thread-safe. Every setter throws {@link NullPointerException} when given null. */
    public static final class Builder {
        private final SubstrateRouter router;
        private final BatchQueue queue;
        private final BatchWork work;
        private String name = "batch";
        private @Nullable Executor executor;
        private @Nullable Executor storeExecutor;
        private @Nullable TimeSource timeSource;
        private Duration every = Duration.ofSeconds(1);
        private Duration claimFor = Duration.ofSeconds(60);
        private int maxAttempts = 5;
        private int maxRunning = 4;
        private Duration refusedFor = Duration.ofHours(1);
        private Duration backoffFirst = Duration.ofSeconds(1);
        private Duration backoffLimit = Duration.ofMinutes(5);
        private long seed = new SplittableRandom().nextLong();

        private Builder(SubstrateRouter router, BatchQueue queue, BatchWork work) {
            this.router = Objects.requireNonNull(router, "router");
            this.queue = Objects.requireNonNull(queue, "queue");
            this.work = Objects.requireNonNull(work, "work");
        }

        /** Its name in logs, thread names and claims; default {@code batch}. */
        public Builder name(String value) {
            name = Objects.requireNonNull(value, "name");
            return this;
        }

        /**
         * Where the work runs and futures are completed; default: daemon threads of its own, one more than {@link #maxRunning}. What hangs on a
         * future and blocks keeps its thread. It needs room for {@link #maxRunning} jobs at once:
         * a job that waits for a thread holds its place at the substrate. The dispatcher never shuts it down.
         */
        public Builder executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /**
         * Where the store and the router are asked; default: one daemon thread of its own. Work must not keep it busy, or claims are not
         * renewed in time. The dispatcher never shuts it down.
         */
        public Builder storeExecutor(Executor value) {
            storeExecutor = Objects.requireNonNull(value, "storeExecutor");
            return this;
        }

        /** The time to live by; default the machine's. The store has its own clock. */
        public Builder timeSource(TimeSource value) {
            timeSource = Objects.requireNonNull(value, "timeSource");
            return this;
        }

        /**
         * How often it looks for due jobs when nothing else makes it look; default 1 s.
         *
         * @throws IllegalArgumentException unless 1 ms to 365 days
         */
        public Builder every(Duration value) {
            every = inRange("every", value);
            return this;
        }

        /**
         * How long a claim lasts, renewed at each third of it; default 60 s. So long after a dispatcher's crash its jobs are run by another.
         *
         * @throws IllegalArgumentException unless 1 ms to 365 days
         */
        public Builder claimFor(Duration value) {
            claimFor = inRange("claimFor", value);
            return this;
        }

        /**
         * How many attempts a job has; default 5. One whose request is not idempotent has one.
         *
         * @throws IllegalArgumentException unless at least 1
         */
        public Builder maxAttempts(int value) {
            maxAttempts = atLeastOne("maxAttempts", value);
            return this;
        }

        /**
         * How many jobs it runs at once; default 4.
         *
         * @throws IllegalArgumentException unless at least 1
         */
        public Builder maxRunning(int value) {
            maxRunning = atLeastOne("maxRunning", value);
            return this;
        }

        /**
         * How long a job is kept that the router refuses for good, as when a reload has removed its workload; default 1 h. Counted from the first
         * of the refusals in a row; within it the job is tried again at each limit of the {@link #backoff}.
         *
         * @throws IllegalArgumentException unless 1 ms to 365 days
         */
        public Builder refusedFor(Duration value) {
            refusedFor = inRange("refusedFor", value);
            return this;
        }

        /**
         * How long a job pauses after its first failed attempt, doubled after each further one up to a limit; of that, between a half and the
         * whole, by chance. Default 1 s and 5 min.
         *
         * @throws IllegalArgumentException unless 1 ms to 365 days
         */
        public Builder backoff(Duration first, Duration limit) {
            backoffFirst = inRange("first", first);
            backoffLimit = inRange("limit", limit);
            return this;
        }

        /** The seed of the chance in pauses, so that a run can be repeated; default: different each time. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** The dispatcher, at work. */
        public BatchDispatcher build() {
            BatchDispatcher dispatcher = new BatchDispatcher(this);
            dispatcher.drain.tick();
            return dispatcher;
        }

        private static Duration inRange(String name, Duration value) {
            Objects.requireNonNull(value, name);
            if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(365)) > 0) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: 1 ms to 365 days)");
            }
            return value;
        }

        private static int atLeastOne(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
            return value;
        }
    }
}
