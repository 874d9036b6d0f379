package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.WaitQueue;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.decide.Round;
import dev.substraterouter.internal.decide.ServiceOrder;
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
    private boolean anyUnasked;

    Serving(Engine engine, WaitQueue<Pending> queue) {
        this.engine = engine;
        this.queue = queue;
    }

    /** Serves whom it can, until nothing more can be done at this moment. Who is resolved is added to the list. */
    void serve(long now, List<Pending> resolved) {
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

    List<Pending> orderWith(Pending newcomer, Revision revision, long now) {
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
            anyUnasked |= engine.asksHost();
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
    long nextLook(long now) {
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

    static boolean batchCouldCome(Revision revision, Pending pending, long now) {
        return BatchPath.couldCome(revision, pending.route(), pending.journey(), pending.ask(), now);
    }

    /** A waiter whom the host must be asked about after a reload, and for what. */
    record Unasked(Pending pending, RoutePlan route) {}

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
