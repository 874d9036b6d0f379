package dev.substraterouter.verify;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Somebody asks for something while the substrates stand in some way, and the router answers. What a {@link PolicyRule} judges. Immutable
 * and thread-safe.
 *
 * @param request what is asked, by whom and with which priority
 * @param roles the roles that whoever asks has; empty where the policy has none
 * @param waited how long it has waited already
 * @param queue how the queue stands; it matters only where nothing is free
 * @param standings how the substrates of its route stand, by id, in the order of the route
 * @param answer what the router does
 */
public record Situation(
        RouteRequest request,
        List<String> roles,
        Duration waited,
        QueueState queue,
        Map<String, Standing> standings,
        Answer answer) {
    /** Copies nothing: it is made of immutable parts. */
    public Situation {}

    /** The workload that is asked for; empty for a need without one. */
    public Optional<String> workload() {
        return request.need().isPresent() ? Optional.empty() : Optional.of(request.workload());
    }

    /** The priority that is asked for. */
    public Priority priority() {
        return request.priority().orElse(Priority.NORMAL);
    }

    /** Whether nothing keeps the request from a substrate but, perhaps, what the policy says of it for good. */
    public boolean free(String substrateId) {
        Standing standing = standings.get(substrateId);
        return standing == null || standing.free();
    }

    /** Where it is placed; empty: nowhere. */
    public Optional<String> placedOn() {
        return answer.substrateId();
    }

    /** What is asked for, in words. */
    public String subject() {
        return request.need().map(Object::toString).orElseGet(request::workload);
    }
}
