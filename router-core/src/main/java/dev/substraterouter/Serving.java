package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.WaitQueue;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Line;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.decide.Round;
import dev.substraterouter.internal.decide.Seeker;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.trace.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to those who wait: they are walked through, rerouted after a reload, and refused when their time is up. Everything here is
 * called under the queue's lock, and runs no foreign code.
 */
final class Serving {
    private final Engine engine;
    private final WaitQueue<Pending> queue;
    private final Line<Pending> line;
    private volatile boolean anyUnasked; // written under the lock

    Serving(Engine engine, WaitQueue<Pending> queue) {
        this.engine = engine;
        this.queue = queue;
        this.line = new Line<>(engine.revision());
    }

    /** Brings everybody to what time has made of them; returns the moment that counts from here on, see {@link Line}. */
    long at(long read) {
        return line.at(read);
    }

    void add(Pending pending) {
        queue.add(pending);
        line.join(pending);
    }

    /** Takes a waiter out; false when it does not wait any more. */
    boolean remove(Pending pending) {
        boolean waited = queue.remove(pending);
        if (waited) {
            line.leave(pending);
        }
        return waited;
    }

    /** Serves whom it can, until nothing more can be done at this moment. Who is resolved is added to the list. */
    void serve(long now, List<Pending> resolved) {
        Round.Turns turns = new Turns(now, resolved);
        while (true) {
            Revision revision = engine.revision();
            reroute(revision, now, resolved);
            boolean current = Round.walk(revision, line.order(revision), now, turns);
            if (current && !expire(now, resolved)) {
                return;
            }
        }
    }

    /** Those who wait and a newcomer, in the order of service. */
    Iterable<Pending> orderWith(Pending newcomer, Revision revision) {
        return line.orderWith(newcomer, revision);
    }

    /** Resolves those who got a lease; remembers those who wait by choice. */
    private final class Turns implements Round.Turns {
        private final long now;
        private final List<Pending> resolved;

        Turns(long now, List<Pending> resolved) {
            this.now = now;
            this.resolved = resolved;
        }

        @Override
        public void granted(Seeker seeker, Decision decision, Lease lease) {
            Pending pending = (Pending) seeker;
            remove(pending);
            pending.ends(now);
            pending.resolve(new Grant(decision, lease, pending.waitedBy(now)));
            resolved.add(pending);
        }

        @Override
        public void chose(Seeker seeker) {
            line.chooses((Pending) seeker);
        }
    }

    /**
     * What a waiter would be told now, placed when something has come free for it since the walk; null when the revision has just changed.
     * A walk stops early when nothing is open at all, so its last look may be missing or old.
     */
    @Nullable
    Decision look(Pending pending, long now) {
        Decision fresh = decide(pending, now);
        Decision last = pending.lastLook();
        boolean heldBack = fresh != null && fresh.placed() && last != null && last.now == now;
        return heldBack ? last : fresh; // by those before it, whom only a walk sees
    }

    @Nullable
    Decision decide(Pending pending, long now) {
        return Decider.decide(engine.revision(), pending.route(), pending.ask(), pending.holdNanos(now), now);
    }

    void refuse(Pending pending, RefusalReason reason, @Nullable Decision decision, long now, List<Pending> resolved) {
        int others = queue.waiting(pending.places()) - (pending.queued() ? 1 : 0);
        refuse(pending, Refusal.of(reason, pending.journey(), decision, pending.route(), others), now, resolved);
    }

    void refuse(Pending pending, Refusal refused, long now, List<Pending> resolved) {
        if (remove(pending)) {
            pending.ends(now);
            pending.resolve(refused);
            resolved.add(pending);
        }
    }

    /** Gives everybody who waits with the route of an older revision that of the newest; refuses those it leaves without a candidate. */
    private void reroute(Revision revision, long now, List<Pending> resolved) {
        if (line.standsUnder(revision)) {
            return;
        }
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
            anyUnasked = anyUnasked || engine.asksHost();
            queue.move(pending, route.places);
            Decision look = Decider.decide(revision, route, pending.ask(), 0, now);
            boolean batch = batchCouldCome(revision, pending, now);
            if (look != null && !look.placed() && !look.couldCome() && !batch) {
                refuse(pending, RefusalReason.NO_ELIGIBLE_SUBSTRATE, look, now, resolved);
            }
        }
        line.under(revision);
    }

    /** Refuses those whose time is up; true when the queue must be walked again. */
    private boolean expire(long now, List<Pending> resolved) {
        boolean any = false;
        for (Pending pending : line.expired()) {
            if (!pending.entering()) {
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
    long nextLook(long now) {
        if (queue.waiting() == 0) {
            return -1;
        }
        Revision revision = engine.revision();
        long next = Math.min(revision.retryEveryNanos, line.next());
        return Math.max(0, Math.min(next, revision.nextChange(now)));
    }

    /** The host has nothing against a waiter, who may be served again. */
    void asked(Pending pending) {
        pending.unasked(false);
        if (pending.queued()) {
            line.again(pending);
        }
    }

    /** Somebody who waits by choice in some places; null when nobody does. */
    @Nullable
    Pending choosy(String places) {
        return line.choosing(waiter -> waiter.places().equals(places));
    }

    static boolean batchCouldCome(Revision revision, Pending pending, long now) {
        return BatchPath.couldCome(revision, pending.route(), pending.journey(), pending.ask(), now);
    }

    /** A waiter whom the host must be asked about after a reload, and for what. */
    record Unasked(Pending pending, RoutePlan route) {}

    /** Whether the host must be asked about somebody, without the lock. */
    boolean anyUnasked() {
        return anyUnasked;
    }

    /** Those whom the host must be asked about and has not been since; who is asked about is not listed again. */
    List<Unasked> takeUnasked() {
        List<Unasked> unasked = new ArrayList<>();
        if (anyUnasked) {
            anyUnasked = false;
            for (Pending pending : queue.everyone()) {
                if (pending.unasked() && !pending.entering()) {
                    unasked.add(new Unasked(pending, pending.route()));
                }
            }
        }
        return unasked;
    }
}
