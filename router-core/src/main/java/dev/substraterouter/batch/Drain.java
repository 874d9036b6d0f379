package dev.substraterouter.batch;

import dev.substraterouter.Placement;
import dev.substraterouter.RankedCandidate;
import dev.substraterouter.Recommendation;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstratesBusyException;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Looks for due jobs and begins them where the router has a place.
 *
 * <p><b>The idea.</b> A look claims the due jobs one after the other in the store's order, and asks the router for each; one for which there is
 * no place now is given back untouched, so it keeps its turn, and the look goes on behind it, so it keeps nobody from a place that it cannot
 * use itself. So many of those end a look; the next one goes on from there, unless a run has ended meanwhile: what that has freed belongs to
 * the oldest. Looks happen at each tick, after each submission and after each end of a run, one at a time: who asks for one during another makes
 * it happen again. The router is asked for a recommendation first, which leaves no trace of the many times that the answer is no.
 *
 * <p><b>How the races end.</b> Closing and claiming: whoever claims looks at the mark after the claim and gives the job back; a run that
 * began before goes on, and its end is recorded. Closing frees the threads when nothing runs and no look is under way; either side looks
 * after its own change, so one of them does.
 */
final class Drain {
    private static final int MOST_MISSES = 64;
    /** What no waiting ends. */
    private static final Set<Reason> FOR_GOOD = Set.of(Reason.TOO_SMALL, Reason.AVOIDED);

    private final SubstrateRouter router;
    private final BatchQueue queue;
    private final BatchWork work;
    private final Limits limits;
    private final Crew crew;
    private final Awaited awaited;

    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicBoolean freed = new AtomicBoolean();
    private final AtomicBoolean ticked = new AtomicBoolean();
    private volatile @Nullable Cancellable ticker;
    private volatile boolean closed;
    /** Behind which job the next look goes on; touched by looks alone, which happen one at a time. */
    private long position;

    Drain(SubstrateRouter router, BatchQueue queue, BatchWork work, Limits limits, Crew crew) {
        this.router = router;
        this.queue = queue;
        this.work = work;
        this.limits = limits;
        this.crew = crew;
        this.awaited = new Awaited(queue, crew);
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
        return runs.size();
    }

    void tick() {
        if (closed) {
            return;
        }
        ticked.set(true);
        look();
        ticker = time().schedule(limits.every(), this::tick);
        if (closed) {
            stopTicking();
        }
    }

    /** Has a look happen. */
    void look() {
        if (looks.getAndIncrement() == 0 && !crew.clerk(this::lookAround)) {
            looks.set(0);
        }
    }

    /**
     * The answer to a request, without a waiting place.
     *
     * @return empty when there is no place now
     * @throws RoutingException when there could never be one
     */
    Optional<Placement> place(RouteRequest request) {
        try {
            return busy(request) ? Optional.empty() : router.tryPlace(request);
        } catch (SubstratesBusyException busy) {
            return Optional.empty();
        }
    }

    /** Whether there is no place now but could be later; what could never be placed is left to be refused, with a trace of its own. */
    private boolean busy(RouteRequest request) {
        try {
            Recommendation now = router.recommend(request);
            return now.best().isEmpty() && !now.candidates().stream().allMatch(Drain::forGood);
        } catch (RoutingException never) {
            return false;
        }
    }

    /**
     * Checks that a request could be placed at some time.
     *
     * @throws RoutingException when it could not
     */
    void check(RouteRequest request) {
        Recommendation now = router.recommend(request);
        if (now.candidates().stream().allMatch(Drain::forGood)) {
            router.tryPlace(request).ifPresent(Placement::close);
        }
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

    /** A run is over; its place is free. */
    void over(Run run) {
        runs.remove(run);
        freed.set(true);
    }

    /** Everything that a run had to do is done. */
    void ended() {
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

    // one look at a time

    @SuppressWarnings("CatchingUnchecked") // whatever the store or the router throws, the next look must happen
    private void lookAround() {
        int asked = looks.get();
        do {
            try {
                lookOnce();
            } catch (Throwable t) {
                BatchLog.warning(limits.name() + ": a look for batch jobs was cut short", t);
            }
            asked = looks.addAndGet(-asked);
        } while (asked != 0);
        if (closed) {
            letGo();
        }
    }

    private void lookOnce() {
        if (ticked.getAndSet(false)) {
            awaited.askAround();
        }
        if (freed.getAndSet(false)) {
            position = 0;
        }
        int missed = 0;
        while (!closed && missed < MOST_MISSES && runs.size() < limits.maxRunning()) {
            long now = time().nanos();
            Optional<BatchClaim> claim = queue.claim(limits.name(), limits.claimFor(), position);
            if (claim.isEmpty()) {
                position = 0;
                return;
            }
            position = claim.get().position();
            if (!taken(claim.get(), now)) {
                missed++;
            }
        }
    }

    /** Deals with a claimed job; false when it had to be given back. */
    private boolean taken(BatchClaim claim, long claimedNanos) {
        BatchJob job = claim.job();
        int most = limits.attempts(job);
        if (closed) {
            queue.release(claim);
            return false;
        }
        if (job.attempts() >= most) {
            bury(claim, new BatchNote("attempts " + job.attempts() + "/" + most, Optional.empty(), false));
            return true;
        }
        if (job.expired(claim.age())) {
            String late = "its deadline has passed: accepted " + claim.age() + " ago";
            bury(claim, new BatchNote(late, Optional.empty(), false));
            return true;
        }
        return placed(claim, claimedNanos);
    }

    private boolean placed(BatchClaim claim, long claimedNanos) {
        Optional<Placement> placement = Optional.empty();
        try {
            placement = place(claim.job().drained(claim.age()));
        } catch (RouterClosedException over) {
            queue.release(claim);
            close();
            return true;
        } catch (RoutingException refused) {
            refused(claim, refused);
            return true;
        }
        if (placement.isEmpty()) {
            queue.release(claim);
            return false;
        }
        Run run = new Run(this, claim, placement.get(), claimedNanos);
        runs.add(run);
        run.begin();
        return true;
    }

    /** Refused for good under the policy in force; another policy may bring it back, so it has its attempts. */
    private void refused(BatchClaim claim, RoutingException refusal) {
        BatchNote note = new BatchNote("refused: " + refusal.getMessage(), Optional.of(refusal.trace()), true);
        int attempts = claim.job().attempts() + 1;
        if (attempts >= limits.attempts(claim.job())) {
            bury(claim, note);
        } else {
            Duration pause = limits.backoff().after(attempts);
            queue.retry(claim, pause, note);
        }
    }

    private void bury(BatchClaim claim, BatchNote note) {
        if (queue.bury(claim, note)) {
            crew.onExecutor(() -> dead(claim.job().id(), note.reason()));
        }
    }

    private static boolean forGood(RankedCandidate candidate) {
        return candidate.reasons().stream().anyMatch(finding -> FOR_GOOD.contains(finding.reason()));
    }
}
