package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.WaitQueue;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one router share: the revision in force, the queue, time, and how the end of a lease reaches whoever waits for it.
 * Thread-safe; nothing here blocks.
 */
final class Engine {
    private static final int MAX_WORDS = 512;
    private static final int MAX_CAUSES = 32;

    private final String name;
    private final TimeSource time;
    private final Executor executor;
    private final FaultClassifier classifier;
    private final Observers observers;
    private final WaitQueue<Pending> queue = new WaitQueue<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Signal signal = new Signal();
    private final Placing placing;
    private final StatusIntake intake;
    private final Operators operators;
    private volatile Revision revision;
    private volatile boolean closed;

    Engine(SubstrateRouter.Builder builder, String name, TimeSource time, Revision first) {
        this.name = name;
        this.time = time;
        this.executor = builder.executor;
        this.classifier = builder.classifier;
        this.revision = first;
        this.observers = new Observers(name, time, executor, builder.listeners, builder.sinks, builder.recentTraces);
        this.intake = new StatusIntake(this, builder.statusSources, builder.predicates);
        this.operators = new Operators(this, builder.operator);
        this.placing = new Placing(this, queue);
    }

    String name() {
        return name;
    }

    TimeSource time() {
        return time;
    }

    Observers observers() {
        return observers;
    }

    WaitQueue<Pending> queue() {
        return queue;
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
        placing.refuseAll();
    }

    Journey begin(RouteRequest request) {
        return new Journey(this, request, numbers.incrementAndGet(), time.nanos());
    }

    /** A request that only looks, and leaves no trace of itself. */
    Journey peek(RouteRequest request) {
        return new Journey(this, request, Long.MAX_VALUE, time.nanos());
    }

    /** Ends a lease and lets everybody know whom that concerns. */
    void release(Cell cell, Lease lease, GateState.End end, boolean linger, long now) {
        Cell.Change change = cell.end(lease, end, linger, now);
        if (change == null) {
            return;
        }
        cell.drainEvents(observers::tell);
        operators.freed(cell, change.after());
        if (queue.waiting() > 0) {
            if (seen(change, lease)) {
                intake.refresh(change.after().plan.id);
            }
            placing.serve();
        }
        signal.raise();
    }

    /** Tells what the taking of a lease has made happen. */
    void drain(Grant grant) {
        grant.decision()
                .revision
                .cell(grant.decision().candidate().substrate.index)
                .drainEvents(observers::tell);
    }

    /** Whose fault a failure is; a classifier that throws, or knows no answer, blames the request. */
    @SuppressWarnings("CatchingUnchecked") // foreign code must not keep a lease from ending
    FaultKind classify(Throwable t) {
        try {
            return Objects.requireNonNull(classifier.classify(t), "FaultClassifier.classify returned null");
        } catch (RuntimeException | Error broken) {
            System.getLogger("dev.substraterouter")
                    .log(System.Logger.Level.WARNING, "the fault classifier threw; the request is blamed", broken);
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
            } catch (RuntimeException | Error unspeakable) {
                return null;
            }
        }
        return null;
    }

    /** Runs foreign code, or what leads to it, on the executor; on this thread when that does not take it, for whatever reason. */
    @SuppressWarnings("CatchingUnchecked") // an executor that is out of threads must not cost anybody a grant
    void execute(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (!begun.getAndSet(true)) {
                task.run();
            }
        };
        try {
            executor.execute(once);
        } catch (RuntimeException | Error notTaken) {
            if (begun.get()) {
                throw notTaken; // it ran on this thread, and threw itself
            }
            once.run();
        }
    }

    Executor executor() {
        return executor;
    }

    /** The wall clock at a moment, for people. */
    Instant wallAt(long nanos) {
        return time.wall().minusNanos(time.nanos() - nanos);
    }

    /** A duration in nanoseconds, at most a few lifetimes. */
    static long saturated(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE >> 1)) > 0 ? Long.MAX_VALUE >> 1 : duration.toNanos();
    }

    /** A failure in words, short enough to keep. */
    @SuppressWarnings("CatchingUnchecked") // a failure that cannot say what it is must not keep a lease from ending
    static String words(Throwable t) {
        String text;
        try {
            text = String.valueOf(t);
        } catch (RuntimeException | Error unspeakable) {
            text = t.getClass().getName();
        }
        return text.length() <= MAX_WORDS ? text : text.substring(0, MAX_WORDS);
    }

    private static boolean seen(Cell.Change change, Lease lease) {
        Reading figures = change.before().gate.figures();
        return figures != null && figures.asked() - Cell.SEEN_SLACK_NANOS - lease.startNanos >= 0;
    }
}
