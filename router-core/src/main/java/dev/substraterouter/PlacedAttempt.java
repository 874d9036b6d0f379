package dev.substraterouter;

import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.ServingPath;
import java.util.Optional;

/**
 * A placement as {@link InlineListener}s see it: codes and references, from which nothing is put together before it is asked for.
 * Thread-safe.
 */
public interface PlacedAttempt {
    /** The order of arrival of its request among those of this router, from 1. */
    long number();

    /** The id of its request, the caller's or the router's; put together at each call where the caller gave none. */
    String requestId();

    /** What was asked for; {@link dev.substraterouter.model.RouteRequest#AD_HOC} for a need without a workload. */
    String workload();

    /** Where it went. */
    String substrateId();

    /** By which way. */
    ServingPath path();

    /** The model: what the host said really ran, else what the candidate declares; empty: neither. */
    Optional<String> model();

    /** Why the primary was not taken; empty when it was, when it was not looked at, and on the batch path. */
    Optional<Reason> fallbackReason();

    /** Counted from 1 for each request. */
    int attempt();

    /** The policy's revision that decided. */
    long revision();

    /** For how long its request had waited in the queue until then, in nanoseconds, over all its attempts. */
    long waitedNanos();

    /** How long ago its request arrived, in nanoseconds: reads the clock. */
    long sinceArrivalNanos();
}
