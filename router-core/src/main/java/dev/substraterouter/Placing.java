package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.WaitQueue;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.decide.FallbackMachine.Answer;
import dev.substraterouter.internal.decide.FallbackMachine.Room;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.decide.Round;
import dev.substraterouter.internal.decide.Survey;
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
 * <p><b>The idea.</b> While nobody waits, a request decides on the live states and takes its lease by one compare-and-set: no lock. When
 * somebody waits, or nothing was free, it enters the queue as the youngest waiter and the queue is walked in the order of service; the
 * walk gives it exactly what nobody before it can use. So a newcomer, a wake-up and a retry are one piece of code.
 *
 * <p><b>How the races end.</b> <i>Release against entry:</i> see {@link WaitQueue}. <i>Grant against timeout, interrupt, cancellation:</i>
 * the queue's lock decides; the loser of a grant finds it and hands it on. <i>N against N + 1:</i> counted under the lock.
 * <i>Close against entry:</i> closing is looked at under the lock, and the closer takes the lock after. Futures are completed, threads
 * unparked and alarms set after the lock is let go.
 */
final class Placing {
    private final Engine engine;
    private final WaitQueue<Pending> queue;
    private final Ticker ticker;
    private long routedRevision; // guarded by the queue's lock

    Placing(Engine engine, WaitQueue<Pending> queue) {
        this.engine = engine;
        this.queue = queue;
        this.ticker = new Ticker(engine.time(), this::serve);
        this.routedRevision = engine.revision().number;
    }

    /** How a request takes its place in the queue. */
    private interface Entry {
        Pending pending(RoutePlan route, long now, long deadlineNanos);
    }

