package dev.substraterouter.batch;

import dev.substraterouter.Placement;
import dev.substraterouter.RouterClosedException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for due jobs and begins them where the router has a place.
 *
 * <p><b>The idea.</b> A look claims the due jobs one after the other in the store's order, and asks the router for each; one for which there is
 * no place now is given back untouched, so it keeps its turn, and the look goes on behind it, so it keeps nobody from a place that it cannot
 * use itself. What found no place is remembered until the look ends: of its kind the router is asked once. So many that were given back end
 * a look, and so does a share of the time that a claim lasts, because claims are renewed between looks.
 *
 * <p><b>Cursors.</b> What a run has freed belongs to the oldest, so a look after the end of a run begins with the first jobs of the store. But only
 * with so many of them, because those in front may be the ones that nothing can help now. Then it goes where it had to leave jobs of a kind that runs
 * here, which are the likeliest to follow a run that has ended; and then on from where the last look stopped, so that every job has its turn.
 *
 * <p>Not thread-safe: one look at a time.
 */
final class Look {
    private static final int MOST_OF_THE_OLDEST = 64;
    private static final int MOST_GIVEN_BACK = 128;
    private static final int MOST_OF_A_KIND = 8;
    private static final int MOST_KINDS = 16;
    private static final int MOST_BURIALS = 64;
    private static final int SHARE_OF_A_CLAIM = 8;

    private final Drain drain;
    private final BatchQueue queue;
    private final Limits limits;
    private final Places places;
    /** Behind which job the next look goes on. */
    private long position;
    /** Behind which job the next search for jobs that are past help goes on. */
    private long searched;

    /** Behind which job the next of a kind is that runs here, at most so many kinds. */
    private Map<Shape, Long> next = new LinkedHashMap<>();

    private long beganNanos;
    private final Set<Shape> placeless = new HashSet<>();

    Look(Drain drain, Places places) {
        this.drain = drain;
        this.queue = drain.queue();
        this.limits = drain.limits();
        this.places = places;
    }

    /** Begins what can begin. */
    void once(boolean freed) {
        beganNanos = drain.time().nanos();
        placeless.clear();
        Map<Shape, Long> kinds = next;
        next = new LinkedHashMap<>();
        if (freed && position > 0) {
            long reached = walk(0, position, MOST_OF_THE_OLDEST);
            position = reached == 0 ? 0 : Math.max(position, reached);
        }
        kinds.forEach(this::goOn);
        position = walk(position, Long.MAX_VALUE, MOST_GIVEN_BACK);
    }

    /** Goes on with a kind, unless there is no place for it. */
    private void goOn(Shape kind, long from) {
        long reached = placeless.contains(kind) ? from : walk(from, Long.MAX_VALUE, MOST_OF_A_KIND);
        if (reached != 0) {
            left(kind, reached);
        }
    }

    private void left(Shape kind, long behind) {
        if (next.size() < MOST_KINDS) {
            next.putIfAbsent(kind, behind);
        }
    }

    /** Gives up what is past help, as when all that may run does, and nothing else is looked at. */
    void bury() {
        beganNanos = drain.time().nanos();
        for (int n = 0; n < MOST_BURIALS && !drain.closed() && inTime(); n++) {
            Optional<BatchClaim> claim = queue.claim(limits.name(), limits.claimFor(), searched);
            if (claim.isEmpty()) {
                searched = 0;
                return;
            }
            searched = claim.get().position();
            if (!pastHelp(claim.get())) {
                queue.release(claim.get());
            }
        }
    }

    /** Walks from behind one position to another; returns where it stopped, 0 at the end of the store. */
    private long walk(long from, long to, int mostGivenBack) {
        long at = from;
        int givenBack = 0;
        while (at < to && givenBack < mostGivenBack && !drain.closed() && !drain.full() && inTime()) {
            long now = drain.time().nanos();
            Optional<BatchClaim> claim = queue.claim(limits.name(), limits.claimFor(), at);
            if (claim.isEmpty()) {
                return 0;
            }
            at = claim.get().position();
            if (!taken(claim.get(), now)) {
                givenBack++;
            }
        }
        return at;
    }

