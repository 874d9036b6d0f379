package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.RefusalReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds a place for a request: at once, or in the queue.
 *
 * <p>While nobody waits, a request decides on the live states and takes its lease by one compare-and-set: no lock. When somebody waits, or
 * nothing was free, it goes to {@link Waiting}.
 */
final class Placing {
    private final Engine engine;
    private final Waiting waiting;

    Placing(Engine engine, Waiting waiting) {
        this.engine = engine;
        this.waiting = waiting;
    }

    // for callers

    /** Places a request, waiting up to its limit. */
    HeldPlacement place(Journey journey, Ask ask, boolean driven) throws InterruptedException {
        if (Thread.interrupted()) {
            journey.end();
            throw new InterruptedException();
        }
        Found found = find(journey, ask, true, driven, null);
        return accept(journey, found instanceof Pending pending ? await(pending) : found, driven);
    }

    /** Places a request now; null when everything is busy now. */
    @Nullable
    HeldPlacement tryPlace(Journey journey, Ask ask) {
        Found found = find(journey, ask, false, false, null);
        if (found instanceof Refusal refusal && refusal.reason() == RefusalReason.NO_WAIT) {
            journey.foundNone(refusal.decision());
            journey.refused(refusal.reason());
            journey.end();
            return null;
        }
        return accept(journey, found, false);
    }

    /** Places a request; the future is completed with a refusal rather than this method throwing. */
    CompletableFuture<Placement> placeAsync(Journey journey, Ask ask, boolean driven) {
        CompletableFuture<Placement> future = new CompletableFuture<>();
        Found found = find(journey, ask, true, driven, future);
        if (found instanceof Pending pending) {
            future.whenComplete((placement, failure) -> {
                if (failure != null) {
                    waiting.withdraw(pending);
                }
            });
        } else {
            settle(future, journey, found, driven);
        }
        return future;
    }

    /** Why a request may use nothing under a revision, found before any substrate is looked at; null: it may use its route there. */
    @Nullable
    Refusal barred(Journey journey, Revision revision) {
        if (engine.closed()) {
            return Refusal.closed(journey, engine);
        }
        RoutePlan route = journey.routeUnder(revision);
        if (route == null) {
            return Refusal.withoutRoute(journey, revision);
        }
        journey.under(route);
        String objection = engine.objection(journey, route);
        return objection == null ? null : Refusal.forbidden(journey, revision, objection);
    }

    // the way in

    /**
     * Looks for a place.
     *
     * @param driven whether a call drives it, whose later attempts come with what they have waited already
     * @param future who waits for it; null: this thread, if anybody
     */
    private Found find(
            Journey journey,
            Ask first,
            boolean mayWait,
            boolean driven,
            @Nullable CompletableFuture<Placement> future) {
        boolean again = driven && journey.attempts() > 0;
        if (again) {
            journey.again();
        }
        long now = again ? engine.time().nanos() : journey.arrivalNanos();
        Ask asked = again ? first.waited(now, journey.waitedNanos()) : first;
        while (true) {
            Found found = find(journey, asked, mayWait, again, driven, future, now);
            if (found != null) {
                return found;
            }
        }
    }

    /** One try; null when something has changed meanwhile, and it must be tried again. */
    private @Nullable Found find(
            Journey journey,
            Ask asked,
            boolean mayWait,
            boolean again,
            boolean driven,
            @Nullable CompletableFuture<Placement> future,
            long now) {
        Revision revision = engine.revision();
        Refusal barred = barred(journey, revision);
        if (barred != null) {
            return barred;
        }
        RoutePlan route = journey.route();
        Ask ask = asked.as(journey.priority());
        long budget = mayWait ? budget(journey, route, now) : 0;
        if (waiting.any()) {
            return waiting.enter(pending(journey, ask, now, now + budget, future, driven), budget > 0, again);
        }
        Decision decision = Decider.decide(revision, route, ask, budget, now);
        if (decision == null) {
            return null;
        }
        if (decision.placed()) {
            Lease lease = decision.cell().take(decision);
            return lease == null ? null : taken(journey, decision, lease, driven);
        }
        if (!decision.held() && FallbackMachine.takesBatch(journey.mode(), ask.priority())) {
            Grant later = BatchPath.take(revision, route, journey, ask, now);
            if (later != null) {
                return taken(journey, later.decision(), later.lease(), driven);
            }
        }
        return budget > 0
                ? waiting.enter(pending(journey, ask, now, now + budget, future, driven), true, again)
                : Refusal.of(atOnce(decision, journey, ask), journey, decision, route, 0);
    }

