package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A map of a file with fixed keys: the table of its keys with their types, and what is built of it. Reading and writing both
 * follow the table. Filled when it is declared, and not changed after.
 *
 * @param <S> what it is built to
 * @param <B> what builds it
 */
public final class Section<S, B> {
    private final Function<String, B> start;
    private final Function<B, S> finish;
    private final Function<S, Map<String, Object>> declared;
    private final Map<String, Key<B, ?>> keys = new LinkedHashMap<>();
    private final List<String> oneOf = new ArrayList<>();

    private record Key<B, V>(String name, Type<V> type, BiConsumer<B, V> setter, boolean required) {
        /** Reads the value into a builder; false when it is bad. */
        boolean read(Node node, At at, B builder) {
            Optional<V> value = type.read(node, at);
            value.ifPresent(good -> setter.accept(builder, good));
            return value.isPresent();
        }

        @SuppressWarnings("unchecked") // what was declared under a key is what its setter was given
        Entry write(Object value) {
            return new Entry(name, Place.START, type.write((V) value));
        }
    }

    /**
     * A section without keys yet.
     *
     * @param start a new builder for something with an id; without one it is given an empty text
     * @param finish what was built
     * @param declared what was declared under which key, the reverse of all setters
     */
    public Section(Function<String, B> start, Function<B, S> finish, Function<S, Map<String, Object>> declared) {
        this.start = start;
        this.finish = finish;
        this.declared = declared;
    }

    /** A section that is only read, of which a draft becomes something else than a record of the same keys. */
    public static Section<Draft, Draft> ofDraft() {
        return new Section<>(id -> new Draft(Map.of()), draft -> draft, draft -> Map.of());
    }

    /** One more key. */
    public <V> Section<S, B> key(String name, Type<V> type, BiConsumer<B, V> setter) {
        keys.put(name, new Key<>(name, type, setter, false));
        return this;
    }

    /** One more key, which must be there. */
    public <V> Section<S, B> required(String name, Type<V> type, BiConsumer<B, V> setter) {
        keys.put(name, new Key<>(name, type, setter, true));
        return this;
    }

    /** Exactly one of some keys must be there. */
    public Section<S, B> oneOf(String... names) {
        oneOf.addAll(List.of(names));
        return this;
    }

    /** Its keys, in the order of the table. */
    public Set<String> keys() {
        return keys.keySet();
    }

    /** The keys that must be there, in the order of the table. */
    public List<String> requiredKeys() {
        return keys.values().stream().filter(Key::required).map(Key::name).toList();
    }

    /** This section as a type, for what has no id. */
    public Type<S> type() {
        return Types.of((node, at) -> read("", node, at), this::write);
    }

    /** What has an id and nothing else. */
    public S bare(String id) {
        return finish.apply(start.apply(id));
    }

    /** What a node says of something with an id; empty when it is no map, or one that lacks what is required. */
    public Optional<S> read(String id, Node node, At at) {
        B builder = start.apply(id);
        return fill(builder, node, at) ? Optional.of(finish.apply(builder)) : Optional.empty();
    }

    /** Sets in a builder what a node says; false when it is no map, or one that lacks what is required. */
    public boolean fill(B builder, Node node, At at) {
        if (!(node instanceof Mapping mapping)) {
            at.wrong(node, "a map with " + String.join(", ", keys.keySet()));
            return false;
        }
        Map<String, Entry> entries = at.entries(mapping);
        Set<String> good = new HashSet<>();
        entries.forEach((name, entry) -> {
            Key<B, ?> key = keys.get(name);
            if (key == null) {
                unknown(entry, entries.keySet(), at);
            } else if (key.read(entry.value(), at.key(name), builder)) {
                good.add(name);
            }
        });
        return complete(entries.keySet(), good, at);
    }

    private boolean complete(Set<String> present, Set<String> good, At at) {
        boolean complete = true;
        for (Key<B, ?> key : keys.values()) {
            if (key.required && !present.contains(key.name)) {
                at.missing(key.name);
            }
            complete &= !key.required || good.contains(key.name);
        }
        List<String> alternatives = oneOf.stream().filter(present::contains).toList();
        if (oneOf.isEmpty() || alternatives.size() == 1) {
            return complete;
        }
        if (keys.keySet().containsAll(present)) { // otherwise an unknown key may have been meant for one of them
            at.conflict(alternatives.isEmpty() ? "nothing" : String.join(" and ", alternatives), oneOf);
        }
        return false;
    }

    /** An unknown key, and the key that may have been meant: that one is not missing, then. */
    private void unknown(Entry entry, Set<String> present, At at) {
        Optional<String> meant = Nearest.to(entry.key(), keys.keySet());
        String hint = meant.map(key -> "did you mean " + key + "?")
                .orElseGet(() -> "expected: one of " + String.join(", ", keys.keySet()));
        at.reportKey("unknown-key", entry, ": unknown key (" + hint + ")");
        meant.filter(key -> !present.contains(key)).ifPresent(key -> at.key(key).ignore());
    }

    /** The map that reads as a value. */
    public Mapping write(S value) {
        Map<String, Object> values = declared.apply(value);
        List<Entry> entries = new ArrayList<>();
        for (Key<B, ?> key : keys.values()) {
            Object present = values.get(key.name);
            if (present != null) {
                entries.add(key.write(present));
            }
        }
        return new Mapping(entries, Place.START);
    }
}