    private boolean inTime() {
        long share = limits.claimFor().toNanos() / SHARE_OF_A_CLAIM;
        return drain.time().nanos() - beganNanos <= share;
    }

    /** Deals with a claimed job; false when it had to be given back. */
    private boolean taken(BatchClaim claim, long claimedNanos) {
        if (drain.closed()) {
            queue.release(claim);
            return false;
        }
        if (pastHelp(claim)) {
            return true;
        }
        Shape shape = Shape.of(claim.job().request());
        if (placeless.contains(shape)) {
            if (drain.runs(shape)) {
                left(shape, claim.position() - 1);
            }
            queue.release(claim);
            return false;
        }
        return placed(claim, claimedNanos, shape);
    }

    /** Gives up a job that has no attempt left, or no time. */
    private boolean pastHelp(BatchClaim claim) {
        BatchJob job = claim.job();
        int most = limits.attempts(job);
        if (job.attempts() >= most) {
            String unsure =
                    job.request().idempotent() ? "" : ": a run has begun, or may have, and its end is not known";
            bury(claim, new BatchNote("attempts " + job.attempts() + "/" + most + unsure, Optional.empty(), false));
            return true;
        }
        if (job.expired(claim.age())) {
            bury(claim, late(claim.age()));
            return true;
        }
        return false;
    }

    static BatchNote late(Duration age) {
        return new BatchNote("its deadline has passed: accepted " + age + " ago", Optional.empty(), false);
    }

    private boolean placed(BatchClaim claim, long claimedNanos, Shape shape) {
        Optional<Placement> placement;
        try {
            placement = place(claim);
        } catch (RouterClosedException over) {
            queue.release(claim);
            drain.close();
            return true;
        } catch (RoutingException refused) {
            refused(claim, refused);
            return true;
        } catch (RuntimeException broken) {
            BatchLog.warning(
                    "the router has no answer for batch job " + claim.job().id(), broken);
            queue.retry(claim, limits.backoff().limit(), note("the router has no answer: " + Words.of(broken)));
            return true;
        }
        if (placement.isEmpty()) {
            placeless.add(shape);
            if (drain.runs(shape)) {
                left(shape, claim.position() - 1);
            }
            giveBack(claim);
            return false;
        }
        drain.begin(claim, placement.get(), claimedNanos);
        return true;
    }

    /** Rather not where the last run met a fault of the substrate. */
    private Optional<Placement> place(BatchClaim claim) {
        RouteRequest request = claim.job().drained(claim.age());
        Optional<String> faulty = claim.job().attempts() == 0
                ? Optional.empty()
                : queue.find(claim.job().id()).flatMap(BatchReport::faulty);
        Optional<Placement> elsewhere = faulty.flatMap(id -> places.placeElsewhere(request, id));
        return elsewhere.isPresent() ? elsewhere : places.place(request);
    }

    /** Untouched, but that a job is no longer refused is noted. */
    private void giveBack(BatchClaim claim) {
        if (claim.refused().isZero()) {
            queue.release(claim);
        } else {
            queue.retry(claim, Duration.ZERO, note("not refused any more: it waits for a place"));
        }
    }

    /** Refused for good under the policy in force. Another policy may bring it back, so it costs no attempt, and lasts a while. */
    private void refused(BatchClaim claim, RoutingException refusal) {
        String why = Words.of(refusal);
        if (claim.refused().compareTo(limits.refusedFor()) >= 0) {
            String reason = "refused for " + claim.refused() + ": " + why;
            bury(claim, new BatchNote(reason, Optional.of(refusal.trace()), false));
        } else {
            BatchNote note = new BatchNote("refused: " + why, Optional.of(refusal.trace()), false);
            queue.retry(claim, limits.backoff().limit(), note);
        }
    }

    private void bury(BatchClaim claim, BatchNote note) {
        if (queue.bury(claim, note)) {
            drain.crew().onExecutor(() -> drain.dead(claim.job().id(), note.reason()));
        }
    }

    private static BatchNote note(String reason) {
        return new BatchNote(reason, Optional.empty(), false);
    }
}
