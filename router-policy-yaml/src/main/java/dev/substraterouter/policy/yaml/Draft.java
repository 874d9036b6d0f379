package dev.substraterouter.policy.yaml;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Collects the values of a record, which has no builder of its own. Not thread-safe. */
final class Draft {
    private final Map<String, Object> values;

    /** With the values that stand where the file gives none. */
    Draft(Map<String, Object> defaults) {
        values = new HashMap<>(defaults);
    }

    /** The setter of a key. */
    static <V> BiConsumer<Draft, V> put(String key) {
        return (draft, value) -> draft.values.put(key, Objects.requireNonNull(value, key));
    }

    /** The value of a key that must be there. */
    <V> V get(String key, Class<V> type) {
        return find(key, type).orElseThrow();
    }

    /** The value of a key that may be there. */
    <V> Optional<V> find(String key, Class<V> type) {
        return Optional.ofNullable(values.get(key)).map(type::cast);
    }
}
