package dev.substraterouter;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Authorizer;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.status.HealthPredicate;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.RouterListener;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.TraceContext;
import dev.substraterouter.trace.TraceSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Decides where work runs: on the first candidate of its workload's route that is healthy and has a place, or, for a short and bounded
 * time, in a queue, or nowhere, with a refusal that explains itself.
 *
 * <pre>{@code
 * try (SubstrateRouter router = SubstrateRouter.builder().policy(policy).statusSource(probe).build()) {
 *     byte[] image = router.call(RouteRequest.workload("flux-fill"), placement -> generate(placement.endpoint(), prompt));
 * }
 * }</pre>
 *
 * <p>Thread-safe. {@link #place} and {@link #call} wait at most as long as the request or the policy allows; {@link #awaitReady} and
 * {@link #shutdown} wait as they are told; nothing else blocks. {@link #tryPlace} and the closing of a placement take no lock while nobody
 * waits. Listeners, sinks and futures run on the executor that was given, by default the common pool.
 *
 * <p>Run it on a stable node, not on one of its substrates. Several routers that share substrates do not see each other's leases before
 * the next status.
 */
public final class SubstrateRouter implements AutoCloseable {
    private final Engine engine;
    private final Failover failover;
    private final Reloads reloads;
    private final Views views;
    private final FiguresView figures;
    private final Housekeeping housekeeping;
    private final @Nullable PolicySource policySource;
    /** What others have started must not be closed, nor what nobody has. */
    private volatile boolean policySourceStarted;

    private final @Nullable SystemTimeSource ownTime;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SubstrateRouter(Builder builder) {
        policySource = builder.policySource;
        Policy policy = policySource != null ? policySource.current() : builder.requirePolicy();
        Reloads.First first = new Reloads.First(policy, builder.seed);
        ownTime = builder.timeSource == null ? new SystemTimeSource(builder.name + "-scheduler") : null;
        TimeSource time = builder.timeSource != null ? builder.timeSource : Objects.requireNonNull(ownTime);
        engine = new Engine(builder, builder.name, time, first.revision);
        failover = new Failover(engine);
        reloads = first.with(engine);
        views = new Views(engine);
        figures = new FiguresView(engine, reloads);
        housekeeping = new Housekeeping(engine, reloads, views);
    }

    /** A builder; a policy is all it needs. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Places a request, waiting up to its limit.
     *
     * @return where it runs; must be closed
     * @throws RoutingException when it is refused
     * @throws InterruptedException when the thread is interrupted before or while it waits; nothing is held then
     */
    public Placement place(RouteRequest request) throws InterruptedException {
        Journey journey = engine.begin(request);
        return engine.placing().place(journey, journey.ask(), false);
    }

    /**
     * Places a request now.
     *
     * @return where it runs; must be closed; empty when everything is busy now
     * @throws RoutingException when it is refused for any other reason
     */
    public Optional<Placement> tryPlace(RouteRequest request) {
        Journey journey = engine.begin(request);
        return Optional.ofNullable(engine.placing().tryPlace(journey, journey.ask()));
    }

    /**
     * Places a request, waiting up to its limit. Never throws and never blocks.
     *
     * @return completes with where it runs, which must be closed, or with the {@link RoutingException} itself; cancelling it withdraws the
     *     request
     */
    public CompletableFuture<Placement> placeAsync(RouteRequest request) {
        Journey journey = engine.begin(request);
        return engine.placing().placeAsync(journey, journey.ask(), false);
    }

    /**
     * Places a request and does its work there, elsewhere when a substrate fails it, as long as nothing was committed, the work may run
     * twice, and there is a candidate that has not failed it yet.
     *
     * @return what the work returned
     * @throws RoutingException when it is refused before any attempt
     * @throws X what the last attempt threw; a refusal after it is suppressed in it
     * @throws InterruptedException when the thread is interrupted before or while it waits, or the work was
     */
    public <T, X extends Exception> T call(RouteRequest request, Work<T, X> work) throws X, InterruptedException {
        return failover.call(request, Objects.requireNonNull(work, "work"));
    }

    /**
     * As {@link #call}, for work that ends later. Never throws and never blocks. The work is started on the calling thread when it is placed
     * at once, else on the executor.
     *
     * @return completes with what the work's stage completes with, or with the {@link RoutingException} itself; cancelling it withdraws the
     *     request and cancels the work's stage. The lease is held until that stage has completed, whatever is done with this future
     */
    public <T> CompletableFuture<T> callAsync(RouteRequest request, AsyncWork<T> work) {
        return new AsyncCall<>(engine, failover, request, Objects.requireNonNull(work, "work")).start();
    }

    /**
     * Places a request everywhere at once: a lease on every admissible substrate that satisfies its contract, at most one each; on overflow
     * substrates only when there is no other. Never waits. Each placement has its own trace.
     *
     * @return the placements, each of which must be closed; empty when everything is busy now
     * @throws RoutingException when it is refused for any other reason
     */
    public List<Placement> placeAll(RouteRequest request) {
        return new Broadcast(engine, request).place();
    }

    /**
     * Where a request would go now. Has no effect at all.
     *
     * @throws RoutingException when it could never be placed
     */
    public Recommendation recommend(RouteRequest request) {
        return views.recommend(request);
    }

    /** Every substrate of the policy as it stands now. */
    public List<SubstrateView> substrates() {
        return views.substrates();
    }

    /** Every workload, how it is placed, and who serves it now. */
    public List<RouteView> routes() {
        return views.routes();
    }

    /**
     * The figures of this moment, for dashboards.
     *
     * @see #figures(Duration)
     */
    public RouterFigures figures() {
        return figures.now();
    }

    /**
     * As {@link #figures()}, or those that somebody has asked for before, if they are not older: so that whoever shows many figures one
     * after the other shows such that belong together, and looks once.
     *
     * @param age how old they may be, by the router's time source
     */
    public RouterFigures figures(Duration age) {
        return figures.notOlderThan(Engine.saturated(age));
    }

    /** The traces of the last requests that have ended, the newest first. */
    public List<RoutingTrace> recentTraces() {
        return engine.observers().recentTraces();
    }

    /** The candidates whose work takes a different time than the policy says, by more than its {@code drift_factor}. */
    public List<Drift> drift() {
        return views.drift();
    }

    /**
     * Attaches a listener that is told at once, on the threads of the requests. May be attached while the router runs; what was placed
     * before and ends after is told too. One that is attached twice is told twice.
     *
     * @return cancelling it takes the listener out; calls that have begun may still be under way then
     */
    public Cancellable attach(InlineListener listener) {
        return engine.observers().inline().attach(Objects.requireNonNull(listener, "listener"));
    }

    /** Where listeners, sinks and futures run: the executor that was given, by default the common pool. It may refuse, and may block. */
    public Executor executor() {
        return engine.executor();
    }

    /**
     * Tells what became known of a request's answer later. It is added to the request's trace, where that is still among the recent ones,
     * and told to the sinks in any case.
     */
    public void observe(String requestId, Observation observation) {
        engine.observers()
                .observe(
                        Objects.requireNonNull(requestId, "requestId"),
                        Objects.requireNonNull(observation, "observation"));
    }

    /**
     * Whether somebody may use an operator method, by the policy's roles; without roles anybody may. The operator methods themselves check
     * nothing.
     */
    public boolean mayOperate(String identity, Operation op) {
        return engine.revision()
                .compiled
                .mayOperate(Objects.requireNonNull(identity, "identity"), Objects.requireNonNull(op, "op"));
    }

    /**
     * Puts a policy in force. Running work is not touched; who waits is looked at again under the new policy.
     *
     * @throws PolicyException when it cannot be used; the policy in force stays
     * @throws IllegalStateException when the router is closed
     */
    public void reload(Policy policy) {
        reloads.reload(Objects.requireNonNull(policy, "policy"));
    }

    /** The policy in force, with its revision. */
    public Policy policy() {
        return engine.revision().compiled.policy;
    }

    /**
     * The last policy that was turned down since the one in force was put there, with its problems, whether it came by {@link #reload} or from
     * the policy source; empty: none. The next good policy clears it.
     */
    public Optional<PolicyException> rejectedPolicy() {
        return reloads.rejected();
    }

    /**
     * Tells the status of a substrate, by hand. It has seen every lease that is open at this call.
     *
     * @throws IllegalArgumentException if the policy has no such substrate
     */
    public void reportStatus(String substrateId, SubstrateStatus status) {
        engine.intake().report(substrateId, Objects.requireNonNull(status, "status"));
    }

    /**
     * Takes a substrate out: nothing new is placed there, requests wait.
     *
     * @throws IllegalArgumentException if the policy has no such substrate
     */
    public void cordon(String id) {
        engine.operators().cordon(id);
    }

    /**
     * Puts a substrate back, with its full share at once.
     *
     * @throws IllegalArgumentException if the policy has no such substrate
     */
    public void uncordon(String id) {
        engine.operators().uncordon(id);
    }

    /**
     * Takes a substrate out until {@link #uncordon}.
     *
     * @return completes when none of the router's leases is open there any more
     * @throws IllegalArgumentException if the policy has no such substrate
     */
    public CompletableFuture<Void> drain(String id) {
        return engine.operators().drain(id);
    }

    /**
     * Ends an ejection, forgets every fault, and asks for a fresh status.
     *
     * @throws IllegalArgumentException if the policy has no such substrate
     */
    public void reset(String id) {
        engine.operators().reset(id);
    }

    /**
     * Has a substrate restarted by the host's {@link SubstrateOperator}, out of the way of requests: takes it out, has it restarted, waits
     * for the router's own leases at most as long as a status stays fresh, resets it, asks for a status, and lifts the cordon it set.
     *
     * @return completes when it is back, exceptionally when the restart failed or the builder was given no operator
     * @throws IllegalArgumentException if the policy has no such substrate
     */
    public CompletableFuture<Void> kick(String id) {
        return engine.operators().kick(id);
    }

    /**
     * Waits until every workload with a route or a pin has a candidate that passes its gate.
     *
     * @return false when the time was up before
     * @throws InterruptedException when interrupted
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return engine.signal().await(views::ready, timeout, Duration.ofMillis(100));
    }

    /**
     * Takes no new work, refuses who waits, waits for the leases, and closes.
     *
     * @return whether every lease came back in time
     * @throws InterruptedException when interrupted; the router is closed all the same
     */
    public boolean shutdown(Duration timeout) throws InterruptedException {
        engine.refuseAll();
        try {
            return engine.signal().await(this::allBack, timeout, Duration.ofMillis(100));
        } finally {
            close();
        }
    }

    /** Takes no new work, refuses who waits, and frees everything. Open placements can still be closed. Calling it again does nothing. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        engine.refuseAll();
        housekeeping.stop();
        if (policySource != null && policySourceStarted) {
            Engine.guarded("closing the policy source", policySource::close);
        }
        engine.intake().close();
        engine.operators().close();
        if (ownTime != null) {
            ownTime.close();
        }
    }

    @Override
    public String toString() {
        return "SubstrateRouter[" + engine.name() + ", revision " + engine.revision().number
                + (closed.get() ? ", closed" : "") + "]";
    }

    private boolean allBack() {
        return Views.leases(reloads.cells(), engine.time().nanos()) == 0;
    }

    private SubstrateRouter started() {
        boolean started = false;
        try {
            engine.intake().start();
            if (policySource != null) {
                policySource.start(reloads);
                policySourceStarted = true;
            }
            housekeeping.start();
            started = true;
            return this;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** Builds a {@link SubstrateRouter}. Not thread-safe. */
    public static final class Builder {
        @Nullable
        Policy policy;

        @Nullable
        PolicySource policySource;

        final List<StatusSource> statusSources = new ArrayList<>();
        final List<RouterListener> listeners = new ArrayList<>();
        final List<TraceSink> sinks = new ArrayList<>();
        FaultClassifier classifier = FaultClassifier.standard();
        final List<HealthPredicate> predicates = new ArrayList<>();

        @Nullable
        Authorizer authorizer;

        @Nullable
        SubstrateOperator operator;

        @Nullable
        TraceContext traceContext;

        Executor executor = ForkJoinPool.commonPool();

        @Nullable
        TimeSource timeSource;

        String name = "router";
        int recentTraces = 256;
        boolean log = true;
        long seed = new SplittableRandom().nextLong();

        private Builder() {}

        /** The policy; this or {@link #policySource} is required. */
        public Builder policy(Policy value) {
            policy = Objects.requireNonNull(value, "policy");
            return this;
        }

        /** Where the policy comes from; the router starts and closes it. */
        public Builder policySource(PolicySource value) {
            policySource = Objects.requireNonNull(value, "policySource");
            return this;
        }

        /** One more source of statuses; the router starts and closes it. None: the host reports. */
        public Builder statusSource(StatusSource value) {
            statusSources.add(Objects.requireNonNull(value, "statusSource"));
            return this;
        }

        /** One more listener. */
        public Builder listener(RouterListener value) {
            listeners.add(Objects.requireNonNull(value, "listener"));
            return this;
        }

        /** One more trace sink. */
        public Builder traceSink(TraceSink value) {
            sinks.add(Objects.requireNonNull(value, "traceSink"));
            return this;
        }

        /** Who finds out whose fault a failure is; default {@link FaultClassifier#standard()}. */
        public Builder faultClassifier(FaultClassifier value) {
            classifier = Objects.requireNonNull(value, "faultClassifier");
            return this;
        }

        /** The host's own word on who may ask for what, beside the policy's roles; default: it has none. */
        public Builder authorizer(Authorizer value) {
            authorizer = Objects.requireNonNull(value, "authorizer");
            return this;
        }

        /** One more condition that every status must pass. */
        public Builder healthPredicate(HealthPredicate value) {
            predicates.add(Objects.requireNonNull(value, "healthPredicate"));
            return this;
        }

        /** How workers are restarted; default: {@link SubstrateRouter#kick} fails. */
        public Builder operator(SubstrateOperator value) {
            operator = Objects.requireNonNull(value, "operator");
            return this;
        }

        /** In which trace of the host's own tracing a request is made; default: nobody is asked, and traces have no such id. */
        public Builder traceContext(TraceContext value) {
            traceContext = Objects.requireNonNull(value, "traceContext");
            return this;
        }

        /** Where listeners, sinks, futures and operators run; default the common pool. The router never shuts it down. */
        public Builder executor(Executor value) {
            executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** The time to live by; default the machine's. */
        public Builder timeSource(TimeSource value) {
            timeSource = Objects.requireNonNull(value, "timeSource");
            return this;
        }

        /** The router's name in logs, thread names and request ids; default {@code router}. */
        public Builder name(String value) {
            name = Objects.requireNonNull(value, "name");
            return this;
        }

        /**
         * How many traces are kept for {@link SubstrateRouter#recentTraces()}; default 256.
         *
         * @throws IllegalArgumentException unless 0 to 100,000
         */
        public Builder recentTraces(int value) {
            if (value < 0 || value > 100_000) {
                throw new IllegalArgumentException("recentTraces: " + value + " (expected: 0 to 100000)");
            }
            recentTraces = value;
            return this;
        }

        /**
         * Whether events, and candidates that a policy can never use, are told in the log; default true. Listeners are told in any case, and
         * foreign code that throws is logged in any case.
         */
        public Builder log(boolean value) {
            log = value;
            return this;
        }

        /** The seed of all randomness, so that a run can be repeated; default: different each time. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /**
         * The router, running.
         *
         * @throws IllegalStateException if there is neither a policy nor a policy source, or both
         * @throws PolicyException if the policy cannot be used
         */
        public SubstrateRouter build() {
            if (policy != null && policySource != null) {
                throw new IllegalStateException("policy and policySource: both given (expected: one of them)");
            }
            SubstrateRouter router = new SubstrateRouter(this);
            try {
                return router.started();
            } catch (RuntimeException | Error failed) {
                router.close(); // what has been started already
                throw failed;
            }
        }

        private Policy requirePolicy() {
            if (policy == null) {
                throw new IllegalStateException("policy: absent (expected: a policy or a policySource)");
            }
            return policy;
        }
    }
}
