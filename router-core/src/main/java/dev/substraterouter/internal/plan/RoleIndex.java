package dev.substraterouter.internal.plan;

import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which roles an identity has, by the patterns of the policy. Immutable. */
final class RoleIndex {
    private final Map<String, List<Role>> exact = new HashMap<>();
    private final List<Glob> globs = new ArrayList<>();

    /** A pattern in which {@code *} stands for any text, cut at the stars. */
    private record Glob(List<String> parts, Role role) {
        boolean matches(String identity) {
            if (!identity.startsWith(parts.get(0))) {
                return false;
            }
            int at = parts.get(0).length();
            for (int part = 1; part < parts.size() - 1; part++) {
                int found = identity.indexOf(parts.get(part), at);
                if (found < 0) {
                    return false;
                }
                at = found + parts.get(part).length();
            }
            String last = parts.get(parts.size() - 1);
            return identity.length() - at >= last.length() && identity.endsWith(last);
        }
    }

    RoleIndex(List<Role> roles) {
        for (Role role : roles) {
            for (String pattern : role.identities()) {
                if (pattern.contains("*")) {
                    globs.add(new Glob(List.of(pattern.split("\\*", -1)), role));
                } else {
                    exact.computeIfAbsent(pattern, name -> new ArrayList<>()).add(role);
                }
            }
        }
    }

    /** The roles of an identity; empty: it is missing or unknown. */
    Set<Role> of(@Nullable String identity) {
        Set<Role> roles = new LinkedHashSet<>();
        if (identity != null && !identity.isBlank()) {
            roles.addAll(exact.getOrDefault(identity, List.of()));
            for (Glob glob : globs) {
                if (glob.matches(identity)) {
                    roles.add(glob.role);
                }
            }
        }
        return roles;
    }

    boolean mayOperate(@Nullable String identity, Operation operation) {
        return of(identity).stream().anyMatch(role -> role.operate().contains(operation));
    }
}
