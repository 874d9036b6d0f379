package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Authorizer;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one router share: the revision in force, the queue, time, and how the end of a lease reaches whoever waits for it.
 * Thread-safe; nothing here blocks.
 */
final class Engine {
    private static final int MAX_WORDS = 512;
    private static final int MAX_CAUSES = 32;

    /** How many decisions the flight recorder is told of in a second: at a hundred times the usual load it is not what costs most. */
    private static final int RECORDED = 10_000;

    private static final int TOKENS = 36 * 36 * 36 * 36;

    private final String name;
    /** Before the numbers of requests: two routers of one name, or one that is started again, must not give the same ids. */
    private final String prefix;

    private final TimeSource time;
    private final Executor executor;
    private final FaultClassifier classifier;
    private final @Nullable Authorizer authorizer;
    private final @Nullable TraceIds traceIds;
    private final boolean logs;
    private final Observers observers;
    private final Counter numbers = new Counter();
    private final Pace recordings;
    private final Signal signal;
    private final Waiting waiting;
    private final Placing placing;
    private final StatusIntake intake;
    private final Operators operators;
    private volatile Revision revision;
    private volatile boolean closed;

    Engine(SubstrateRouter.Builder builder, String name, TimeSource time, Revision first) {
        this.name = name;
        int token = new SplittableRandom(builder.seed).nextInt(TOKENS);
        this.prefix = name + "-" + Integer.toString(token + TOKENS, 36).substring(1);
        this.time = time;
        this.recordings = new Pace(RECORDED, time);
        this.signal = new Signal(time);
        this.executor = builder.executor;
        this.classifier = builder.classifier;
        this.authorizer = builder.authorizer;
        this.traceIds = builder.traceContext == null ? null : new TraceIds(builder.traceContext, time);
        this.logs = builder.log;
        this.revision = first;
        this.observers = new Observers(name, time, builder);
        this.intake = new StatusIntake(this, builder.statusSources, builder.predicates);
        this.operators = new Operators(this, builder.operator);
        this.waiting = new Waiting(this);
        this.placing = new Placing(this, waiting);
    }

    String name() {
        return name;
    }

    /** Stands before the number in the ids that the router gives. */
    String prefix() {
        return prefix;
    }

    TimeSource time() {
        return time;
    }

    Executor executor() {
        return executor;
    }

    Observers observers() {
        return observers;
    }

    Waiting waiting() {
        return waiting;
    }

    Placing placing() {
        return placing;
    }

    StatusIntake intake() {
        return intake;
    }

    Operators operators() {
        return operators;
    }

    Signal signal() {
        return signal;
    }

    /** The revision in force. */
    Revision revision() {
        return revision;
    }

    void revision(Revision next) {
        revision = next;
    }

    boolean closed() {
        return closed;
    }

    /** Takes no new work from now on, and refuses who waits. */
    void refuseAll() {
        closed = true;
        waiting.refuseAll();
    }

    Journey begin(RouteRequest request) {
        return begin(request, request.mode());
    }

    /** A request that a call drives: live, whatever it says. */
    Journey beginCall(RouteRequest request) {
        return begin(request, PlacementMode.INTERACTIVE);
    }

    /** One more journey of a request that a call drives, in the same trace of the host. */
    Journey beginLike(Journey first) {
        Ask ask = Ask.of(first.request(), 1 + numbers.next(), time.nanos());
        boolean recorded = Flight.recordsDecisions() && recordings.lets(ask.arrivalNanos());
        return new FollowedJourney(this, ask, PlacementMode.INTERACTIVE, first.traceId(), recorded);
    }

    private Journey begin(RouteRequest request, PlacementMode mode) {
        Ask ask = Ask.of(request, 1 + numbers.next(), time.nanos());
        boolean recorded = Flight.recordsDecisions() && recordings.lets(ask.arrivalNanos());
        return traceIds == null && !recorded
                ? new Journey(this, ask, mode)
                : new FollowedJourney(this, ask, mode, traceIds == null ? null : traceIds.current(), recorded);
    }

    /** A request that only looks, and leaves no trace of itself. */
    Journey peek(RouteRequest request) {
        return new Journey(this, Ask.uncounted(request, time.nanos()), request.mode());
    }

    /** The id of a request: its own, or one that the router gives it. */
    String idOf(Ask ask) {
        return ask.request().requestId().orElseGet(() -> prefix + "-" + ask.number());
    }

    /** Ends a lease and lets everybody know whom that concerns. */
    void release(Cell cell, Lease lease, GateState.End end, boolean linger, long now) {
        CellState before = cell.end(lease, end, linger, now);
        if (before == null) {
            return;
        }
        observers.drain(cell);
        operators.freed(cell);
        if (waiting.any()) {
            if (seen(before, lease)) {
                intake.refresh(before.plan.id);
            }
            waiting.serve();
        }
        signal.raise();
    }

    /** Brings every substrate to what time has made of it. */
    void settle(long now) {
        Revision current = revision;
        for (int substrate = 0; substrate < current.substrates(); substrate++) {
            settle(current.cell(substrate), now);
        }
    }

