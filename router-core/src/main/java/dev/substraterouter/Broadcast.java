package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.RefusalReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Places one request on every substrate that is admissible for it; those who wait go first. */
final class Broadcast {
    private final Engine engine;
    private final Journey first;
    private final List<Grant> grants = new ArrayList<>();

    Broadcast(Engine engine, RouteRequest request) {
        this.engine = engine;
        this.first = engine.beginCall(request);
    }

    /**
     * The placements, each with a trace of its own; empty when everything is busy.
     *
     * @throws RoutingException if it could never be placed
     */
    List<Placement> place() {
        RoutePlan route = take();
        List<Placement> placements = new ArrayList<>();
        for (Grant grant : grants) {
            Journey journey = placements.isEmpty() ? first : engine.beginLike(first);
            journey.under(grant.decision().route);
            placements.add(engine.placing().hold(journey, grant, false));
        }
        if (placements.isEmpty()) {
            nothing(route);
        }
        return placements;
    }

    /** Ends it without a placement: everything is busy, or nothing could ever serve it. */
    private void nothing(RoutePlan route) {
        Decision look = Decider.decide(engine.revision(), route, ask(), 0, first.arrivalNanos());
        if (look != null && !look.placed() && !look.couldCome()) {
            Refusal never = Refusal.of(RefusalReason.NO_ELIGIBLE_SUBSTRATE, first, look, route, 0);
            throw engine.placing().turnedDown(first, never, false);
        }
        first.foundNone(look == null || look.placed() ? null : look);
        first.refused(RefusalReason.NO_WAIT);
        first.end();
    }

    private Ask ask() {
        return first.ask().as(first.priority());
    }

    /** Takes what there is; returns the route by which it was taken. */
    private RoutePlan take() {
        Set<String> taken = new HashSet<>();
        while (true) {
            Revision revision = engine.revision();
            Refusal barred = engine.placing().barred(first, revision);
            if (barred != null) {
                grants.forEach(engine.placing()::handOn);
                throw engine.placing().turnedDown(first, barred, false);
            }
            RoutePlan route = first.route();
            long now = engine.time().nanos();
            Pending newcomer = new Pending.Parked(first, ask(), route, now, now);
            boolean whole = engine.waiting().spread(revision, newcomer, taken, now, (decision, lease) -> {
                taken.add(decision.candidate().substrate.id);
                grants.add(new Grant(decision, lease, 0));
            });
            if (whole) {
                return route;
            }
        }
    }
}
