package dev.substraterouter.batch;

import dev.substraterouter.Placement;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The life of a dispatcher: has looks happen, counts what runs, and ends when it is closed.
 *
 * <p><b>Looks.</b> They happen at each tick, after each submission and after each end of a run, one at a time: who asks for one during another
 * has one follow. Each is a task of its own on the clerk's thread, so that renewals and recordings that were handed over meanwhile come between.
 *
 * <p><b>How the races end.</b> Closing and claiming: whoever claims looks at the mark after the claim and gives the job back; a run that
 * began before goes on, and its end is recorded. Closing frees the threads when nothing runs and no look is under way; either side looks
 * after its own change, so one of them does.
 */
final class Drain {
    private final BatchQueue queue;
    private final BatchWork work;
    private final Limits limits;
    private final Crew crew;
    private final Awaited awaited;
    private final Places places;
    private final Look look;

    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    /** How many of them hold their slot; one whose end is being told of does not. */
    private final AtomicInteger running = new AtomicInteger();

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicBoolean freed = new AtomicBoolean();
    private final AtomicBoolean ticked = new AtomicBoolean();
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable Cancellable ticker;
    private volatile boolean closed;

    Drain(SubstrateRouter router, BatchQueue queue, BatchWork work, Limits limits, Crew crew) {
        this.queue = queue;
        this.work = work;
        this.limits = limits;
        this.crew = crew;
        this.awaited = new Awaited(queue, crew);
        this.places = new Places(router);
        this.look = new Look(this, places);
    }

    BatchQueue queue() {
        return queue;
    }

    BatchWork work() {
        return work;
    }

    Limits limits() {
        return limits;
    }

    Crew crew() {
        return crew;
    }

    TimeSource time() {
        return crew.time();
    }

    Awaited awaited() {
        return awaited;
    }

    boolean closed() {
        return closed;
    }

    int running() {
        return running.get();
    }

    /** Whether a job of a kind runs here. */
    boolean runs(Shape kind) {
        return runs.stream().anyMatch(run -> run.shape().equals(kind));
    }

    /** Whether all that may run does. */
    boolean full() {
        return running.get() >= limits.maxRunning();
    }

    void tick() {
        if (closed) {
            return;
        }
        ticked.set(true);
        look();
        if (!asking.getAndSet(true) && !crew.clerk(this::askAround)) {
            asking.set(false);
        }
        ticker = time().schedule(limits.every(), this::tick);
        if (closed) {
            stopTicking();
        }
    }

    /** Has a look happen. */
    void look() {
        if (looks.getAndIncrement() == 0) {
            handOver();
        }
    }

    /** Checks that a request could be placed at some time; closes with the router. */
    void check(RouteRequest request) {
        try {
            places.check(request);
        } catch (RouterClosedException over) {
            close();
            throw over;
        }
    }

    /** Begins a run. */
    void begin(BatchClaim claim, Placement placement, long claimedNanos) {
        Run run = new Run(this, claim, placement, claimedNanos);
        running.incrementAndGet();
        runs.add(run);
        run.begin();
    }

    boolean cancel(String id) {
        if (!queue.cancel(id)) {
            return false;
        }
        for (Run run : runs) {
            if (run.id().equals(id)) {
                run.callOff();
            }
        }
        awaited.cancelled(id);
        return true;
    }

    /** A future of the caller's own for a job's end. */
    CompletableFuture<byte[]> result(String id) {
        CompletableFuture<byte[]> result = awaited.result(id);
        if (closed) {
            awaited.sweep(this::runsHere); // closing may have swept before it was there
        }
        return result;
    }

    /** A job was given up. */
    void dead(String id, String reason) {
        BatchLog.info(limits.name() + ": batch job " + id + " was given up: " + reason);
        awaited.ended(id);
    }

    /** A run is over: its slot is free. */
    void over() {
        running.decrementAndGet();
        freed.set(true);
    }

    /** Everything is done that a run had to do before anybody is told. */
    void ended(Run run) {
        runs.remove(run);
        if (closed) {
            letGo();
        } else {
            look();
        }
    }

    void close() {
        closed = true;
        stopTicking();
        letGo();
    }

    boolean runsHere(String id) {
        return runs.stream().anyMatch(run -> run.id().equals(id));
    }

    private void stopTicking() {
        Cancellable scheduled = ticker;
        if (scheduled != null) {
            scheduled.cancel();
        }
    }

    private void letGo() {
        awaited.sweep(this::runsHere);
        if (runs.isEmpty() && looks.get() == 0) {
            crew.free();
        }
    }

    // on the clerk's thread

    private void handOver() {
        if (!crew.clerk(this::lookAround)) {
            looks.set(0); // the next tick asks again
            if (closed) {
                letGo();
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever the store or the router throws, the next look must happen
    private void lookAround() {
        int asked = looks.get();
        try {
            lookOnce();
        } catch (Throwable t) {
            BatchLog.warning(limits.name() + ": a look for batch jobs was cut short", t);
        }
        if (looks.addAndGet(-asked) != 0) {
            handOver(); // behind what waits for the clerk by now
        } else if (closed) {
            letGo();
        }
    }

    private void lookOnce() {
        boolean tick = ticked.getAndSet(false);
        if (closed) {
            return;
        }
        if (tick && places.closed()) {
            close();
        } else if (!full()) {
            look.once(freed.getAndSet(false));
        } else if (tick) {
            look.bury();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever the store throws, others must be asked for
    private void askAround() {
        boolean more = false;
        try {
            more = awaited.askSome();
        } catch (Throwable t) {
            BatchLog.warning(limits.name() + ": asking for the ends of batch jobs was cut short", t);
        }
        if (!more || !crew.clerk(this::askAround)) {
            asking.set(false);
        }
    }
}
