package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The two ways in which the file tells something that has an id. What is bad is replaced by something with an id and nothing else, so
 * that references to it still lead somewhere and what follows keeps its index.
 */
public final class Named {
    private Named() {}

    /** A map from ids to what has them. */
    public static <S, B> Type<List<S>> byId(Section<S, B> section, Function<S, String> id) {
        return Types.of(
                (node, at) -> {
                    if (!(node instanceof Mapping mapping)) {
                        return at.wrong(node, "a map");
                    }
                    List<S> all = new ArrayList<>();
                    at.entries(mapping)
                            .forEach((key, entry) -> all.add(section.read(key, entry.value(), at.key(key))
                                    .orElseGet(() -> section.bare(key))));
                    return Optional.of(all);
                },
                all -> new Mapping(
                        all.stream()
                                .map(one -> new Entry(id.apply(one), Place.START, section.write(one)))
                                .toList(),
                        Place.START));
    }

    /** Just an id, or a map with the id under a key of its own, which stands first in the section's table. */
    public static <S, B> Type<S> withId(String idKey, Section<S, B> section, Function<S, String> id) {
        return Types.of(
                (node, at) -> {
                    if (node instanceof Mapping mapping) {
                        String named = idOf(mapping, idKey);
                        return section.read(named, node, at).or(() -> Optional.of(section.bare(named)));
                    }
                    if (node.text().isEmpty()) {
                        at.wrong(node, "a text, or a map with " + String.join(", ", section.keys()));
                    }
                    at.key(idKey).standsAt(node.place());
                    return Optional.of(section.bare(node.text().orElse("")));
                },
                value -> {
                    Mapping rest = section.write(value);
                    Node name = Types.TEXT.write(id.apply(value));
                    return rest.entries().isEmpty()
                            ? name
                            : new Mapping(
                                    Stream.concat(
                                                    Stream.of(new Entry(idKey, Place.START, name)),
                                                    rest.entries().stream())
                                            .toList(),
                                    Place.START);
                });
    }

    private static String idOf(Mapping mapping, String idKey) {
        return mapping.entries().stream()
                .filter(entry -> entry.key().equals(idKey))
                .flatMap(entry -> entry.value().text().stream())
                .findFirst()
                .orElse("");
    }
}
