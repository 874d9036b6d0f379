package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.SubstrateKind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The roles under which somebody may ask for something: at least one. Immutable; equal when the roles are the same. */
record RoleSet(List<Role> roles) {
    RoleSet {
        roles = List.copyOf(roles);
    }

    /** Those of some roles that may ask for the priority that a request has: its own, or NORMAL, or the highest that one of them may. */
    static RoleSet asking(List<Role> covering, Optional<Priority> asked) {
        RoleSet all = new RoleSet(covering);
        Priority priority = asked.orElse(all.defaultPriority());
        return new RoleSet(covering.stream()
                .filter(role -> mayBeAs(role, Optional.of(priority)))
                .toList());
    }

    /** The priority of a request that names none. */
    Priority defaultPriority() {
        Priority highest = maxPriority();
        return highest.outranks(Priority.NORMAL) ? Priority.NORMAL : highest;
    }

    /** Their names. */
    List<String> names() {
        return roles.stream().map(Role::name).toList();
    }

    /** The highest priority that one of them may ask for. */
    Priority maxPriority() {
        Priority highest = Priority.LOW;
        for (Role role : roles) {
            highest = role.maxPriority().outranks(highest) ? role.maxPriority() : highest;
        }
        return highest;
    }

    /** Why none of them may use a substrate; null: one may. */
    @Nullable
    String objection(SubstratePlan substrate) {
        boolean external = substrate.kind == SubstrateKind.EXTERNAL;
        boolean mayLeave = false;
        for (Role role : roles) {
            boolean reaches = !external || role.external();
            mayLeave |= reaches;
            if (reaches && (substrate.acceptsRoles == null || substrate.acceptsRoles.contains(role.name()))) {
                return null;
            }
        }
        String who = "role " + String.join(", ", names());
        return mayLeave ? who + " is not accepted" : who + " may not use external substrates";
    }

    /** Whether a role may ask for a named workload, or, with null, for a need without one. */
    static boolean covers(Role role, @Nullable String workload, Need need) {
        boolean subject = workload == null ? role.adhoc() : anyOrNamed(role.workloads(), workload);
        return subject && allows(role, need.capabilities());
    }

    /** Whether a role may ask for a priority; for none in particular every role may. */
    static boolean mayBeAs(Role role, Optional<Priority> asked) {
        return asked.isEmpty() || !asked.get().outranks(role.maxPriority());
    }

    /** Whether a role may ask for some capabilities, in canonical form. */
    static boolean allows(Role role, List<String> capabilities) {
        if (capabilities.isEmpty() || role.capabilities().contains("*")) {
            return true;
        }
        List<String> allowed = role.capabilities().stream().map(Need::canonical).toList();
        return allowed.containsAll(capabilities);
    }

    private static boolean anyOrNamed(List<String> allowed, String name) {
        return allowed.contains("*") || allowed.contains(name);
    }
}
