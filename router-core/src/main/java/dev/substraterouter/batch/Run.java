package dev.substraterouter.batch;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of one job: starts it, keeps its claim, does the work, and records how it ended.
 *
 * <p><b>How the races end.</b> Calling off (a cancel, a lost claim) and the end of the work meet in the {@link Seat}: who is called off
 * records nothing. Recording and everybody else's step on the job meet in the store, which refuses a void claim; then the result is
 * thrown away here too. Whoever waits is told after the slot was given back. An end that could not be recorded is kept, with its claim, and recorded later. A run is over once.
 */
final class Run implements Runnable {
    private static final int MOST_CAUSES = 32;

    private final Drain drain;
    private final BatchClaim claim;
    private final Placement placement;
    private final BatchJob job;
    private final Seat seat = new Seat();
    private final AtomicBoolean over = new AtomicBoolean();
    private final RoutingTrace begun;
    private final long agedNanos;
    private volatile long claimedNanos;
    private volatile @Nullable Cancellable renewal;

    Run(Drain drain, BatchClaim claim, Placement placement, long claimedNanos) {
        this.drain = drain;
        this.claim = claim;
        this.placement = placement;
        this.begun = placement.trace();
        this.agedNanos = claimedNanos;
        this.claimedNanos = claimedNanos;
        this.job = claim.job().attempts(claim.job().attempts() + 1);
    }

    String id() {
        return job.id();
    }

    Shape shape() {
        return Shape.of(job.request());
    }

    /** Records the start and hands the work over. Throws nothing. */
    @SuppressWarnings("CatchingUnchecked") // whatever the store throws, it may have taken the start
    void begin() {
        try {
            if (!drain.queue().start(claim, begun)) {
                drop();
                return;
            }
        } catch (Throwable unsure) {
            BatchLog.warning("the batch store did not say whether job " + id() + " may begin; it stays queued", unsure);
            keepClaim(third());
            giveBack("the store did not say whether it may begin");
            return;
        }
        keepClaim(third());
        handOver();
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
        boolean late = false;
        try {
            mine = stillMine();
            late = mine && job.expired(age());
            if (mine && !late) {
                result = Objects.requireNonNull(drain.work().run(placement, job), "the work's result");
            }
        } catch (Throwable t) { // whatever the work throws, errors included, is its outcome
            failure = t;
        }
        if (!seat.leave() || !mine) {
            callsOff(result);
        } else if (late) {
            tooLate();
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
            giveBack("the executor took nothing");
        }
    }

    /** As if it had not begun, but not at once: what did not work now will hardly work in the same look. */
    private void giveBack(String why) {
        if (seat.callOff() == Seat.Met.NOT_BEGUN) {
            RoutingTrace trace = outcome(placement::close);
            BatchNote note = new BatchNote(why, Optional.of(trace), false);
            record(() -> drain.queue().retry(claim, drain.limits().every(), note), () -> {});
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

    private Duration third() {
        return drain.limits().claimFor().dividedBy(3);
    }

    /** Renews after a while; when the clerk takes nothing then, a little later. */
    private void keepClaim(Duration in) {
        renewal = drain.time().schedule(in, () -> {
            if (!over.get() && !drain.crew().clerk(this::renew)) {
                keepClaim(drain.limits().every());
            }
        });
        if (over.get()) {
            stopRenewing();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever the store throws, it must be asked again
    private void renew() {
        if (over.get()) {
            return;
        }
        Duration next = third();
        try {
            if (!renewed()) {
                callOff();
                return;
            }
        } catch (Throwable down) {
            BatchLog.warning("the batch store did not renew the claim of job " + id() + "; asking again", down);
            next = drain.limits().every().compareTo(next) < 0 ? drain.limits().every() : next;
        }
        keepClaim(next);
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
            outcome(placement::succeed); // the substrate has done its part
        }
        drop();
    }

    private void succeeded(byte[] result) {
        RoutingTrace trace = outcome(placement::succeed);
        record(() -> drain.queue().complete(claim, result, trace), () -> drain.awaited()
                .succeeded(id(), result));
    }

    private void failed(Throwable t) {
        RoutingTrace trace = outcome(() -> placement.fail(t));
        BatchNote note = new BatchNote(Words.of(t), Optional.of(trace), counts(trace, t));
        if (note.counted() && job.attempts() >= drain.limits().attempts(job)) {
            bury(note);
        } else {
            Duration pause = drain.limits().backoff().after(job.attempts());
            record(() -> drain.queue().retry(claim, pause, note), () -> {});
        }
    }

    /** Its thread came after its deadline. */
    private void tooLate() {
        BatchNote late = Look.late(age());
        bury(new BatchNote(late.reason(), Optional.of(outcome(placement::close)), false));
    }

    private void bury(BatchNote note) {
        record(() -> drain.queue().bury(claim, note), () -> drain.dead(id(), note.reason()));
    }

    /** Tells the placement how it went; whatever foreign code throws there, the place is given back and the trace is told. */
    @SuppressWarnings("CatchingUnchecked")
    private RoutingTrace outcome(Runnable how) {
        for (Runnable step : List.of(how, (Runnable) placement::close)) {
            try {
                step.run();
            } catch (Throwable broken) {
                BatchLog.warning("the outcome of batch job " + id() + " was not taken as it is", broken);
            }
        }
        return placement.trace();
    }

    /** Records an end on this thread, which is the executor's unless the run never began; whoever waits is told there too. */
    private void record(BooleanSupplier step, Runnable then) {
        record(step, then, Runnable::run);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever the store throws, it must be told again
    private void record(BooleanSupplier step, Runnable then, Executor telling) {
        boolean recorded;
        try {
            recorded = step.getAsBoolean();
        } catch (Throwable down) {
            BatchLog.warning("the batch store did not record the end of job " + id() + "; trying again", down);
            recordLater(step, then);
            return;
        }
        over();
        drain.ended(this);
        if (recorded) {
            telling.execute(then); // only now: what it does may need the slot
        }
    }

    private void recordLater(BooleanSupplier step, Runnable then) {
        Runnable again = () -> record(step, then, drain.crew()::onExecutor);
        drain.time().schedule(drain.limits().every(), () -> {
            if (!drain.crew().clerk(again)) {
                recordLater(step, then);
            }
        });
    }

    private void drop() {
        outcome(placement::close);
        over();
        drain.ended(this);
    }

    private void over() {
        if (!over.getAndSet(true)) {
            stopRenewing();
            drain.over();
        }
    }

    private void stopRenewing() {
        Cancellable scheduled = renewal;
        if (scheduled != null) {
            scheduled.cancel();
        }
    }

    /** How long ago the job was accepted, by the store's clock and what has passed here since. */
    private Duration age() {
        return claim.age().plusNanos(drain.time().nanos() - agedNanos);
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

    @SuppressWarnings("CatchingUnchecked") // foreign code, which may do anything
    private static boolean ranOutOfMemory(Throwable failure) {
        try {
            Throwable t = failure;
            for (int depth = 0; t != null && depth < MOST_CAUSES; depth++) {
                if (t instanceof SubstrateFaultException) {
                    return true;
                }
                t = t.getCause();
            }
        } catch (Throwable broken) {
            BatchLog.debug("a failure does not tell its cause", broken);
        }
        return false;
    }
}
