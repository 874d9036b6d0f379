package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.trace.RefusalReason;
import java.util.ArrayList;
import java.util.List;
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

    /** How a request takes its place in the queue. */
    private interface Entry {
        Pending pending(Ask ask, RoutePlan route, long now, long deadlineNanos);
    }

    // for callers

    /** Places a request, waiting up to its limit. */
    HeldPlacement place(Journey journey, Ask ask, boolean driven) throws InterruptedException {
        if (Thread.interrupted()) {
            journey.end();
            throw new InterruptedException();
        }
        Found found = find(
                journey,
                ask,
                true,
                driven && journey.attempts() > 0,
                (asked, route, now, deadline) -> new Pending.Parked(journey, asked, route, now, deadline));
        Pending pending = found.pending();
        if (pending != null) {
            await(pending);
            return accept(journey, pending.grant(), pending.refusal(), driven);
        }
        return accept(journey, found.grant(), found.refusal(), driven);
    }

    /** Places a request now; null when everything is busy now. */
    @Nullable
    HeldPlacement tryPlace(Journey journey, Ask ask) {
        Found found = find(
                journey,
                ask,
                false,
                false,
                (asked, route, now, deadline) -> new Pending.Parked(journey, asked, route, now, deadline));
        Refusal refusal = found.refusal();
        if (refusal != null && refusal.reason() == RefusalReason.NO_WAIT) {
            journey.foundNone(refusal.decision());
            journey.refused(refusal.reason());
            journey.end();
            return null;
        }
        return accept(journey, found.grant(), refusal, false);
    }

    /** Places a request; the future is completed with a refusal rather than this method throwing. */
    CompletableFuture<Placement> placeAsync(Journey journey, Ask ask, boolean driven) {
        CompletableFuture<Placement> future = new CompletableFuture<>();
        Found found = find(
                journey,
                ask,
                true,
                driven && journey.attempts() > 0,
                (asked, route, now, deadline) -> new Pending.Promised(
                        journey, asked, route, now, deadline, future, promised -> complete(promised, driven)));
        Pending pending = found.pending();
        if (pending == null) {
            settle(future, journey, found.grant(), found.refusal(), driven);
            return future;
        }
        future.whenComplete((placement, failure) -> {
            if (failure != null) {
                waiting.withdraw(pending);
            }
        });
        return future;
    }

    /**
     * The route of a request.
     *
     * @throws RoutingException if it could never be placed
     */
    RoutePlan servable(Journey journey, Revision revision) {
        RoutePlan route = revision.compiled.route(journey.request().workload());
        Refusal never = never(journey);
        if (never != null) {
            throw never.exception();
        }
        if (route == null) {
            throw unknown(journey, revision).exception();
        }
        return route;
    }

    // the way in

    private Found find(Journey journey, Ask first, boolean mayWait, boolean again, Entry entry) {
        long now = again ? engine.time().nanos() : journey.arrivalNanos();
        Ask ask = again ? first.waited(now, journey.waitedNanos()) : first;
        while (true) {
            Revision revision = engine.revision();
            RoutePlan route = revision.compiled.route(journey.request().workload());
            Refusal never = never(journey);
            if (never != null) {
                return Found.refused(never);
            }
            if (route == null) {
                return Found.refused(unknown(journey, revision));
            }
            long budget = mayWait ? budget(journey, route, now) : 0;
            if (waiting.any()) {
                return waiting.enter(entry.pending(ask, route, now, now + budget), budget > 0, again);
            }
            Decision decision = Decider.decide(revision, route, ask, now);
            if (decision != null && decision.placed()) {
                Lease lease =
                        revision.cell(decision.candidate().substrate.index).take(decision, journey.holder());
                if (lease != null && engine.closed()) {
                    handOn(new Grant(decision, lease, 0)); // closing began before the lease was taken, or would miss it
                    return Found.refused(Refusal.closed(journey, engine));
                }
                if (lease != null) {
                    return Found.granted(new Grant(decision, lease, journey.waitedNanos()));
                }
            } else if (decision != null) {
                return budget > 0
                        ? waiting.enter(entry.pending(ask, route, now, now + budget), true, again)
                        : Found.refused(Refusal.of(atOnce(decision), journey, decision, route, 0));
            }
        }
    }

    private static RefusalReason atOnce(Decision none) {
        return none.couldCome() ? RefusalReason.NO_WAIT : RefusalReason.NO_ELIGIBLE_SUBSTRATE;
    }

    /** Why a request cannot be served whatever the policy says of its workload; null when it can. */
    private @Nullable Refusal never(Journey journey) {
        if (engine.closed()) {
            return Refusal.closed(journey, engine);
        }
        return journey.request().mode() == PlacementMode.BATCH
                ? new Refusal(
                        RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                        journey,
                        null,
                        0,
                        0,
                        engine.revision().number,
                        "it has no batch path, and mode is BATCH")
                : null;
    }

    private static Refusal unknown(Journey journey, Revision revision) {
        return new Refusal(RefusalReason.UNKNOWN_WORKLOAD, journey, null, 0, 0, revision.number, known(revision));
    }

    private static String known(Revision revision) {
        List<String> names = new ArrayList<>();
        for (RoutePlan route : revision.compiled.routes()) {
            if (names.size() == 10) {
                names.add("...");
                break;
            }
            names.add(route.workload);
        }
        return " (known: " + String.join(", ", names) + ")";
    }

    /** How long a request may wait from now: what is left of its limit over all its attempts, and never past its deadline. */
    private static long budget(Journey journey, RoutePlan route, long now) {
        long limit =
                journey.request().maxWait().map(Engine::saturated).orElse(route.maxWaitNanos) - journey.waitedNanos();
        long left = journey.request().deadline().map(Engine::saturated).orElse(Long.MAX_VALUE >> 1)
                - (now - journey.arrivalNanos());
        return Math.max(0, Math.min(limit, left));
    }

    private void await(Pending pending) throws InterruptedException {
        while (!pending.resolved()) {
            long left = pending.deadlineNanos - engine.time().nanos();
            if (left <= 0) {
                waiting.serve();
                if (pending.resolved()) {
                    return;
                }
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
    private void handOn(Grant grant) {
        engine.release(
                grant.decision().revision.cell(grant.decision().candidate().substrate.index),
                grant.lease(),
                dev.substraterouter.internal.gate.GateState.End.NEUTRAL,
                false,
                engine.time().nanos());
    }

    private HeldPlacement accept(Journey journey, @Nullable Grant grant, @Nullable Refusal refusal, boolean driven) {
        if (grant != null) {
            return hold(journey, grant, driven);
        }
        if (refusal == null) {
            throw new IllegalStateException("neither placed nor refused: " + journey);
        }
        throw turnedDown(journey, refusal, driven);
    }

    private HeldPlacement hold(Journey journey, Grant grant, boolean driven) {
        HeldPlacement placement = new HeldPlacement(engine, journey, grant, driven);
        journey.attempt(placement);
        engine.drain(grant);
        engine.observers().placed(placement);
        return placement;
    }

    private RoutingException turnedDown(Journey journey, Refusal refusal, boolean driven) {
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
        engine.execute(
                () -> settle(promised.future(), promised.journey(), promised.grant(), promised.refusal(), driven));
    }

    private void settle(
            CompletableFuture<Placement> future,
            Journey journey,
            @Nullable Grant grant,
            @Nullable Refusal refusal,
            boolean driven) {
        if (grant != null) {
            if (future.isDone()) {
                handOn(grant);
                journey.end();
                return;
            }
            HeldPlacement placement = hold(journey, grant, driven);
            if (!future.complete(placement)) {
                placement.close();
                journey.end();
            }
        } else if (refusal != null && !future.completeExceptionally(turnedDown(journey, refusal, driven))) {
            journey.end(); // withdrawn meanwhile: nobody else ends it
        }
    }
}
