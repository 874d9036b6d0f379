package dev.substraterouter.probe.http;

import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When one address is asked: in turn, out of turn, never twice at a time.
 *
 * <p>The state is small and sits under one lock that is only ever held for a few assignments; the sink, the asker, the executor and the
 * time source are called outside of it. {@code call} is the question in flight, and being it decides every race: whoever takes a call out of
 * the field (the answer, the time limit, the stop) has ended it, and everybody else finds that it is no longer theirs and does nothing.
 * {@code turn} does the same for the timer of the next question: a timer that fires late finds that its turn has passed.
 *
 * <ul>
 *   <li>Answer against time limit: one of the two ends the call; the other is dropped.
 *   <li>Answer against stop: likewise, except that an answer that is being told at that very moment is still told. The sink's ticket
 *       knows whether the substrate is still there.
 *   <li>Refresh against a call in flight: the call keeps {@code again} in mind, however often it is asked, and its end begins exactly one
 *       more call in place of the pause. Refresh against the end of a call: either before it (as above) or after it (a call at once).
 *   <li>Refresh against the timer: whoever begins the call first moves the turn on, which calls the other off.
 *   <li>Stop against start: a stopped poller begins nothing.
 * </ul>
 *
 * <p>The pause: the next question leaves {@code every} ± 10 % after the one before left, drawn anew each time so that nobody stays in phase,
 * but at most a second after an answer that changed what the address says of being ready, so that an edge is confirmed soon.
 */
final class Poller {
    private static final Duration EDGE_PAUSE = Duration.ofSeconds(1);
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final double JITTER = 0.1;

    private final Address address;
    private final Asker asker;
    private final StatusSink sink;
    private final TimeSource time;
    private final Executor executor;
    private final RandomGenerator random; // guarded by lock

    private final Object lock = new Object();
    private @Nullable Call call; // guarded by lock
    private boolean again; // guarded by lock
    private boolean stopped; // guarded by lock
    private boolean ready = true; // guarded by lock
    private long turn; // guarded by lock
    private @Nullable Cancellable timer; // guarded by lock

    Poller(
            Address address,
            Asker.Source askers,
            StatusSink sink,
            TimeSource time,
            Executor executor,
            RandomGenerator random) {
        this.address = address;
        this.asker = askers.to(address);
        this.sink = sink;
        this.time = time;
        this.executor = executor;
        this.random = random;
    }

    /** Asks for the first time after a delay, unless a refresh has done so before. */
    void start(Duration delay) {
        schedule(delay, true);
    }

    /** Asks now, or once more right after the call that is in flight. */
    void refresh() {
        long now = time.nanos();
        Call begun;
        synchronized (lock) {
            if (call != null) {
                again = true;
                return;
            }
            begun = begin(now);
        }
        run(begun);
    }

    /** Asks no more and drops what is on its way. */
    void stop() {
        Call dropped;
        Cancellable pending;
        synchronized (lock) {
            stopped = true;
            dropped = call;
            call = null;
            pending = timer;
            timer = null;
        }
        if (pending != null) {
            pending.cancel();
        }
        if (dropped != null) {
            dropped.release();
        }
    }

    private void schedule(Duration delay, boolean first) {
        long mine;
        synchronized (lock) {
            if (stopped || call != null || (first && turn > 0)) {
                return;
            }
            mine = ++turn;
        }
        Cancellable surplus = time.schedule(delay, () -> due(mine));
        synchronized (lock) {
            if (!stopped && turn == mine) {
                Cancellable replaced = timer;
                timer = surplus;
                surplus = replaced;
            }
        }
        if (surplus != null) {
            surplus.cancel();
        }
    }

    private void due(long mine) {
        long now = time.nanos();
        Call begun;
        synchronized (lock) {
            if (turn != mine) {
                return;
            }
            begun = begin(now);
        }
        run(begun);
    }

    /** Called under the lock, with no call in flight. */
    private @Nullable Call begin(long now) {
        if (stopped) {
            return null;
        }
        turn++;
        Call begun = new Call(now, timer);
        timer = null;
        call = begun;
        return begun;
    }