    /** What came of looking for a place: one of the three is there. */
    private record Found(
            @Nullable Grant grant,
            @Nullable Refusal refusal,
            @Nullable Pending pending) {}

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
                (route, now, deadline) -> new Pending.Parked(journey, ask, route, now, deadline));
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
                (route, now, deadline) -> new Pending.Parked(journey, ask, route, now, deadline));
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
                (route, now, deadline) -> new Pending.Promised(
                        journey, ask, route, now, deadline, future, promised -> complete(promised, driven)));
        Pending pending = found.pending();
        if (pending == null) {
            settle(future, journey, found.grant(), found.refusal(), driven);
            return future;
        }
        future.whenComplete((placement, failure) -> {
            if (failure != null) {
                withdraw(pending);
            }
        });
        return future;
    }

    /** How many wait in the places that a route uses. */
    int waiting(RoutePlan route) {
        queue.lock().lock();
        try {
            return queue.waiting(route.places);
        } finally {
            queue.lock().unlock();
        }
    }

    /**
     * The route of a request.
     *
     * @throws RoutingException if it could never be placed
     */
    RoutePlan servable(Journey journey, Revision revision) {
        RoutePlan route = revision.compiled.route(journey.request().workload());
        Refusal never = neverServed(journey, revision, route);
        if (route == null || never != null) {
            throw java.util.Objects.requireNonNull(never).exception();
        }
        return route;
    }

    /** What a newcomer would find now, with nothing changed; null when the revision is not the newest any more. */
    @Nullable
    Survey rehearse(Journey journey, Revision revision, RoutePlan route) {
        long now = journey.arrivalNanos();
        Pending newcomer = new Pending.Parked(journey, Ask.of(journey.request(), now), route, now, now);
        queue.lock().lock();
        try {
            List<Pending> order = queue.inOrderWith(newcomer, now, revision.agesAfterNanos);
            return Round.rehearse(revision, order, newcomer, now);
        } finally {
            queue.lock().unlock();
        }
    }

    /** Looks again at everybody who waits. */
    void serve() {
        if (queue.waiting() == 0) {
            return;
        }
        List<Pending> resolved = new ArrayList<>();
        long now = engine.time().nanos();
        long next;
        queue.lock().lock();
        try {
            serveLocked(now, resolved);
            next = nextLook(now);
        } finally {
            queue.lock().unlock();
        }
        finish(resolved, next, now);
    }

    /** Refuses everybody who waits: the router is closed. */
    void refuseAll() {
        List<Pending> resolved = new ArrayList<>();
        queue.lock().lock();
        try {
            long now = engine.time().nanos();
            for (Pending pending : queue.inOrder(now, Long.MAX_VALUE)) {
                refuse(pending, RefusalReason.CLOSED, null, now, resolved);
            }
        } finally {
            queue.lock().unlock();
        }
        ticker.stop();
        resolved.forEach(Pending::deliver);
    }

    // the way in

    private Found find(Journey journey, Ask ask, boolean mayWait, boolean again, Entry entry) {
        long now = again ? engine.time().nanos() : journey.arrivalNanos();
        while (true) {
            Revision revision = engine.revision();
            RoutePlan route = revision.compiled.route(journey.request().workload());
            Refusal never = neverServed(journey, revision, route);
            if (route == null || never != null) {
                return new Found(null, never, null);
            }
            long budget = mayWait ? budget(journey, route, now) : 0;
            if (queue.waiting() > 0) {
                return enter(entry.pending(route, now, now + budget), budget > 0, again);
            }
            Decision decision = Decider.decide(revision, route, ask, now);
            if (decision != null && decision.placed()) {
                Lease lease =
                        revision.cell(decision.candidate().substrate.index).take(decision, journey);
                if (lease != null) {
                    return new Found(new Grant(decision, lease, journey.waitedNanos()), null, null);
                }
            } else if (decision != null) {
                return budget > 0
                        ? enter(entry.pending(route, now, now + budget), true, again)
                        : new Found(null, refusal(atOnce(decision), journey, decision, route, 0), null);
            }
        }
    }

    private static RefusalReason atOnce(Decision none) {
        return none.couldCome() ? RefusalReason.NO_WAIT : RefusalReason.NO_ELIGIBLE_SUBSTRATE;
    }

    private @Nullable Refusal neverServed(Journey journey, Revision revision, @Nullable RoutePlan route) {
        if (engine.closed()) {
            return new Refusal(
                    RefusalReason.CLOSED, journey, null, 0, 0, revision.number, " (" + engine.name() + " is closed)");
        }
        if (route == null) {
            return new Refusal(RefusalReason.UNKNOWN_WORKLOAD, journey, null, 0, 0, revision.number, known(revision));
        }
        if (journey.request().mode() == PlacementMode.BATCH) {
            return new Refusal(
                    RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                    journey,
                    null,
                    0,
                    0,
                    revision.number,
                    "it has no batch path, and mode is BATCH");
        }
        return null;
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

    /** Enters the queue as the youngest of its rank, walks, and stays only if it got nothing and may wait. */
    private Found enter(Pending pending, boolean mayWait, boolean again) {
        List<Pending> resolved = new ArrayList<>();
        Journey journey = pending.journey();
        long now = engine.time().nanos();
        long next;
        boolean stays;
        int waiting = 0;
        int capacity = 0;
        queue.lock().lock();
        try {
            if (engine.closed()) {
                return new Found(null, neverServed(journey, engine.revision(), pending.route()), null);
            }
            queue.add(pending);
            Revision newest = engine.revision();
            if (pending.route() != newest.compiled.route(journey.request().workload())) {
                reroute(pending, newest, now, resolved); // a reload came between its look and the lock
            }
            pending.entering(true);
            Decision none = pending.resolved() ? null : seek(pending, now, resolved);
            pending.entering(false);
            if (none != null) {
                Answer answer = answer(pending, none, mayWait, again, now);
                apply(answer, pending, none, now, resolved);
                waiting = queue.waiting(pending.places());
                capacity = pending.route().capacity;
            }
            next = nextLook(now);
            stays = !pending.resolved(); // once the lock is let go of, whoever resolves it also delivers it
        } finally {
            queue.lock().unlock();
        }
        resolved.remove(pending);
        finish(resolved, next, now);
        if (stays) {
            engine.observers().queued(journey, waiting, capacity);
            return new Found(null, null, pending);
        }
        return new Found(pending.grant(), pending.refusal(), null);
    }

    /** Walks until the newcomer is resolved, or nothing is admissible for it; returns the decision that says so. */
    private @Nullable Decision seek(Pending newcomer, long now, List<Pending> resolved) {
        while (true) {
            newcomer.route(newcomer.route()); // forgets an earlier look
            serveLocked(now, resolved);
            if (newcomer.resolved()) {
                return null;
            }
            Decision look = newcomer.lastLook();
            if (look == null) {
                look = freshLook(newcomer, now);
            }
            if (look != null && !look.placed()) {
                return look;
            }
        }
    }

    private Answer answer(Pending pending, Decision none, boolean mayWait, boolean again, long now) {
        long out = none.allOutFor();
        Room room = Room.NONE;
        if (queue.waiting(pending.places()) - 1 < pending.route().capacity) {
            room = Room.FREE;
        } else if (!again && queue.displacedBy(pending.declared, pending.places()) != null) {
            room = Room.BY_DISPLACING;
        }
        return FallbackMachine.answer(false, false, none.couldCome(), mayWait, out > pending.deadlineNanos - now, room);
    }

    private void apply(Answer answer, Pending pending, Decision none, long now, List<Pending> resolved) {
        switch (answer) {
            case WAIT -> {}
            case WAIT_IN_ITS_PLACE -> {
                Pending leaves = queue.displacedBy(pending.declared, pending.places());
                if (leaves != null) {
                    refuse(leaves, RefusalReason.OUTRANKED, lookOf(leaves, now), now, resolved);
                    serveLocked(now, resolved);
                }
            }
            case REFUSE_NEVER -> turnAway(pending, RefusalReason.NO_ELIGIBLE_SUBSTRATE, none, now, resolved);
            case REFUSE_NOW -> turnAway(pending, RefusalReason.NO_WAIT, none, now, resolved);
            case REFUSE_BEYOND_WAIT -> turnAway(pending, RefusalReason.BEYOND_WAIT, none, now, resolved);
            case REFUSE_FULL -> turnAway(pending, RefusalReason.QUEUE_FULL, none, now, resolved);
            case PRIMARY, FALLBACK ->
                throw new IllegalStateException("placed, and yet looked for a place: " + pending.journey());
        }
    }

    /** Why one who waits is not placed: a walk stops early when nothing is open at all, so its last look may be old or missing. */
    private @Nullable Decision lookOf(Pending waiter, long now) {
        Decision look = freshLook(waiter, now);
        return look == null || look.placed() ? waiter.lastLook() : look;
    }

    /** What it would find now if nobody else waited; null when the newest revision has no such workload, or is not the newest any more. */
    private @Nullable Decision freshLook(Pending waiter, long now) {
        Revision revision = engine.revision();
        RoutePlan route = revision.compiled.route(waiter.journey().request().workload());
        return route == null ? null : Decider.decide(revision, route, waiter.ask(), now);
    }

    /** Refuses a newcomer; whoever its short presence held back is looked at again. */
    private void turnAway(Pending pending, RefusalReason reason, Decision none, long now, List<Pending> resolved) {
        refuse(pending, reason, none, now, resolved);
        if (queue.waiting() > 0) {
            serveLocked(now, resolved);
        }
    }

    // the walk, under the lock

    private void serveLocked(long now, List<Pending> resolved) {
        while (true) {
            Revision revision = engine.revision();
            reroute(revision, now, resolved);
            List<Pending> order = queue.inOrder(now, revision.agesAfterNanos);
            boolean current = Round.walk(
                    revision,
                    order,
                    now,
                    (seeker, decision, lease) -> grant((Pending) seeker, decision, lease, now, resolved));
            if (current && !expire(now, resolved)) {
                return;
            }
        }
    }

    private void grant(Pending pending, Decision decision, Lease lease, long now, List<Pending> resolved) {
        queue.remove(pending);
        long waited = pending.waitedBy(now);
        pending.journey().waited(waited);
        pending.resolve(new Grant(decision, lease, waited));
        resolved.add(pending);
    }

    private void refuse(
            Pending pending, RefusalReason reason, @Nullable Decision decision, long now, List<Pending> resolved) {
        if (queue.remove(pending)) {
            int others = queue.waiting(pending.places());
            Refusal refused = refusal(reason, pending.journey(), decision, pending.route(), others);
            pending.journey().waited(pending.waitedBy(now));
            pending.resolve(refused);
            resolved.add(pending);
        }
    }

    private Refusal refusal(
            RefusalReason reason, Journey journey, @Nullable Decision decision, RoutePlan route, int waiting) {
        return new Refusal(reason, journey, decision, waiting, route.capacity, engine.revision().number, "");
    }

    /** Gives everybody who waits the route of a new revision, once; refuses those it leaves without a candidate. */
    private void reroute(Revision revision, long now, List<Pending> resolved) {
        if (routedRevision == revision.number) {
            return;
        }
        routedRevision = revision.number;
        for (Pending pending : queue.inOrder(now, Long.MAX_VALUE)) {
            reroute(pending, revision, now, resolved);
        }
    }

    private void reroute(Pending pending, Revision revision, long now, List<Pending> resolved) {
        RoutePlan route = revision.compiled.route(pending.journey().request().workload());
        if (route == null) {
            refuse(pending, RefusalReason.UNKNOWN_WORKLOAD, null, now, resolved);
            return;
        }
        pending.route(route);
        queue.move(pending, route.places);
        Decision look = Decider.decide(revision, route, pending.ask(), now);
        if (look != null && !look.placed() && !look.couldCome()) {
            refuse(pending, RefusalReason.NO_ELIGIBLE_SUBSTRATE, look, now, resolved);
        }
    }

    /** Refuses those whose time is up; true when the queue must be walked again. */
    private boolean expire(long now, List<Pending> resolved) {
        boolean any = false;
        for (Pending pending : queue.inOrder(now, Long.MAX_VALUE)) {
            if (pending.deadlineNanos - now <= 0 && !pending.entering()) {
                Decision look = pending.lastLook();
                if (look == null || look.now != now) {
                    look = freshLook(pending, now);
                    if (look == null || look.placed()) {
                        return true; // something came free since the walk
                    }
                }
                refuse(pending, RefusalReason.WAIT_EXPIRED, look, now, resolved);
                any = true;
            }
        }
        return any && queue.waiting() > 0;
    }

    /** How long until somebody must be looked at again although nothing happened. */
    private long nextLook(long now) {
        if (queue.waiting() == 0) {
            return -1;
        }
        Revision revision = engine.revision();
        long next = revision.retryEveryNanos;
        for (Pending pending : queue.inOrder(now, Long.MAX_VALUE)) {
            long age = now - pending.arrivalNanos;
            next = Math.min(next, pending.deadlineNanos - now);
            next = Math.min(next, revision.agesAfterNanos - Math.floorMod(age, revision.agesAfterNanos));
            next = Math.min(next, upcoming(revision.holdAfterNanos - age));
            next = Math.min(next, upcoming(pending.route().overflowAfterNanos - age));
            next = Math.min(next, pending.ask().nextReturn(now));
        }
        return Math.max(0, Math.min(next, revision.nextChange(now)));
    }

    private static long upcoming(long nanos) {
        return nanos > 0 ? nanos : Long.MAX_VALUE;
    }

    // outside the lock

    private void finish(List<Pending> resolved, long next, long now) {
        if (next >= 0) {
            ticker.within(next, now);
        }
        resolved.forEach(Pending::deliver);
    }

    private void await(Pending pending) throws InterruptedException {
        while (!pending.resolved()) {
            long left = pending.deadlineNanos - engine.time().nanos();
            if (left <= 0) {
                serve();
                if (pending.resolved()) {
                    return;
                }
            }
            LockSupport.parkNanos(pending, Math.max(1_000_000, left));
            if (Thread.interrupted()) {
                withdraw(pending);
                Grant late = pending.grant();
                if (late != null) {
                    handOn(late);
                }
                pending.journey().end();
                throw new InterruptedException();
            }
        }
    }

    /** Takes a waiter out that has given up, and looks at those it held back. */
    private void withdraw(Pending pending) {
        boolean left;
        queue.lock().lock();
        try {
            left = queue.remove(pending);
            if (left) {
                pending.journey().waited(pending.waitedBy(engine.time().nanos()));
            }
        } finally {
            queue.lock().unlock();
        }
        if (left) {
            if (pending instanceof Pending.Promised) {
                pending.journey().end();
            }
            serve();
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
        journey.foundNone(refusal.decision());
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
