package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Role;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a request has no route. Immutable.
 *
 * @param notAuthorized whether it is that who asks may not; else there is no such workload
 * @param detail in words; tells nothing of the pool to those who may not ask
 */
public record Denial(boolean notAuthorized, String detail) {
    private static final int MOST_NAMES = 10;

    static Denial unknown(Collection<String> known) {
        String names = known.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return new Denial(false, " (known: " + names + (known.size() > MOST_NAMES ? ", ..." : "") + ")");
    }

    /** What the roles that somebody has do not cover; null: they cover all. */
    static @Nullable Denial of(RouteRequest request, Need need, Set<Role> held) {
        if (request.identity().isEmpty()) {
            return no("the policy has roles, and the request names no identity");
        }
        String who = "'" + request.identity().get() + "'";
        if (held.isEmpty()) {
            return no(who + " has no role");
        }
        String whoAndRole = who + ", role " + held.stream().map(Role::name).collect(Collectors.joining(", "));
        String workload = request.need().isPresent() ? null : request.workload();
        Need anything = Need.builder().build();
        List<Role> named = held.stream()
                .filter(role -> RoleSet.covers(role, workload, anything))
                .toList();
        if (named.isEmpty()) {
            return no(whoAndRole + ", may not ask "
                    + (workload == null ? "without naming a workload" : "for workload '" + workload + "'"));
        }
        List<Role> able = named.stream()
                .filter(role -> RoleSet.covers(role, workload, need))
                .toList();
        if (able.isEmpty()) {
            return no(whoAndRole + ", may not ask for " + forbidden(named, need));
        }
        return able.stream().anyMatch(role -> RoleSet.mayBeAs(role, request.priority()))
                ? null
                : no(whoAndRole + ", asks for priority "
                        + request.priority().map(Enum::name).orElse("") + ", may ask for at most "
                        + new RoleSet(able).maxPriority());
    }

    private static String forbidden(List<Role> roles, Need need) {
        String none = need.capabilities().stream()
                .filter(name -> roles.stream().noneMatch(role -> RoleSet.allows(role, List.of(name))))
                .collect(Collectors.joining(", "));
        return none.isEmpty()
                ? "the capabilities " + String.join(", ", need.capabilities()) + " under one role"
                : "capability " + none;
    }

    private static Denial no(String detail) {
        return new Denial(true, ": " + detail);
    }
}
