package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.ServingPath;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What happened to a request. Immutable. */
public sealed interface Ending {
    /** It waits for a place. */
    record Waits() implements Ending {}

    /**
     * It was placed.
     *
     * @param substrateId where
     * @param endpoint where its work is sent; empty: the host serves it itself
     * @param path by which way
     * @param mode live or batch
     * @param degraded in what it is less than the primary as declared
     */
    record Placed(
            String substrateId,
            Optional<URI> endpoint,
            ServingPath path,
            PlacementMode mode,
            Set<DegradedReason> degraded)
            implements Ending {}

    /**
     * It was turned down.
     *
     * @param reason why
     * @param words why, in words
     * @param retryAfter when it may be worth asking again; empty when it is of no use
     */
    record Refused(RefusalReason reason, String words, Optional<Duration> retryAfter) implements Ending {}

    /** It waits. */
    static Ending waits() {
        return new Waits();
    }

    /** It has a place. */
    static Ending placed(Placement placement) {
        Attempt attempt = placement.trace().lastAttempt().orElseThrow();
        return new Placed(
                attempt.substrateId(), attempt.endpoint(), attempt.path(), attempt.mode(), placement.degraded());
    }

    /** It is turned down. */
    static Ending refused(RoutingException refused) {
        return new Refused(refused.reason(), Faults.plain(String.valueOf(refused.getMessage())), refused.retryAfter());
    }
}
