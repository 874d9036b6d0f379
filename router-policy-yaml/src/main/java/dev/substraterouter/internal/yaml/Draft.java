package dev.substraterouter.internal.yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Collects the values of a record, which has no builder of its own. Not thread-safe. */
public final class Draft {
    private final Map<String, Object> values;

    /** With the values that stand where the file gives none. */
    public Draft(Map<String, Object> defaults) {
        values = new HashMap<>(defaults);
    }

    /** The setter of a key. */
    public static <V> BiConsumer<Draft, V> put(String key) {
        return (draft, value) -> draft.values.put(key, Objects.requireNonNull(value, key));
    }

    /** Whether a key has a value. */
    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** The value of a key that must be there. */
    public <V> V get(String key, Class<V> type) {
        return find(key, type).orElseThrow();
    }

    /** The value of a key that may be there. */
    public <V> Optional<V> find(String key, Class<V> type) {
        return Optional.ofNullable(values.get(key)).map(type::cast);
    }

    /** The items of a list that may be there; none without it. */
    public <V> List<V> list(String key, Class<V> type) {
        return find(key, List.class).map(items -> cast(items, type)).orElse(List.of());
    }

    /** The entries of a map that may be there, in its order; none without it. */
    public <V> Map<String, V> map(String key, Class<V> type) {
        Map<String, V> entries = new LinkedHashMap<>();
        find(key, Map.class).ifPresent(map -> cast(map, entries, type));
        return entries;
    }

    private static <V> List<V> cast(List<?> items, Class<V> type) {
        List<V> all = new ArrayList<>();
        items.forEach(item -> all.add(type.cast(item)));
        return all;
    }

    private static <V> void cast(Map<?, ?> map, Map<String, V> entries, Class<V> type) {
        map.forEach((key, value) -> entries.put((String) key, type.cast(value)));
    }
}
