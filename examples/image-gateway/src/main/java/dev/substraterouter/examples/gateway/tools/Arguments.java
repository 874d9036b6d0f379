package dev.substraterouter.examples.gateway.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Reads a tool's arguments key by key, and says of what is wrong the key, the value and what was expected, in the same words by whichever way
 * they came. A key that is null counts as absent. Not thread-safe.
 */
final class Arguments {
    private static final int SHOWN = 80;
    private static final int MOST_NAMES = 64;
    private static final int NAME = 256;
    private static final double MOST_SECONDS = Duration.ofDays(365).toSeconds();

    private final JsonNode object;
    private final String path;
    private final Set<String> asked = new HashSet<>();

    private Arguments(JsonNode object, String path) {
        this.object = object;
        this.path = path;
    }

    /**
     * Arguments to read.
     *
     * @throws IllegalArgumentException if it is not an object
     */
    static Arguments of(JsonNode node) {
        if (!node.isObject()) {
            throw wrong("arguments", node, "a JSON object");
        }
        return new Arguments(node, "");
    }

    /** A text that must be there, not blank and at most so long. */
    String text(String key, int most) {
        return optionalText(key, most).orElseThrow(() -> missing(key, "text of 1 to " + most + " characters"));
    }

    Optional<String> optionalText(String key, int most) {
        return value(key).map(node -> text(path + key, node, most));
    }

    /** A list of names; empty when it is absent. */
    List<String> names(String key) {
        return elements(key, MOST_NAMES, "names").stream()
                .map(node -> text(path + key, node, NAME))
                .toList();
    }

    /** A number above zero. */
    OptionalDouble positive(String key, double most) {
        Optional<JsonNode> node = value(key);
        return node.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        number(key, node.get(), Double.MIN_VALUE, most, "a number above 0, at most " + most));
    }

    /** A time in seconds, above zero. */
    Optional<Duration> seconds(String key) {
        return value(key).map(node -> seconds(key, node, 0.001, "seconds, a number from 0.001, at most 365 days"));
    }

    /** A time in seconds, zero or more. */
    Optional<Duration> secondsOrNone(String key) {
        return value(key).map(node -> seconds(key, node, 0, "seconds, a number from 0, at most 365 days"));
    }

    Optional<Boolean> flag(String key) {
        return value(key).map(node -> {
            if (!node.isBoolean()) {
                throw wrong(path + key, node, "true or false");
            }
            return node.booleanValue();
        });
    }

    /** One of the words of an enum, in small letters. */
    <E extends Enum<E>> Optional<E> word(String key, Class<E> type) {
        return value(key).map(node -> Arrays.stream(type.getEnumConstants())
                .filter(one -> node.isString() && small(one).equals(node.stringValue()))
                .findFirst()
                .orElseThrow(() -> wrong(path + key, node, words(type))));
    }

    <E extends Enum<E>> E requiredWord(String key, Class<E> type) {
        return word(key, type).orElseThrow(() -> missing(key, words(type)));
    }

    /** Whatever it is; it must be there. */
    JsonNode any(String key, String expected) {
        return value(key).orElseThrow(() -> missing(key, expected));
    }

    /** An object as it is. */
    Optional<JsonNode> object(String key) {
        return value(key).map(node -> {
            if (!node.isObject()) {
                throw wrong(path + key, node, "a JSON object");
            }
            return node;
        });
    }

    /** An object whose keys are read too. */
    Optional<Arguments> inner(String key) {
        return object(key).map(node -> new Arguments(node, path + key + "."));
    }

    /** Objects whose keys are read too; empty when the list is absent. */
    List<Arguments> inners(String key, int most) {
        List<Arguments> all = new ArrayList<>();
        for (JsonNode node : elements(key, most, "objects")) {
            String at = path + key + "[" + all.size() + "]";
            if (!node.isObject()) {
                throw wrong(at, node, "a JSON object");
            }
            all.add(new Arguments(node, at + "."));
        }
        return all;
    }

    /**
     * Everything was asked for.
     *
     * @throws IllegalArgumentException if there is a key that nobody asked for
     */
    void end() {
        for (String key : object.propertyNames()) {
            if (!asked.contains(key)) {
                throw wrong(path + key, object.get(key), known());
            }
        }
    }

    private String known() {
        return asked.isEmpty() ? "no key" : "only " + asked.stream().sorted().collect(Collectors.joining(", "));
    }

    /** What is wrong with one of these keys. */
    IllegalArgumentException wrong(String key, String expected) {
        JsonNode node = object.get(key);
        return node == null ? missing(key, expected) : wrong(path + key, node, expected);
    }

    private List<JsonNode> elements(String key, int most, String what) {
        Optional<JsonNode> node = value(key);
        if (node.isEmpty()) {
            return List.of();
        }
        if (!node.get().isArray() || node.get().size() > most) {
            throw wrong(path + key, node.get(), "a list of at most " + most + " " + what);
        }
        List<JsonNode> all = new ArrayList<>();
        node.get().forEach(all::add);
        return all;
    }

    private Duration seconds(String key, JsonNode node, double least, String expected) {
        return Duration.ofMillis(Math.round(1_000 * number(key, node, least, MOST_SECONDS, expected)));
    }

    private double number(String key, JsonNode node, double least, double most, String expected) {
        double value = node.isNumber() ? node.doubleValue() : Double.NaN;
        if (!(value >= least && value <= most)) {
            throw wrong(path + key, node, expected);
        }
        return value;
    }

    private Optional<JsonNode> value(String key) {
        asked.add(key);
        return Optional.ofNullable(object.get(key)).filter(node -> !node.isNull());
    }

    private IllegalArgumentException missing(String key, String expected) {
        return new IllegalArgumentException(path + key + ": absent (expected: " + expected + ")");
    }

    private static String text(String where, JsonNode node, int most) {
        String text = node.isString() ? node.stringValue() : "";
        if (text.isBlank() || text.length() > most) {
            throw wrong(where, node, "text of 1 to " + most + " characters");
        }
        return text;
    }

    private static <E extends Enum<E>> String words(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(Arguments::small).collect(Collectors.joining(", "));
    }

    private static String small(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException wrong(String where, JsonNode node, String expected) {
        return new IllegalArgumentException(where + ": " + shown(node) + " (expected: " + expected + ")");
    }

    private static String shown(JsonNode node) {
        String text = node.toString();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "... (" + text.length() + " characters)";
    }
}
