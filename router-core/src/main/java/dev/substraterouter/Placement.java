package dev.substraterouter;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.trace.RoutingTrace;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Where a request runs, held by a lease until an outcome is reported or it is closed. Thread-safe; no method blocks.
 *
 * <p>The first outcome wins; closing again, from any thread, does nothing. A placement must be closed: a lease is never taken away by age.
 *
 * <pre>{@code
 * try (Placement placement = router.place(RouteRequest.workload("flux-fill"))) {
 *     byte[] image = worker.generate(placement.endpoint(), prompt);
 *     placement.succeed();
 * }
 * }</pre>
 */
public interface Placement extends AutoCloseable {
    /** The substrate's id. */
    String substrateId();

    /**
     * Where the work is to be sent.
     *
     * @throws IllegalStateException if the policy gives neither the candidate nor its substrate an endpoint: the host serves it itself
     */
    URI endpoint();

    /** The candidate as the policy declares it. */
    Candidate candidate();

    /** Live or batch. */
    PlacementMode mode();

    /** The attempt's number in its request, from 1. */
    int attempt();

    /** The GPU on which it was booked, by its place among those the substrate reports; empty when not booked on a single one. */
    OptionalInt gpu();

    /** In what way it is less than the primary as declared; empty: in none. */
    Set<DegradedReason> degraded();

    /** How long the work is expected to take; empty when nobody knows. */
    Optional<Duration> expectedLatency();

    /** The request's trace so far: a snapshot. */
    RoutingTrace trace();

    /** An answer has begun to stream to the client: from here on there is no failover. */
    void commit();

    /** What really ran, when it differs from the candidate. */
    void served(String model, String version);

    /** The work was done. */
    void succeed();

    /** The work failed; whose fault it was is found out as {@link SubstrateRouter#call} does. */
    void fail(Throwable t);

    /** The work failed, and it was the substrate's fault. */
    void nodeFault(Throwable t);

    /**
     * The substrate said that it is full.
     *
     * @param retryAfter when to come back; zero or negative: it did not say
     */
    void busy(Duration retryAfter);

    /** Gives the lease back. Without an outcome before, it says nothing of the substrate. */
    @Override
    void close();
}
