package dev.substraterouter.policy;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import java.util.List;
import java.util.Optional;

/**
 * A host's own word on who may ask for what, beside the policy's roles: it can only forbid, never allow what the roles forbid. Thread-safe.
 */
@FunctionalInterface
public interface Authorizer {
    /**
     * Why a request must not be served; empty: it may be. Asked at every attempt, before any substrate is looked at, on the calling thread,
     * and never under a lock; must be fast. What it throws is logged, and the request is refused.
     */
    Optional<String> objection(Access access);

    /**
     * What somebody asks for.
     *
     * @param identity who asks, as the host has authenticated it; empty when it has not
     * @param roles the policy's roles under which it may ask for this; empty when the policy has no roles
     * @param workload the workload; empty when it names none
     * @param need the effective need: what the request says, or what its workload implies
     * @param priority the priority it would have
     */
    record Access(
            Optional<String> identity, List<String> roles, Optional<String> workload, Need need, Priority priority) {
        /** Copies the list. */
        public Access {
            roles = List.copyOf(roles);
        }
    }
}
