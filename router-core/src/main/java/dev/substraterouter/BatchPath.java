package dev.substraterouter;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.RoutePlan;
import org.jspecify.annotations.Nullable;

/** The batch path of a request that would rather be served live. */
final class BatchPath {
    private BatchPath() {}

    /** Whether a request that has nothing to hope for live may yet be served by the batch path. */
    static boolean couldCome(Revision revision, RoutePlan route, Journey journey, Ask ask, long now) {
        if (route.batch == null || !FallbackMachine.takesBatch(journey.mode(), ask.priority())) {
            return false;
        }
        Decision look = Decider.decide(revision, route.batch, ask, 0, now);
        return look == null || look.placed() || look.couldCome();
    }

    /** A lease on the batch path of a route while nobody waits; null when it has none, or it is not admissible now. */
    static @Nullable Grant take(Revision revision, RoutePlan route, Journey journey, Ask ask, long now) {
        RoutePlan batch = route.batch;
        while (batch != null) {
            Decision decision = Decider.decide(revision, batch, ask, 0, now);
            if (decision == null || !decision.placed()) {
                return null;
            }
            Lease lease = decision.cell().take(decision);
            if (lease != null) {
                return new Grant(decision, lease, journey.waitedNanos());
            }
        }
        return null;
    }
}
