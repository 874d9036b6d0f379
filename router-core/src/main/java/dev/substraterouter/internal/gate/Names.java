package dev.substraterouter.internal.gate;

import dev.substraterouter.model.AddressScope;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names under which a substrate is reached, where the policy says in which scope addresses must lie, and what they were last told to
 * resolve to. A name that was not resolved yet is as good as one out of scope. Immutable.
 */
final class Names {
    /** Nothing to resolve. */
    static final Names NONE = new Names(AddressScope.anywhere(), Map.of());

    private final AddressScope scope;
    private final Map<String, List<InetAddress>> resolved;
    /** What speaks against connecting there; null when nothing does. */
    final @Nullable String objection;

    private Names(AddressScope scope, Map<String, List<InetAddress>> resolved) {
        this.scope = scope;
        this.resolved = resolved;
        this.objection = found();
    }

    /** The names of a substrate's endpoints under a policy, none resolved yet. */
    static Names of(Policy policy, Substrate substrate) {
        AddressScope scope = policy.endpointScope(substrate);
        if (scope.isAnywhere()) {
            return NONE;
        }
        Map<String, List<InetAddress>> names = new LinkedHashMap<>();
        policy.endpointHosts(substrate).stream()
                .filter(host -> !AddressScope.isLiteral(host)) // those were checked when the policy was loaded
                .forEach(host -> names.put(host, List.of()));
        return names.isEmpty() ? NONE : new Names(scope, names);
    }

    /** Those that have to be resolved. */
    Set<String> hosts() {
        return new LinkedHashSet<>(resolved.keySet());
    }

    /** With what is known of the same names. */
    Names knowing(Names earlier) {
        if (resolved.isEmpty() || earlier.resolved.isEmpty()) {
            return this;
        }
        Map<String, List<InetAddress>> known = new LinkedHashMap<>(resolved);
        known.replaceAll((host, none) -> earlier.resolved.getOrDefault(host, none));
        return new Names(scope, known);
    }

    /** With what a name resolves to now. */
    Names resolved(String host, List<InetAddress> addresses) {
        if (!resolved.containsKey(host) || addresses.equals(resolved.get(host))) {
            return this;
        }
        Map<String, List<InetAddress>> known = new HashMap<>(resolved);
        known.put(host, List.copyOf(addresses));
        return new Names(scope, known);
    }

    private @Nullable String found() {
        for (Map.Entry<String, List<InetAddress>> name : resolved.entrySet()) {
            if (name.getValue().isEmpty()) {
                return name.getKey() + " is not resolved yet";
            }
            for (InetAddress address : name.getValue()) {
                Optional<String> refusal = scope.refusal(name.getKey(), address);
                if (refusal.isPresent()) {
                    return refusal.get();
                }
            }
        }
        return null;
    }
}
