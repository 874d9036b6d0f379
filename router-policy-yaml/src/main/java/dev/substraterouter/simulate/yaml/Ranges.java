package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** The types of a scenario's values, which know their ranges. They are only read. */
final class Ranges {
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final double LEAST_FACTOR = 1e-6;
    private static final double MOST = 1e6;
    private static final double MOST_RATE = 1e9;

    /** Above 0, at most 10 years. */
    static final Type<Duration> POSITIVE =
            checked(Types.DURATION, span -> !span.isZero() && span.compareTo(LONGEST) <= 0, "above 0, at most 87600h");
    /** 0 to 10 years. */
    static final Type<Duration> NOT_NEGATIVE =
            checked(Types.DURATION, span -> span.compareTo(LONGEST) <= 0, "at most 87600h");
    /** Any whole number of 64 bits. */
    static final Type<Long> SEED = read(Ranges::seed);
    /** Requests per hour, or a share of unspecified others: above 0, at most a billion. */
    static final Type<Double> RATE =
            checked(Types.NUMBER, rate -> rate > 0 && rate <= MOST_RATE, "above 0, at most 1e9");
    /** 0 to 1. */
    static final Type<Double> SHARE = number(0, 1);
    /** 0 to 100. */
    static final Type<Double> PERCENT = number(0, 100);
    /** A temperature, °C. */
    static final Type<Double> TEMPERATURE = number(-50, 200);
    /** An amount of something, 0 to a million. */
    static final Type<Double> AMOUNT = number(0, MOST);
    /** A speed, above 0 to a million. */
    static final Type<Double> SPEED = number(LEAST_FACTOR, MOST);
    /** A factor that slows, above 0 to 1. */
    static final Type<Double> SLOWING = number(LEAST_FACTOR, 1);
    /** A text of at least one character. */
    static final Type<String> NAME = checked(Types.TEXT, text -> !text.isEmpty(), "at least one character");

    private Ranges() {}

    /** A number in a range, its ends included. */
    static Type<Double> number(double least, double most) {
        return checked(Types.NUMBER, value -> value >= least && value <= most, digits(least) + " to " + digits(most));
    }

    /** A whole number in a range, its ends included. */
    static Type<Integer> count(int least, int most) {
        return checked(Types.COUNT, value -> value >= least && value <= most, least + " to " + most);
    }

    /** At least one value of a type, each under a name of at least one character, in the order of the file. */
    static <V> Type<Map<String, V>> named(Type<V> type) {
        Type<Map<String, V>> all = Types.mapOf(type);
        return read((node, at) -> {
            if (node instanceof Mapping mapping) {
                if (mapping.entries().isEmpty()) {
                    return at.refuse("missing", node, "an empty map", "at least one entry");
                }
                mapping.entries().stream()
                        .filter(entry -> entry.key().isEmpty())
                        .forEach(entry -> at.reportKey("bad-name", entry, ": an empty name (expected: a text)"));
            }
            return all.read(node, at);
        });
    }

    /** What is made of a map with the keys of a table, once nothing is wrong with any of them. */
    static <V> Type<V> made(Section<Draft, Draft> table, BiFunction<Draft, At, Optional<V>> making) {
        return read((node, at) -> {
            int before = at.problems().count();
            Optional<Draft> draft = table.read("", node, at);
            // what would be said of a part that could not be read only follows from it
            return draft.isEmpty() || at.problems().count() > before
                    ? Optional.empty()
                    : made(draft.get(), node, at, making);
        });
    }

    /** The same type for values of which a condition holds. */
    static <V> Type<V> checked(Type<V> type, Predicate<V> condition, String expected) {
        return read((node, at) -> {
            Optional<V> value = type.read(node, at);
            return value.isEmpty() || condition.test(value.get()) ? value : at.refuse("out-of-range", node, expected);
        });
    }

    /** A type that is not written. */
    static <V> Type<V> read(BiFunction<Node, At, Optional<V>> reading) {
        return Types.of(reading, value -> {
            throw new UnsupportedOperationException("scenarios are not written");
        });
    }

    private static <V> Optional<V> made(Draft draft, Node node, At at, BiFunction<Draft, At, Optional<V>> making) {
        try {
            return making.apply(draft, at);
        } catch (IllegalArgumentException e) { // the model's own check of several values together
            at.report("out-of-range", node.place(), at.label() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Long> seed(Node node, At at) {
        if (!(node instanceof Scalar scalar) || scalar.kind() != Kind.WHOLE_NUMBER) {
            return at.wrong(node, "a whole number");
        }
        try {
            return Optional.of(Long.valueOf(scalar.content()));
        } catch (NumberFormatException tooLarge) {
            return at.refuse("out-of-range", node, "a whole number of 64 bits");
        }
    }

    private static String digits(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
