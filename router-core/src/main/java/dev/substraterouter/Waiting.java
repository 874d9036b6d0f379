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
import dev.substraterouter.internal.decide.ServiceOrder;
import dev.substraterouter.internal.decide.Survey;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue at work: who enters, who is served, who has to go.
 *
 * <p><b>The idea.</b> A request enters as the youngest waiter of its rank, and the queue is walked in the order of service; the walk gives
 * it exactly what nobody before it can use. So a newcomer, a wake-up and a retry are one piece of code.
 *
 * <p><b>How the races end.</b> <i>Release against entry:</i> see {@link WaitQueue}. <i>Grant against timeout, interrupt, cancellation:</i>
 * the queue's lock decides; the loser of a grant finds it and hands it on. <i>N against N + 1:</i> counted under the lock.
 * <i>Close against entry:</i> closing is looked at under the lock, and the closer takes the lock after. Futures are completed, threads
 * unparked and alarms set after the lock is let go.
 */
final class Waiting {
    private final Engine engine;
    private final WaitQueue<Pending> queue = new WaitQueue<>();
    private final Ticker ticker;

    Waiting(Engine engine) {
        this.engine = engine;
        this.ticker = new Ticker(engine.time(), this::serve);
    }

    /** Whether anybody waits, without the lock. */
    boolean any() {
        return queue.waiting() > 0;
    }

