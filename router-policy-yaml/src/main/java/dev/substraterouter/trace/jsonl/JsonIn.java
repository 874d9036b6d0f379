package dev.substraterouter.trace.jsonl;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * One object of a line. Keys nobody asks for are not looked at, a key with null is one that is not there. Whatever does not fit is an {@link
 * IllegalArgumentException} that names the key and never the value. Not thread-safe.
 */
final class JsonIn {
    private static final int MAX_DEPTH = 100;
    private static final int NANO_DIGITS = 9;
    private static final int SECONDS_DIGITS = 19;
    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNameLength(LineReader.MAX_LINE)
                    .maxStringLength(LineReader.MAX_LINE)
                    .build())
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES) // names come from callers: keep none
            .build();

    /** A number as it was written. */
    private record Digits(String text) {}

    private final Map<String, Object> fields;

    private JsonIn(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** The object that a line holds. */
    static JsonIn line(String line) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("no JSON object");
            }
            JsonIn object = object(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one JSON object");
            }
            return object;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
    }

    String text(String key) {
        return needed(key, maybeText(key));
    }

    Optional<String> maybeText(String key) {
        return value(key, String.class);
    }

    List<String> texts(String key) {
        return items(key, String.class);
    }

    Map<String, String> textsByName(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        maybe(key).ifPresent(object -> object.fields.keySet().forEach(name -> texts.put(name, object.text(name))));
        return texts;
    }

    <E extends Enum<E>> E word(String key, Class<E> type) {
        return needed(key, maybeWord(key, type));
    }

    <E extends Enum<E>> Optional<E> maybeWord(String key, Class<E> type) {
        return maybeText(key).map(word -> word(key, type, word));
    }

    <E extends Enum<E>> List<E> words(String key, Class<E> type) {
        return texts(key).stream().map(word -> word(key, type, word)).toList();
    }

    boolean flag(String key) {
        return needed(key, maybeFlag(key));
    }

    Optional<Boolean> maybeFlag(String key) {
        return value(key, Boolean.class);
    }

    long whole(String key) {
        return needed(key, maybeWhole(key));
    }

    Optional<Long> maybeWhole(String key) {
        return value(key, Digits.class).map(digits -> fitting(key, digits.text(), Long::valueOf));
    }

    OptionalDouble maybeNumber(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return OptionalDouble.empty();
        }
        if (value instanceof String text && NOT_FINITE.contains(text)) {
            return OptionalDouble.of(Double.parseDouble(text));
        }
        String digits = needed(key, value(key, Digits.class)).text();
        return OptionalDouble.of(fitting(key, digits, Double::valueOf));
    }

    Duration seconds(String key) {
        return needed(key, maybeSeconds(key));
    }

    Optional<Duration> maybeSeconds(String key) {
        return value(key, Digits.class).map(digits -> fitting(key, digits.text(), JsonIn::duration));
    }

    Optional<JsonIn> maybe(String key) {
        return value(key, JsonIn.class);
    }

    <T> List<T> objects(String key, Function<JsonIn, T> reader) {
        return items(key, JsonIn.class).stream().map(reader).toList();
    }

    /** Reads a value that may not suit its type. */
    static <V, T> T fitting(String key, V value, Function<V, T> reader) {
        try {
            return reader.apply(value);
        } catch (RuntimeException e) { // a parser's own; the text is somebody else's
            throw new IllegalArgumentException(key + ": not what belongs there", e);
        }
    }

    private static <T> T needed(String key, Optional<T> value) {
        return value.orElseThrow(() -> new IllegalArgumentException(key + ": missing"));
    }

    private static <E extends Enum<E>> E word(String key, Class<E> type, String word) {
        return fitting(key, word.toUpperCase(Locale.ROOT), name -> Enum.valueOf(type, name));
    }

    private static Duration duration(String text) {
        BigDecimal value = new BigDecimal(text).stripTrailingZeros();
        // a large exponent must not become as many digits
        if (value.scale() > NANO_DIGITS || value.precision() - (long) value.scale() > SECONDS_DIGITS) {
            throw new ArithmeticException("no duration");
        }
        BigDecimal whole = value.setScale(0, RoundingMode.FLOOR);
        int nanos = value.subtract(whole).movePointRight(NANO_DIGITS).intValueExact();
        return Duration.ofSeconds(whole.longValueExact(), nanos);
    }

    private <T> Optional<T> value(String key, Class<T> type) {
        Object value = fields.get(key);
        if (value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException(key + ": not what belongs there");
        }
        return Optional.ofNullable(value).map(type::cast);
    }

    private <T> List<T> items(String key, Class<T> type) {
        List<T> items = new ArrayList<>();
        for (Object item : value(key, List.class).orElse(List.of())) {
            items.add(fitting(key, item, type::cast));
        }
        return items;
    }

    private static JsonIn object(JsonParser parser) {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() == JsonToken.VALUE_NULL) {
                fields.remove(name); // of two the last one counts
            } else {
                fields.put(name, value(parser));
            }
        }
        return new JsonIn(fields);
    }

    private static List<Object> list(JsonParser parser) {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return items;
    }

    private static Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(parser.getString());
            default -> Optional.empty(); // null in a list, which suits no type
        };
    }
}