    private Pending pending(
            Journey journey,
            Ask ask,
            long now,
            long deadlineNanos,
            @Nullable CompletableFuture<Placement> future,
            boolean driven) {
        RoutePlan route = journey.route();
        Pending pending = future == null
                ? new Pending.Parked(journey, ask, route, now, deadlineNanos)
                : new Pending.Promised(
                        journey, ask, route, now, deadlineNanos, future, promised -> complete(promised, driven));
        pending.begins();
        return pending;
    }

    private Found taken(Journey journey, Decision decision, Lease lease, boolean driven) {
        if (engine.closed()) {
            handOn(decision, lease); // closing began before the lease was taken, or would miss it
            return Refusal.closed(journey, engine);
        }
        return hold(journey, decision, lease, journey.waitedNanos(), driven);
    }

    private static RefusalReason atOnce(Decision none, Journey journey, Ask ask) {
        return none.couldCome() || BatchPath.couldCome(none.revision, none.route, journey, ask, none.now)
                ? RefusalReason.NO_WAIT
                : RefusalReason.NO_ELIGIBLE_SUBSTRATE;
    }

    /** How long a request may wait from now: what is left of its limit over all its attempts, and never past its deadline. */
    private static long budget(Journey journey, RoutePlan route, long now) {
        long limit =
                journey.request().maxWait().map(Engine::saturated).orElse(route.maxWaitNanos) - journey.waitedNanos();
        long left = journey.request().deadline().map(Engine::saturated).orElse(Long.MAX_VALUE >> 1)
                - (now - journey.arrivalNanos());
        return Math.max(0, Math.min(limit, left));
    }

    /** Parks until somebody has resolved it. */
    private Found await(Pending pending) throws InterruptedException {
        while (true) {
            Found outcome = pending.outcome();
            if (outcome != null) {
                return outcome;
            }
            long left = pending.deadlineNanos - engine.time().nanos();
            if (left <= 0) {
                waiting.serve();
                outcome = pending.outcome();
                if (outcome != null) {
                    return outcome;
                }
                left = engine.revision()
                        .retryEveryNanos; // the host is asked about it first; whoever resolves it unparks
            }
            LockSupport.parkNanos(pending, Math.max(1_000_000, left));
            if (Thread.interrupted()) {
                waiting.withdraw(pending);
                Grant late = pending.grant();
                if (late != null) {
                    handOn(late);
                }
                pending.journey().end();
                throw new InterruptedException();
            }
        }
    }

    /** Gives a lease back that nobody wants any more; whoever waits is looked at. */
    void handOn(Grant grant) {
        handOn(grant.decision(), grant.lease());
    }

    private void handOn(Decision decision, Lease lease) {
        engine.release(
                decision.cell(),
                lease,
                GateState.End.NEUTRAL,
                false,
                engine.time().nanos());
    }

    private HeldPlacement accept(Journey journey, Found found, boolean driven) {
        if (found instanceof Refusal refusal) {
            throw turnedDown(journey, refusal, driven);
        }
        return held(journey, found, driven);
    }

    private HeldPlacement held(Journey journey, Found found, boolean driven) {
        if (found instanceof HeldPlacement placement) {
            return placement;
        }
        if (found instanceof Grant grant) {
            return hold(journey, grant, driven);
        }
        throw new IllegalStateException("neither placed nor refused: " + journey);
    }

    HeldPlacement hold(Journey journey, Grant grant, boolean driven) {
        return hold(journey, grant.decision(), grant.lease(), grant.waitedNanos(), driven);
    }

    private HeldPlacement hold(Journey journey, Decision decision, Lease lease, long waitedNanos, boolean driven) {
        HeldPlacement placement = new HeldPlacement(journey, decision, lease, waitedNanos, driven);
        journey.attempt(placement);
        engine.observers().drain(decision.cell());
        engine.observers().placed(placement);
        return placement;
    }

    RoutingException turnedDown(Journey journey, Refusal refusal, boolean driven) {
        if (refusal.decision() != null) {
            journey.foundNone(refusal.decision());
        }
        journey.refused(refusal.reason());
        engine.observers().refused(refusal);
        if (!driven || journey.attempts() == 0) {
            journey.end();
        }
        return refusal.exception();
    }

    private void complete(Pending.Promised promised, boolean driven) {
        Found outcome = promised.outcome();
        if (outcome != null) {
            engine.execute(() -> settle(promised.future(), promised.journey(), outcome, driven));
        }
    }

    private void settle(CompletableFuture<Placement> future, Journey journey, Found found, boolean driven) {
        if (found instanceof Refusal refusal) {
            if (!future.completeExceptionally(turnedDown(journey, refusal, driven))) {
                journey.end(); // withdrawn meanwhile: nobody else ends it
            }
            return;
        }
        if (found instanceof Grant grant && future.isDone()) {
            handOn(grant);
            journey.end();
            return;
        }
        HeldPlacement placement = held(journey, found, driven);
        if (!future.complete(placement)) {
            placement.close();
            journey.end();
        }
    }
}