    /** The queue, for tests. */
    WaitQueue<Pending> queue() {
        return queue;
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

    /** What a newcomer would find now, with nothing changed; null when the revision is not the newest any more. */
    @Nullable
    Survey rehearse(Journey journey, Revision revision, RoutePlan route) {
        long now = journey.arrivalNanos();
        Ask ask = Ask.of(journey.request(), now).as(journey.priority());
        Pending newcomer = new Pending.Parked(journey, ask, route, now, now);
        queue.lock().lock();
        try {
            return Round.rehearse(revision, orderWith(newcomer, revision, now), newcomer, now);
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
        engine.settle(now); // what time alone has changed must not be looked at for ever
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
            for (Pending pending : queue.everyone()) {
                refuse(pending, RefusalReason.CLOSED, null, now, resolved);
            }
        } finally {
            queue.lock().unlock();
        }
        ticker.stop();
        resolved.forEach(Pending::deliver);
    }

    // the way in

    /**
     * Enters the queue as the youngest of its rank, walks, and stays only if it got nothing and may wait.
     *
     * @return null when another revision has come into force: its route, and who may ask for it, must be found anew
     */
    @Nullable
    Found enter(Pending pending, boolean mayWait, boolean again) {
        List<Pending> resolved = new ArrayList<>();
        Journey journey = pending.journey();
        long now = engine.time().nanos();
        long next;
        int waiting = 0;
        int capacity = 0;
        boolean stays;
        queue.lock().lock();
        try {
            if (engine.closed()) {
                return Found.refused(Refusal.closed(journey, engine));
            }
            queue.add(pending);
            pending.entering(true);
            Decision none = seek(pending, now, resolved);
            while (none != null && !apply(pending, none, mayWait, again, now, resolved)) {
                none = seek(pending, now, resolved);
            }
            pending.entering(false);
            if (pending.unasked()) {
                queue.remove(pending);
            } else if (none != null) {
                journey.foundNone(none);
                waiting = queue.waiting(pending.places());
                capacity = pending.route().capacity;
            }
            next = nextLook(now);
            stays = pending.queued(); // once the lock is let go, whoever grants to it also delivers
        } finally {
            queue.lock().unlock();
        }
        resolved.remove(pending);
        finish(resolved, next, now);
        if (stays) {
            engine.observers().queued(journey, waiting, capacity);
            return Found.waits(pending);
        }
        return pending.resolved() ? pending.found() : null;
    }

    /** Walks until the newcomer is resolved, or nothing is admissible for it; returns the decision that says so. */
    private @Nullable Decision seek(Pending newcomer, long now, List<Pending> resolved) {
        while (true) {
            newcomer.route(newcomer.route()); // forgets an earlier look
            serveLocked(now, resolved);
            if (newcomer.resolved() || newcomer.unasked()) {
                return null;
            }
            Decision look = newcomer.lastLook();
            if (look == null) {
                look = decide(newcomer, now);
            }
            if (look != null && !look.placed()) {
                return look;
            }
        }
    }

    private Answer answer(Pending pending, Decision none, boolean mayWait, boolean again, long now) {
        boolean couldCome = none.couldCome() || batchCouldCome(none.revision, pending, now);
        boolean beyond = none.allOutFor() > pending.deadlineNanos - now && !batchCouldCome(none.revision, pending, now);
        return FallbackMachine.answer(false, false, couldCome, mayWait, beyond, room(pending, again));
    }

    private static boolean batchCouldCome(Revision revision, Pending pending, long now) {
        return BatchPath.couldCome(revision, pending.route(), pending.journey(), pending.ask(), now);
    }

    private Room room(Pending pending, boolean again) {
        if (queue.waiting(pending.places()) - 1 < pending.route().capacity) {
            return Room.FREE;
        }
        boolean displaces =
                !again && !queue.below(pending.declared(), pending.places()).isEmpty();
        return displaces ? Room.BY_DISPLACING : Room.NONE;
    }

    /** Does what the answer is; false when somebody takes what is free instead of waiting on, so that all must be asked again. */
    private boolean apply(
            Pending pending, Decision none, boolean mayWait, boolean again, long now, List<Pending> resolved) {
        if (none.held() && room(pending, again) != Room.FREE) {
            pending.takesWhatIsFree(); // waiting by choice is no reason to be refused, or to refuse another
            return false;
        }
        Answer answer = answer(pending, none, mayWait, again, now);
        if (answer == Answer.REFUSE_FULL || answer == Answer.WAIT_IN_ITS_PLACE) {
            Pending choosy = choosy(pending.places());
            if (choosy != null) {
                choosy.takesWhatIsFree();
                return false;
            }
        }
        return apply(answer, pending, none, now, resolved);
    }

    /** Somebody who waits by choice in some places; null when nobody does. */
    private @Nullable Pending choosy(String places) {
        for (Pending waiter : queue.everyone()) {
            Decision look = waiter.lastLook();
            if (waiter.places().equals(places) && look != null && look.held()) {
                return waiter;
            }
        }
        return null;
    }

    private boolean apply(Answer answer, Pending pending, Decision none, long now, List<Pending> resolved) {
        switch (answer) {
            case WAIT -> {}
            case WAIT_IN_ITS_PLACE -> {
                List<Pending> below = queue.below(pending.declared(), pending.places());
                Pending leaves = ServiceOrder.leaving(below, engine.revision(), now);
                if (leaves == null) {
                    return false;
                }
                leaves.displaced();
                serveLocked(now, resolved);
                Decision look = leaves.queued() ? look(leaves, now) : null;
                if (look == null || look.placed()) {
                    return false; // it is served, by the batch path perhaps, or looked at again
                }
                refuse(leaves, RefusalReason.OUTRANKED, look, now, resolved);
                serveLocked(now, resolved);
            }
            case REFUSE_NEVER -> turnAway(pending, RefusalReason.NO_ELIGIBLE_SUBSTRATE, none, now, resolved);
            case REFUSE_NOW -> turnAway(pending, RefusalReason.NO_WAIT, none, now, resolved);
            case REFUSE_BEYOND_WAIT -> turnAway(pending, RefusalReason.BEYOND_WAIT, none, now, resolved);
            case REFUSE_FULL -> turnAway(pending, RefusalReason.QUEUE_FULL, none, now, resolved);
            case PRIMARY, FALLBACK ->
                throw new IllegalStateException("placed, and yet looked for a place: " + pending.journey());
        }
        return true;
    }

    /**
     * What a waiter would be told now, placed when something has come free for it since the walk; null when the revision has just changed.
     * A walk stops early when nothing is open at all, so its last look may be missing or old.
     */
    private @Nullable Decision look(Pending pending, long now) {
        Decision fresh = decide(pending, now);
        Decision last = pending.lastLook();
        boolean heldBack = fresh != null && fresh.placed() && last != null && last.now == now;
        return heldBack ? last : fresh; // by those before it, whom only a walk sees
    }

    private @Nullable Decision decide(Pending pending, long now) {
        return Decider.decide(engine.revision(), pending.route(), pending.ask(), pending.holdNanos(now), now);
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
            boolean current = Round.walk(
                    revision,
                    ServiceOrder.sorted(servable(), revision, now),
                    now,
                    (seeker, decision, lease) -> grant((Pending) seeker, decision, lease, now, resolved));
            if (current && !expire(now, resolved)) {
                return;
            }
        }
    }

    /** Those who wait and may be served. */
    private List<Pending> servable() {
        List<Pending> all = queue.everyone();
        all.removeIf(Pending::unasked);
        return all;
    }

    private List<Pending> orderWith(Pending newcomer, Revision revision, long now) {
        List<Pending> all = servable();
        all.add(newcomer);
        return ServiceOrder.sorted(all, revision, now);
    }

    private void grant(Pending pending, Decision decision, Lease lease, long now, List<Pending> resolved) {
        queue.remove(pending);
        long waited = pending.waitedBy(now);
        pending.journey().waited(waited);
        pending.resolve(new Grant(decision, lease, waited));
        resolved.add(pending);
    }

