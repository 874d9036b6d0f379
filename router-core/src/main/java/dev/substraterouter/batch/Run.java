package dev.substraterouter.batch;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of one job: starts it, keeps its claim, does the work, and records how it ended.
 *
 * <p><b>How the races end.</b> Calling off (a cancel, a lost claim) and the end of the work meet in the {@link Seat}: who is called off
 * records nothing. Recording and everybody else's step on the job meet in the store, which refuses a void claim; then the result is
 * thrown away here too. An end that could not be recorded is kept, with its claim, and recorded later. A run is over once.
 */
final class Run implements Runnable {
    private static final int MOST_WORDS = 500;
    private static final int MOST_CAUSES = 32;

    private final Drain drain;
    private final BatchClaim claim;
    private final Placement placement;
    private final BatchJob job;
    private final Seat seat = new Seat();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile long claimedNanos;
    private volatile @Nullable Cancellable renewal;

    Run(Drain drain, BatchClaim claim, Placement placement, long claimedNanos) {
        this.drain = drain;
        this.claim = claim;
        this.placement = placement;
        this.claimedNanos = claimedNanos;
        this.job = claim.job().attempts(claim.job().attempts() + 1);
    }

    String id() {
        return job.id();
    }

    /** Records the start and hands the work over. */
    void begin() {
        boolean started = false;
        try {
            started = drain.queue().start(claim, placement.trace());
        } finally {
            if (!started) {
                drop();
            }
        }
        if (started) {
            keepClaim();
            handOver();
        }
    }

    /** Ends the run without recording anything: its claim is void. */
    void callOff() {
        if (seat.callOff() == Seat.Met.NOT_BEGUN) {
            drop();
        }
    }

    @Override
    public void run() {
        if (!seat.take()) {
            return; // who called it off has cleaned up
        }
        byte[] result = null;
        Throwable failure = null;
        boolean mine = false;
        try {
            mine = stillMine();
            if (mine) {
                result = Objects.requireNonNull(drain.work().run(placement, job), "the work's result");
            }
        } catch (Throwable t) { // whatever the work throws, errors included, is its outcome
            failure = t;
        }
        if (!seat.leave() || !mine) {
            callsOff(result);
        } else if (result != null) {
            succeeded(result);
        } else {
            failed(failure == null ? new IllegalStateException("no outcome") : failure);
        }
    }

    // on the way in

    private void handOver() {
        try {
            drain.crew().work().execute(this);
        } catch (RuntimeException | Error refused) {
            BatchLog.warning("the executor does not take the work of batch job " + id() + "; it stays queued", refused);
            if (seat.callOff() == Seat.Met.NOT_BEGUN) {
                giveBack();
            }
        }
    }

    /** Not at once: an executor that takes nothing now will hardly take it in the same look. */
    private void giveBack() {
        placement.close();
        try {
            BatchNote note = new BatchNote("the executor took nothing", Optional.of(placement.trace()), false);
            drain.queue().retry(claim, drain.limits().every(), note);
        } finally {
            drop();
        }
    }

    /** Whether the claim is in force, for certain: one that may have run out while the work waited for its thread is renewed first. */
    private boolean stillMine() {
        if (drain.time().nanos() - claimedNanos < drain.limits().claimFor().toNanos()) {
            return true;
        }
        return renewed();
    }

    // while it runs

    private void keepClaim() {
        Duration third = drain.limits().claimFor().dividedBy(3);
        renewal = drain.time().schedule(third, () -> drain.crew().clerk(this::renew));
    }

    private void renew() {
        if (over.get()) {
            return;
        }
        try {
            if (!renewed()) {
                callOff();
                return;
            }
        } catch (RuntimeException down) {
            BatchLog.warning("the batch store did not renew the claim of job " + id() + "; asking again", down);
        }
        keepClaim();
    }

    private boolean renewed() {
        long asked = drain.time().nanos();
        boolean renewed = drain.queue().renew(claim, drain.limits().claimFor());
        if (renewed) {
            claimedNanos = asked;
        }
        return renewed;
    }

    // on the way out

    private void callsOff(byte @Nullable [] result) {
        if (result != null) {
            placement.succeed(); // the substrate has done its part
        }
        drop();
    }

    private void succeeded(byte[] result) {
        placement.succeed();
        RoutingTrace trace = placement.trace();
        record(() -> drain.queue().complete(claim, result, trace), () -> drain.awaited()
                .succeeded(id(), result));
    }

    private void failed(Throwable t) {
        placement.fail(t);
        RoutingTrace trace = placement.trace();
        BatchNote note = new BatchNote(words(t), Optional.of(trace), counts(trace, t));
        if (note.counted() && job.attempts() >= drain.limits().attempts(job)) {
            record(() -> drain.queue().bury(claim, note), () -> drain.dead(id(), note.reason()));
        } else {
            Duration pause = drain.limits().backoff().after(job.attempts());
            record(() -> drain.queue().retry(claim, pause, note), () -> {});
        }
    }

    private void record(BooleanSupplier step, Runnable then) {
        boolean recorded;
        try {
            recorded = step.getAsBoolean();
        } catch (RuntimeException | Error down) {
            BatchLog.warning("the batch store did not record the end of job " + id() + "; trying again", down);
            drain.time().schedule(drain.limits().every(), () -> drain.crew().clerk(() -> record(step, then)));
            return;
        }
        if (recorded) {
            then.run(); // while it still counts as running: closing does not let go of who waits for it
        }
        over();
        drain.ended();
    }

    private void drop() {
        placement.close();
        over();
        drain.ended();
    }

    private void over() {
        if (!over.getAndSet(true)) {
            Cancellable scheduled = renewal;
            if (scheduled != null) {
                scheduled.cancel();
            }
            drain.over(this);
        }
    }

    /**
     * Whether a failed run counts. One that the substrate never had, or turned away for want of room, says nothing of the job; one that ran it
     * out of memory does.
     */
    private static boolean counts(RoutingTrace trace, Throwable t) {
        Outcome outcome = trace.lastAttempt().map(Attempt::outcome).orElse(Outcome.REQUEST_FAULT);
        return switch (outcome) {
            case NOT_STARTED -> false;
            case BUSY -> ranOutOfMemory(t);
            case OPEN, SUCCEEDED, NODE_FAULT, REQUEST_FAULT, NEUTRAL -> true;
        };
    }

    private static boolean ranOutOfMemory(Throwable failure) {
        Throwable t = failure;
        for (int depth = 0; t != null && depth < MOST_CAUSES; depth++) {
            if (t instanceof SubstrateFaultException) {
                return true;
            }
            t = t.getCause();
        }
        return false;
    }

    private static String words(Throwable t) {
        String words;
        try {
            words = t.toString();
        } catch (RuntimeException broken) {
            words = t.getClass().getName();
        }
        return words.length() > MOST_WORDS ? words.substring(0, MOST_WORDS) : words;
    }
}
