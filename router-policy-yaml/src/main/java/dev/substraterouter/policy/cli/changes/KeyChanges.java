package dev.substraterouter.policy.cli.changes;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Node.Sequence;
import dev.substraterouter.internal.yaml.TreeReader;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys that differ between two policies, in the words of the file. The policies are compared as they would be written, so neither layout
 * nor the order of keys counts; the order of a route does. For one thread.
 */
public final class KeyChanges {
    private static final String ID = "on";
    private static final String SECRET = "auth";
    private static final String HIDDEN = "***";

    private final List<KeyChange> changes = new ArrayList<>();

    private KeyChanges() {}

    /** What differs, in the order of the file; empty: nothing. */
    public static List<KeyChange> between(Policy before, Policy after) {
        KeyChanges between = new KeyChanges();
        between.compare("", tree(before), tree(after));
        return List.copyOf(between.changes);
    }

    private static Node tree(Policy policy) {
        return TreeReader.read(YamlPolicy.write(policy), "a policy");
    }

    private void compare(String path, @Nullable Node before, @Nullable Node after) {
        if (before != null && after != null && text(before, true).equals(text(after, true))) {
            return;
        }
        if (before instanceof Mapping old && after instanceof Mapping next) {
            compare(path, entries(old), entries(next));
        } else if (isRoute(path) && before instanceof Sequence old && after instanceof Sequence next) {
            routes(path, old, next);
        } else {
            changes.add(new KeyChange(path, shown(path, before), shown(path, after)));
        }
    }

    private void compare(String path, Map<String, Node> before, Map<String, Node> after) {
        Set<String> keys = new LinkedHashSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.forEach(key -> compare(path.isEmpty() ? key : path + "." + key, before.get(key), after.get(key)));
    }

    /** By substrate, since none is twice in a route; and the order. */
    private void routes(String path, Sequence before, Sequence after) {
        Map<String, Node> old = candidates(before);
        Map<String, Node> next = candidates(after);
        if (!List.copyOf(old.keySet()).equals(List.copyOf(next.keySet()))) {
            changes.add(new KeyChange(
                    path,
                    Optional.of(old.keySet().toString()),
                    Optional.of(next.keySet().toString())));
        }
        old.forEach((id, candidate) -> {
            if (next.containsKey(id)) {
                compare(path + "[" + id + "]", asMapping(candidate), asMapping(next.get(id)));
            }
        });
    }

    private static Map<String, Node> candidates(Sequence route) {
        Map<String, Node> candidates = new LinkedHashMap<>();
        route.items().forEach(item -> candidates.put(id(item), item));
        return candidates;
    }

    private static String id(Node candidate) {
        return candidate instanceof Mapping mapping
                ? text(entries(mapping).getOrDefault(ID, candidate), false)
                : text(candidate, false);
    }

    private static @Nullable Node asMapping(@Nullable Node candidate) {
        return candidate instanceof Scalar scalar
                ? new Mapping(List.of(new Entry(ID, scalar.place(), scalar)), scalar.place())
                : candidate;
    }

    private static Map<String, Node> entries(Mapping mapping) {
        Map<String, Node> entries = new LinkedHashMap<>();
        mapping.entries().forEach(entry -> entries.put(entry.key(), entry.value()));
        return entries;
    }

    private static boolean isRoute(String path) {
        return path.startsWith("workloads.") && path.endsWith(".route");
    }

    private static boolean isSecret(String path) {
        return path.endsWith("." + SECRET) || path.contains("." + SECRET + ".");
    }

    private static Optional<String> shown(String path, @Nullable Node node) {
        return node == null ? Optional.empty() : Optional.of(isSecret(path) ? HIDDEN : text(node, false));
    }

    /** A value on one line, with what stands under {@code auth} or without. */
    private static String text(Node node, boolean secrets) {
        if (node instanceof Mapping mapping) {
            return mapping.entries().stream()
                    .map(entry -> entry.key() + ": "
                            + (entry.key().equals(SECRET) && !secrets ? HIDDEN : text(entry.value(), secrets)))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        return node instanceof Sequence sequence
                ? sequence.items().stream().map(item -> text(item, secrets)).collect(Collectors.joining(", ", "[", "]"))
                : ((Scalar) node).content();
    }
}