    /** Brings one substrate to what time has made of it, and lets everybody know whom that concerns. */
    CellState settle(Cell cell, long now) {
        CellState state = cell.settle(now);
        observers.drain(cell);
        operators.freed(cell);
        return state;
    }

    /** Whether what happens is told in the log; what is wrong with foreign code is in any case. */
    boolean logs() {
        return logs;
    }

    /** Whether the host has a word on who may ask for what. */
    boolean asksHost() {
        return authorizer != null;
    }

    /** What the host itself has against a request; null: nothing. An authorizer that throws has something against it. */
    @SuppressWarnings("CatchingUnchecked") // foreign code must not open what it guards
    @Nullable
    String objection(Journey journey, RoutePlan route) {
        if (authorizer == null) {
            return null;
        }
        RouteRequest request = journey.request();
        Optional<String> workload = request.need().isPresent() ? Optional.empty() : Optional.of(request.workload());
        try {
            return authorizer
                    .objection(new Authorizer.Access(
                            request.identity(), route.roles, workload, route.need(), journey.priority()))
                    .orElse(null);
        } catch (Throwable broken) {
            Log.warning("the authorizer threw; the request is refused", broken);
            return "the authorizer failed";
        }
    }

    /** Whose fault a failure is; a classifier that throws, or knows no answer, blames the request. */
    @SuppressWarnings("CatchingUnchecked") // foreign code must not keep a lease from ending
    FaultKind classify(Throwable t) {
        try {
            return Objects.requireNonNull(classifier.classify(t), "FaultClassifier.classify returned null");
        } catch (Throwable broken) {
            Log.warning("the fault classifier threw; the request is blamed", broken);
            return FaultKind.REQUEST;
        }
    }

    /** How long a worker that said it is full is left alone. */
    long busyNanos(Throwable t, Revision decidedBy) {
        BackpressureException full = backpressure(t);
        return full != null && full.retryAfter().compareTo(Duration.ZERO) > 0
                ? saturated(full.retryAfter())
                : decidedBy.compiled.policy.poll().every().toNanos();
    }

    /** The worker's own word among the causes of a failure, if it is there; causes may go round in a circle, or throw. */
    @SuppressWarnings("CatchingUnchecked") // foreign code must not keep a lease from ending
    static @Nullable BackpressureException backpressure(Throwable t) {
        Throwable cause = t;
        for (int depth = 0; depth < MAX_CAUSES && cause != null; depth++) {
            if (cause instanceof BackpressureException full) {
                return full;
            }
            try {
                cause = cause.getCause();
            } catch (Throwable unspeakable) {
                return null;
            }
        }
        return null;
    }

    /** Runs foreign code, or what leads to it, on the executor; on this thread when that does not take it, for whatever reason. */
    @SuppressWarnings("CatchingUnchecked") // somebody waits for what the task tells
    void execute(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (!begun.getAndSet(true)) {
                task.run();
            }
        };
        try {
            executor.execute(once);
        } catch (Throwable refused) {
            Log.debug("the executor threw; its task runs on the calling thread", refused);
            once.run();
        }
    }

    /** Runs foreign code whose failure must not stop what comes after it. */
    @SuppressWarnings("CatchingUnchecked") // whatever foreign code throws is logged
    static void guarded(String what, Runnable foreign) {
        try {
            foreign.run();
        } catch (Throwable broken) {
            Log.warning(what + " threw; nothing else is affected", broken);
        }
    }

    /** The wall clock at a moment, for people. */
    Instant wallAt(long nanos) {
        return time.wall().minusNanos(time.nanos() - nanos);
    }

    /** A duration in nanoseconds, at most a few lifetimes. */
    static long saturated(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE >> 1)) > 0 ? Long.MAX_VALUE >> 1 : duration.toNanos();
    }

    /** What sort of failure it is: safe to tell to anybody, since it holds nothing of the request. */
    @SuppressWarnings("CatchingUnchecked") // a failure that cannot tell its cause must not keep a lease from ending
    static String sort(@Nullable Throwable t) {
        try {
            return t == null
                    ? "null"
                    : StandardFaultClassifier.unwrapped(t).getClass().getName();
        } catch (Throwable unspeakable) {
            return t.getClass().getName();
        }
    }

    /** A failure in words, short enough to keep; may hold content of the request, so it goes into its trace only. */
    @SuppressWarnings("CatchingUnchecked") // a failure that cannot say what it is must not keep a lease from ending
    static String words(Throwable t) {
        String text;
        try {
            text = t.toString();
        } catch (Throwable unspeakable) {
            text = null;
        }
        text = text == null ? t.getClass().getName() : text;
        return text.length() <= MAX_WORDS ? text : text.substring(0, MAX_WORDS);
    }

    private static boolean seen(CellState before, Lease lease) {
        Reading figures = before.gate.health.figures();
        return figures != null && figures.asked() - Cell.SEEN_SLACK_NANOS - lease.startNanos >= 0;
    }
}
