package dev.substraterouter;

import dev.substraterouter.internal.admission.WaitQueue;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.decide.FallbackMachine.Answer;
import dev.substraterouter.internal.decide.FallbackMachine.Room;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.decide.Round;
import dev.substraterouter.internal.decide.ServiceOrder;
import dev.substraterouter.internal.decide.Survey;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.WaitEnd;
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
    private final Serving serving;
    private final Ticker ticker;

    Waiting(Engine engine) {
        this.engine = engine;
        this.serving = new Serving(engine, queue);
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

    /** Who waits now: a copy. */
    List<Pending> everyone() {
        queue.lock().lock();
        try {
            return queue.everyone();
        } finally {
            queue.lock().unlock();
        }
    }

    /** What a newcomer would find now, with nothing changed; null when the revision is not the newest any more. */
    @Nullable
    Survey rehearse(Journey journey, Revision revision, RoutePlan route) {
        long arrival = journey.arrivalNanos();
        Ask ask = journey.ask().as(journey.priority());
        Pending newcomer = new Pending.Parked(journey, ask, route, arrival, arrival);
        queue.lock().lock();
        try {
            long now = serving.at(arrival);
            return Round.rehearse(revision, serving.orderWith(newcomer, revision), newcomer, now);
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
            now = serving.at(now);
            serving.serve(now, resolved);
            next = serving.nextLook(now);
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
                serving.refuse(pending, RefusalReason.CLOSED, null, now, resolved);
            }
        } finally {
            queue.lock().unlock();
        }
        ticker.stop();
        Pending.deliver(resolved);
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
                return Refusal.closed(journey, engine);
            }
            now = serving.at(now);
            serving.add(pending);
            pending.entering(true);
            Decision none = seek(pending, now, resolved);
            while (none != null && !apply(pending, none, mayWait, again, now, resolved)) {
                none = seek(pending, now, resolved);
            }
            pending.entering(false);
            if (pending.unasked()) {
                serving.remove(pending);
            } else if (none != null) {
                journey.foundNone(none);
                waiting = queue.waiting(pending.places());
                capacity = pending.route().capacity;
            }
            next = serving.nextLook(now);
            stays = pending.queued(); // once the lock is let go, whoever grants to it also delivers
        } finally {
            queue.lock().unlock();
        }
        resolved.remove(pending);
        finish(resolved, next, now);
        if (stays) {
            lookAgain(pending.route());
            engine.observers().queued(journey, waiting, capacity);
            return pending;
        }
        return pending.outcome();
    }

    /** Asks for a fresh status where memory that own jobs have left counts as taken until one comes. */
    private void lookAgain(RoutePlan route) {
        Revision revision = engine.revision();
        for (CandidatePlan candidate : route.candidates) {
            if (route.revision == revision.number
                    && revision.cell(candidate.substrate.index).get().ledger.leftBehind()) {
                engine.intake().refresh(candidate.substrate.id);
            }
        }
    }

    /** Walks until the newcomer is resolved, or nothing is admissible for it; returns the decision that says so. */
    private @Nullable Decision seek(Pending newcomer, long now, List<Pending> resolved) {
        while (true) {
            newcomer.route(newcomer.route()); // forgets an earlier look
            serving.serve(now, resolved);
            if (newcomer.resolved() || newcomer.unasked()) {
                return null;
            }
            Decision look = newcomer.lastLook();
            if (look == null) {
                look = serving.decide(newcomer, now);
            }
            if (look != null && !look.placed()) {
                return look;
            }
        }
    }

    private Answer answer(Pending pending, Decision none, boolean mayWait, boolean again, long now) {
        boolean batch = Serving.batchCouldCome(none.revision, pending, now);
        return FallbackMachine.answer(none, batch, mayWait, pending.deadlineNanos - now, room(pending, again, now));
    }

    /** Who has to leave for a newcomer if there is no place; null: nobody. */
    private @Nullable Pending leaving(Pending newcomer, long now) {
        return ServiceOrder.leaving(() -> queue.in(newcomer.places()), newcomer, engine.revision(), now);
    }

    private Room room(Pending pending, boolean again, long now) {
        if (queue.waiting(pending.places()) - 1 < pending.route().capacity) {
            return Room.FREE;
        }
        return !again && leaving(pending, now) != null ? Room.BY_DISPLACING : Room.NONE;
    }

    /** Does what the answer is; false when somebody takes what is free instead of waiting on, so that all must be asked again. */
    private boolean apply(
            Pending pending, Decision none, boolean mayWait, boolean again, long now, List<Pending> resolved) {
        if (none.held() && room(pending, again, now) != Room.FREE) {
            pending.takesWhatIsFree(); // waiting by choice is no reason to be refused, or to refuse another
            return false;
        }
        Answer answer = answer(pending, none, mayWait, again, now);
        if (answer == Answer.REFUSE_FULL || answer == Answer.WAIT_IN_ITS_PLACE) {
            Pending choosy = serving.choosy(pending.places());
            if (choosy != null) {
                choosy.takesWhatIsFree();
                return false;
            }
        }
        return apply(answer, pending, none, now, resolved);
    }

    private boolean apply(Answer answer, Pending pending, Decision none, long now, List<Pending> resolved) {
        switch (answer) {
            case WAIT -> {}
            case WAIT_IN_ITS_PLACE -> {
                Pending leaves = leaving(pending, now);
                if (leaves == null) {
                    return false;
                }
                leaves.displaced();
                serving.serve(now, resolved);
                Decision look = leaves.queued() ? serving.look(leaves, now) : null;
                if (look == null || look.placed()) {
                    return false; // it is served, by the batch path perhaps, or looked at again
                }
                serving.refuse(leaves, RefusalReason.OUTRANKED, look, now, resolved);
                serving.serve(now, resolved);
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

    /** Refuses a newcomer; whoever its short presence held back is looked at again. */
    private void turnAway(Pending pending, RefusalReason reason, Decision none, long now, List<Pending> resolved) {
        serving.refuse(pending, reason, none, now, resolved);
        if (queue.waiting() > 0) {
            serving.serve(now, resolved);
        }
    }

    /**
     * One round of a broadcast: those who wait are served, then the newcomer takes what it can on every substrate.
     *
     * @return false when it must be tried again under the newest revision
     */
    boolean spread(Revision revision, Pending newcomer, Set<String> taken, long read, Round.Spreading spreading) {
        List<Pending> resolved = new ArrayList<>();
        boolean whole;
        long next;
        long now;
        queue.lock().lock();
        try {
            now = serving.at(read);
            serving.serve(now, resolved);
            whole = !engine.closed()
                    && Round.spread(revision, serving.orderWith(newcomer, revision), newcomer, taken, now, spreading);
            next = serving.nextLook(now);
        } finally {
            queue.lock().unlock();
        }
        finish(resolved, next, now);
        return whole;
    }

    private void finish(List<Pending> resolved, long next, long now) {
        if (next >= 0) {
            ticker.within(next, now);
        }
        Pending.deliver(resolved);
        if (serving.anyUnasked()) {
            engine.execute(this::askHost); // foreign code
        }
    }

    /** After a reload, asks the host whether those who wait may still ask for what they wait for. Not under the lock. */
    private void askHost() {
        List<Serving.Unasked> unasked;
        queue.lock().lock();
        try {
            unasked = serving.takeUnasked();
        } finally {
            queue.lock().unlock();
        }
        unasked.forEach(this::askHost);
        if (!unasked.isEmpty()) {
            serve();
        }
    }

    private void askHost(Serving.Unasked one) {
        Pending pending = one.pending();
        String objection = engine.objection(pending.journey(), one.route());
        List<Pending> resolved = new ArrayList<>();
        queue.lock().lock();
        try {
            if (objection != null) {
                Refusal forbidden = Refusal.forbidden(pending.journey(), engine.revision(), objection);
                serving.refuse(pending, forbidden, engine.time().nanos(), resolved);
            } else if (one.route().revision == pending.route().revision) {
                serving.asked(pending);
            }
        } finally {
            queue.lock().unlock();
        }
        Pending.deliver(resolved);
    }

    /** Takes a waiter out that has given up, and looks at those it held back. */
    void withdraw(Pending pending) {
        boolean left;
        queue.lock().lock();
        try {
            left = serving.remove(pending);
            if (left) {
                Decision last = pending.lastLook();
                if (last != null) {
                    pending.journey().foundNone(last);
                }
                pending.ends(engine.time().nanos());
            }
        } finally {
            queue.lock().unlock();
        }
        if (left) {
            Flight.waited(pending, WaitEnd.WITHDRAWN);
            engine.observers().waited(pending, WaitEnd.WITHDRAWN);
            if (pending instanceof Pending.Promised) {
                pending.journey().end();
            }
            serve();
        }
    }
}
