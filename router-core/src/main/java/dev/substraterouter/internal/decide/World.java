package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.plan.RoutePlan;
import org.jspecify.annotations.Nullable;

/** What a walk reads and takes from: the live states, or copies. */
interface World extends States {
    /** The route of a seeker there; null: it has none and is about to be refused. */
    @Nullable
    RoutePlan route(Seeker seeker);

    /** Takes the lease of a decision; null when that cannot be had as it was decided. */
    @Nullable
    Lease take(Decision decision, Seeker seeker);

    /** What becomes of a seeker that was looked at; the lease is null when it got none. */
    void looked(Seeker seeker, Decision decision, @Nullable Lease lease);
}
