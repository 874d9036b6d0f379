package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Place;
import dev.substraterouter.internal.yaml.Node.Sequence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lays a patch over a policy: maps are merged key by key, the items of a list whose items have {@code on} are matched by it, and whatever else
 * is replaced. The order of the policy stays.
 */
final class Overlay {
    private static final String ID = "on";

    private Overlay() {}

    static Node of(Node base, Node patch) {
        if (id(base).isPresent() && patch instanceof Mapping over && id(base).equals(id(patch))) {
            return merged(asMapping(base), over);
        }
        if (base instanceof Mapping below && patch instanceof Mapping over) {
            return merged(below, over);
        }
        return base instanceof Sequence below && patch instanceof Sequence over ? merged(below, over) : patch;
    }

    private static Mapping merged(Mapping below, Mapping over) {
        Map<String, Node> values = new LinkedHashMap<>();
        below.entries().forEach(entry -> values.put(entry.key(), entry.value()));
        over.entries().forEach(entry -> values.merge(entry.key(), entry.value(), Overlay::of));
        return mapping(values);
    }

    private static Node merged(Sequence below, Sequence over) {
        if (!over.items().stream().allMatch(item -> id(item).isPresent())) {
            return over;
        }
        List<Node> items = below.items().stream()
                .map(item -> matching(over, item).map(patch -> of(item, patch)).orElse(item))
                .toList();
        return new Sequence(items, Place.START);
    }

    private static Optional<Node> matching(Sequence over, Node item) {
        return over.items().stream().filter(patch -> id(patch).equals(id(item))).findFirst();
    }

    /** What an item is known by; a text alone is its own name. */
    private static Optional<String> id(Node node) {
        return node instanceof Mapping mapping
                ? mapping.entries().stream()
                        .filter(entry -> entry.key().equals(ID))
                        .findFirst()
                        .flatMap(entry -> entry.value().text())
                : node.text();
    }

    private static Mapping asMapping(Node node) {
        return node instanceof Mapping mapping ? mapping : mapping(Map.of(ID, node));
    }

    static Mapping mapping(Map<String, Node> values) {
        return new Mapping(
                values.entrySet().stream()
                        .map(entry -> new Entry(entry.getKey(), Place.START, entry.getValue()))
                        .toList(),
                Place.START);
    }
}
