package dev.substraterouter.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A part of a policy: what was declared under which key of the policy file. Immutable and thread-safe.
 *
 * <p>Only what was declared is kept and compared, so that a policy can be written back as it was; the accessors of the parts add the
 * defaults. Values are checked when a {@link Policy} is built, all of them at once, so a part alone may hold a value out of range.
 */
public abstract class Settings {
    /** The name under which it stands in the policy; empty for a part that stands alone. */
    final String id;

    private final Map<String, Object> declared;

    Settings(Builder<?> builder) {
        this("", builder);
    }

    Settings(String id, Builder<?> builder) {
        this.id = id;
        declared = Collections.unmodifiableMap(new LinkedHashMap<>(builder.declared));
    }

    /**
     * What was declared, by the key of the policy file, in the order of declaration. Values are texts, numbers, booleans, durations, enum
     * constants, {@link Settings}, records, and lists and maps of these.
     */
    public final Map<String, Object> declared() {
        return declared;
    }

    final boolean has(String key) {
        return declared.containsKey(key);
    }

    final double number(String key, double otherwise) {
        Object value = declared.get(key);
        return value == null ? otherwise : (Double) value;
    }

    final int count(String key, int otherwise) {
        Object value = declared.get(key);
        return value == null ? otherwise : (Integer) value;
    }

    final boolean flag(String key, boolean otherwise) {
        Object value = declared.get(key);
        return value == null ? otherwise : (Boolean) value;
    }

    final OptionalDouble number(String key) {
        Object value = declared.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of((Double) value);
    }

    final OptionalInt count(String key) {
        Object value = declared.get(key);
        return value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
    }

    final Duration duration(String key, Duration otherwise) {
        return get(key, Duration.class, otherwise);
    }

    final <T> T get(String key, Class<T> type, T otherwise) {
        Object value = declared.get(key);
        return value == null ? otherwise : type.cast(value);
    }

    final <T> @Nullable T get(String key, Class<T> type) {
        return type.cast(declared.get(key));
    }

    final <T> List<T> list(String key, Class<T> type) {
        List<?> values = get(key, List.class, List.of());
        List<T> typed = new ArrayList<>(values.size());
        for (Object value : values) {
            typed.add(type.cast(value));
        }
        return Collections.unmodifiableList(typed);
    }

    /** Equal when of the same sort, under the same name, with the same declared. */
    @Override
    @SuppressWarnings("EqualsGetClass") // every part is a final class; parts of two sorts are never equal
    public final boolean equals(@Nullable Object other) {
        return other != null
                && other.getClass() == getClass()
                && ((Settings) other).id.equals(id)
                && ((Settings) other).declared.equals(declared);
    }

    @Override
    public final int hashCode() {
        return 31 * id.hashCode() + declared.hashCode();
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + (id.isEmpty() ? "" : " " + id) + declared;
    }

    /**
     * Collects what is declared. Not thread-safe. Declaring a key again replaces it, except where a method says that it adds.
     *
     * @param <B> the builder's own type
     */
    public abstract static class Builder<B extends Builder<B>> {
        final Map<String, Object> declared = new LinkedHashMap<>();

        Builder() {}

        abstract B self();

        final B set(String key, Object value) {
            declared.put(key, Objects.requireNonNull(value, key));
            return self();
        }

        final B add(String key, List<?> more) {
            List<Object> all = new ArrayList<>((List<?>) declared.getOrDefault(key, List.of()));
            for (Object one : more) {
                all.add(Objects.requireNonNull(one, key));
            }
            return set(key, Collections.unmodifiableList(all));
        }
    }
}
