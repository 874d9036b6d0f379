package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.trace.RefusalReason;
import org.jspecify.annotations.Nullable;

/**
 * A request with what only some hosts want to know of it: the trace of their own in which it was asked, and each decision in the flight
 * recorder. A class of its own, so that the request of a host that wants neither is no larger.
 */
final class FollowedJourney extends Journey {
    private final @Nullable String traceId;
    private final boolean recorded;
    /** The decision that is under way, touched by whoever drives the journey; null: it is not recorded. */
    private FlightEvents.@Nullable Decision decision;

    FollowedJourney(Engine engine, Ask ask, PlacementMode mode, @Nullable String traceId, boolean recorded) {
        super(engine, ask, mode);
        this.traceId = traceId;
        this.recorded = recorded;
        this.decision = recorded ? Flight.decisionBegins() : null;
    }

    @Override
    @Nullable
    String traceId() {
        return traceId;
    }

    @Override
    void again() {
        decision = recorded ? Flight.decisionBegins() : null;
    }

    @Override
    void attempt(HeldPlacement placement) {
        super.attempt(placement);
        FlightEvents.Decision decided = decision;
        if (decided != null) {
            decision = null;
            decided.placed(this, placement);
        }
    }

    @Override
    void refused(RefusalReason reason) {
        super.refused(reason);
        FlightEvents.Decision decided = decision;
        if (decided != null) {
            decision = null;
            decided.refused(this, reason);
        }
    }
}