    /**
     * One round of a broadcast: those who wait are served, then the newcomer takes what it can on every substrate.
     *
     * @return false when it must be tried again under the newest revision
     */
    boolean spread(Revision revision, Pending newcomer, Set<String> taken, long now, Round.Spreading spreading) {
        List<Pending> resolved = new ArrayList<>();
        boolean whole;
        long next;
        queue.lock().lock();
        try {
            serveLocked(now, resolved);
            whole = !engine.closed()
                    && Round.spread(revision, orderWith(newcomer, revision, now), newcomer, taken, now, spreading);
            next = nextLook(now);
        } finally {
            queue.lock().unlock();
        }
        finish(resolved, next, now);
        return whole;
    }

    private void refuse(
            Pending pending, RefusalReason reason, @Nullable Decision decision, long now, List<Pending> resolved) {
        int others = queue.waiting(pending.places()) - (pending.queued() ? 1 : 0);
        refuse(pending, Refusal.of(reason, pending.journey(), decision, pending.route(), others), now, resolved);
    }

    private void refuse(Pending pending, Refusal refused, long now, List<Pending> resolved) {
        if (queue.remove(pending)) {
            pending.journey().waited(pending.waitedBy(now));
            pending.resolve(refused);
            resolved.add(pending);
        }
    }

    /** Gives everybody who waits with the route of an older revision that of the newest; refuses those it leaves without a candidate. */
    private void reroute(Revision revision, long now, List<Pending> resolved) {
        for (Pending pending : queue.everyone()) {
            if (pending.route().revision == revision.number) {
                continue;
            }
            RoutePlan route = pending.routeUnder(revision);
            if (route == null) {
                refuse(pending, Refusal.withoutRoute(pending.journey(), revision), now, resolved);
                continue;
            }
            pending.route(route);
            pending.journey().under(route);
            pending.as(pending.journey().priority());
            pending.unasked(engine.asksHost());
            queue.move(pending, route.places);
            Decision look = Decider.decide(revision, route, pending.ask(), 0, now);
            boolean batch = batchCouldCome(revision, pending, now);
            if (look != null && !look.placed() && !look.couldCome() && !batch) {
                refuse(pending, RefusalReason.NO_ELIGIBLE_SUBSTRATE, look, now, resolved);
            }
        }
    }

    /** Refuses those whose time is up; true when the queue must be walked again. */
    private boolean expire(long now, List<Pending> resolved) {
        boolean any = false;
        for (Pending pending : queue.everyone()) {
            if (pending.deadlineNanos - now <= 0 && !pending.entering() && !pending.unasked()) {
                Decision look = look(pending, now);
                if (look == null || look.placed()) {
                    return true; // something came free since the walk
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
        for (Pending pending : queue.everyone()) {
            long age = now - pending.arrivalNanos;
            next = Math.min(next, pending.deadlineNanos - now);
            next = Math.min(next, revision.agesAfterNanos - Math.floorMod(age, revision.agesAfterNanos));
            next = Math.min(next, upcoming(revision.holdAfterNanos - age));
            next = Math.min(next, upcoming(pending.route().overflowAfterNanos - age));
            next = Math.min(next, pending.ask().nextReturn(now));
            Decision look = pending.lastLook();
            next = look == null ? next : Math.min(next, look.heldFor());
        }
        return Math.max(0, Math.min(next, revision.nextChange(now)));
    }

    private static long upcoming(long nanos) {
        return nanos > 0 ? nanos : Long.MAX_VALUE;
    }

    private void finish(List<Pending> resolved, long next, long now) {
        if (next >= 0) {
            ticker.within(next, now);
        }
        resolved.forEach(Pending::deliver);
        if (engine.asksHost() && queue.waiting() > 0) {
            askHost();
        }
    }

    /** After a reload, asks the host whether those who wait may still ask for what they wait for: foreign code, so not under the lock. */
    private void askHost() {
        List<Pending> unasked = new ArrayList<>();
        queue.lock().lock();
        try {
            unasked.addAll(queue.everyone());
            unasked.removeIf(pending -> !pending.unasked() || pending.entering());
        } finally {
            queue.lock().unlock();
        }
        unasked.forEach(this::askHost);
        if (!unasked.isEmpty()) {
            serve();
        }
    }

    private void askHost(Pending pending) {
        RoutePlan route = pending.route();
        String objection = engine.objection(pending.journey(), route);
        List<Pending> resolved = new ArrayList<>();
        long now = engine.time().nanos();
        queue.lock().lock();
        try {
            if (objection != null) {
                refuse(pending, Refusal.forbidden(pending.journey(), engine.revision(), objection), now, resolved);
            } else if (route.revision == pending.route().revision) {
                pending.unasked(false);
            }
        } finally {
            queue.lock().unlock();
        }
        resolved.forEach(Pending::deliver);
    }

    /** Takes a waiter out that has given up, and looks at those it held back. */
    void withdraw(Pending pending) {
        boolean left;
        queue.lock().lock();
        try {
            left = queue.remove(pending);
            if (left) {
                Decision last = pending.lastLook();
                if (last != null) {
                    pending.journey().foundNone(last);
                }
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
}