    private void run(@Nullable Call begun) {
        if (begun != null) {
            begun.run();
        }
    }

    private boolean isCurrent(Call asked) {
        synchronized (lock) {
            return call == asked;
        }
    }

    /**
     * Ends a call; the first to do so tells (unless there is nothing to tell, or nobody to tell it to) and goes on, the others come too
     * late.
     */
    private void end(Call ended, boolean nowReady, @Nullable Consumer<StatusTicket> tell) {
        long took = time.nanos() - ended.begun;
        boolean more;
        Duration pause;
        synchronized (lock) {
            if (call != ended) {
                return;
            }
            call = null;
            more = again;
            again = false;
            pause = pause(took, ready != nowReady);
            ready = nowReady;
        }
        ended.release();
        if (tell != null) {
            ended.tell(tell);
        }
        if (more) {
            refresh();
        } else {
            schedule(pause, false);
        }
    }

    private Duration pause(long tookNanos, boolean edge) {
        double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
        long rest = (long) (address.every().toNanos() * factor) - tookNanos;
        if (edge) {
            rest = Math.min(rest, EDGE_PAUSE.toNanos());
        }
        return Duration.ofNanos(Math.max(rest, LEAST.toNanos()));
    }

    @Override
    public String toString() {
        return address.toString();
    }

    /** One question in flight. */
    private final class Call implements Asker.Reply {
        private final long begun;
        private final @Nullable Cancellable inTurn;
        private volatile @Nullable StatusTicket ticket;
        private volatile @Nullable Cancellable limit;
        private volatile @Nullable Cancellable question;

        Call(long begun, @Nullable Cancellable inTurn) {
            this.begun = begun;
            this.inTurn = inTurn;
        }

        /** The executor asks: no name is looked up and no file read on the time source's thread. */
        void run() {
            if (inTurn != null) {
                inTurn.cancel();
            }
            Cancellable timeLimit = time.schedule(address.timeout(), () -> hand(this::timedOut));
            limit = timeLimit;
            if (isCurrent(this)) {
                hand(this::ask);
            } else {
                timeLimit.cancel();
            }
        }

        private void hand(Runnable task) {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException refused) {
                end(this, false, null); // a host's executor that is shut down: nobody is left to tell
            }
        }

        private void ask() {
            if (!isCurrent(this)) {
                return;
            }
            try {
                Cancellable asked = asker.ask(this);
                question = asked;
                if (!isCurrent(this)) {
                    asked.cancel();
                }
            } catch (RuntimeException broken) {
                failed("failed: " + broken.getClass().getSimpleName());
            }
        }

        private void timedOut() {
            String reason = Reasons.timedOut(address.timeout());
            failed(ticket == null ? reason + " before it could be asked" : reason + " (" + address.place() + ")");
        }

        @Override
        public boolean sending() {
            if (!isCurrent(this)) {
                return false;
            }
            try {
                ticket = sink.asking(address.substrateId(), address.source());
            } catch (RuntimeException thrown) {
                log(thrown);
                end(this, false, null);
            }
            return isCurrent(this);
        }

        @Override
        public void answered(SubstrateStatus status) {
            end(this, status.reachable(), told -> told.answered(status));
        }

        @Override
        public void failed(String reason) {
            end(this, false, told -> told.failed(reason));
        }

        /** Called by whoever ended the call. */
        void release() {
            Cancellable asked = question;
            if (asked != null) {
                asked.cancel();
            }
            Cancellable timeLimit = limit;
            if (timeLimit != null) {
                timeLimit.cancel();
            }
        }

        /** A sink that throws is logged and loses this answer, never the next. */
        void tell(Consumer<StatusTicket> how) {
            try {
                StatusTicket held = ticket;
                how.accept(held != null ? held : sink.asking(address.substrateId(), address.source()));
            } catch (RuntimeException thrown) {
                log(thrown);
            }
        }

        private void log(RuntimeException thrown) {
            System.getLogger(HttpStatusProbe.class.getName())
                    .log(System.Logger.Level.WARNING, "the status sink failed for " + address, thrown);
        }
    }
}
