package dev.substraterouter.trace;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The record of one request: what was asked, every attempt with its reasons, and how it ended. Immutable; a trace taken while the request
 * is under way is a snapshot.
 *
 * @param requestId the request's id, the caller's or the router's
 * @param workload what was asked for; {@link RouteRequest#AD_HOC} for a need without a workload
 * @param need what was needed, when no workload was named
 * @param identity who asked, as the host said; empty when not said
 * @param role the role under which it was served; empty when the policy has no roles
 * @param priority the priority it had
 * @param attributes what the caller attached
 * @param askedAt when it was asked, by the wall clock, for people
 * @param revision the policy's revision of the last decision
 * @param attempts every placement, in order; of more than 64, the last 64
 * @param considered the candidates as the last decision without a placement saw them; of many the first; empty when there was none
 * @param refusal why it was turned down; empty when it was not
 * @param waited how long it waited in the queue in all
 * @param fellBack whether the last placement was not on the primary
 * @param overflow whether the last placement was on an overflow substrate
 * @param served whether it ended with work that was done
 * @param observation what became known of the answer later; empty until somebody tells it
 * @param namesSubstrate whether the request named a substrate, to be preferred or avoided: a client that knows machines
 * @param traceId the host's own trace in which it was asked, see {@link TraceContext}; empty when not told
 */
public record RoutingTrace(
        String requestId,
        String workload,
        Optional<Need> need,
        Optional<String> identity,
        Optional<String> role,
        Priority priority,
        Map<String, String> attributes,
        Instant askedAt,
        long revision,
        List<Attempt> attempts,
        List<Considered> considered,
        Optional<RefusalReason> refusal,
        Duration waited,
        boolean fellBack,
        boolean overflow,
        boolean served,
        Optional<Observation> observation,
        boolean namesSubstrate,
        Optional<String> traceId) {
    /** Copies the collections. */
    public RoutingTrace {
        Objects.requireNonNull(requestId, "requestId");
        Objects.requireNonNull(workload, "workload");
        attributes = Map.copyOf(attributes);
        attempts = List.copyOf(attempts);
        considered = List.copyOf(considered);
    }

    /** The trace of a request of which the host's own trace is not known. */
    public RoutingTrace(
            String requestId,
            String workload,
            Optional<Need> need,
            Optional<String> identity,
            Optional<String> role,
            Priority priority,
            Map<String, String> attributes,
            Instant askedAt,
            long revision,
            List<Attempt> attempts,
            List<Considered> considered,
            Optional<RefusalReason> refusal,
            Duration waited,
            boolean fellBack,
            boolean overflow,
            boolean served,
            Optional<Observation> observation,
            boolean namesSubstrate) {
        this(
                requestId,
                workload,
                need,
                identity,
                role,
                priority,
                attributes,
                askedAt,
                revision,
                attempts,
                considered,
                refusal,
                waited,
                fellBack,
                overflow,
                served,
                observation,
                namesSubstrate,
                Optional.empty());
    }

    /** As the other, of a request that named no substrate. */
    public RoutingTrace(
            String requestId,
            String workload,
            Optional<Need> need,
            Optional<String> identity,
            Optional<String> role,
            Priority priority,
            Map<String, String> attributes,
            Instant askedAt,
            long revision,
            List<Attempt> attempts,
            List<Considered> considered,
            Optional<RefusalReason> refusal,
            Duration waited,
            boolean fellBack,
            boolean overflow,
            boolean served,
            Optional<Observation> observation) {
        this(
                requestId,
                workload,
                need,
                identity,
                role,
                priority,
                attributes,
                askedAt,
                revision,
                attempts,
                considered,
                refusal,
                waited,
                fellBack,
                overflow,
                served,
                observation,
                false);
    }

    /** This trace with what has become known of the answer; where it is known already, the later knowledge counts. */
    public RoutingTrace observed(Observation later) {
        return new RoutingTrace(
                requestId,
                workload,
                need,
                identity,
                role,
                priority,
                attributes,
                askedAt,
                revision,
                attempts,
                considered,
                refusal,
                waited,
                fellBack,
                overflow,
                served,
                Optional.of(observation.map(known -> known.with(later)).orElse(later)),
                namesSubstrate,
                traceId);
    }

    /** The last placement; empty when there was none. */
    public Optional<Attempt> lastAttempt() {
        return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.get(attempts.size() - 1));
    }
}
