package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Place;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Node.Sequence;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of single values, and of lists and maps of them. */
public final class Types {
    public static final Type<String> TEXT = of(Types::text, text -> Scalar.of(Kind.TEXT, text));
    public static final Type<Boolean> FLAG = of(Types::flag, flag -> Scalar.of(Kind.TRUTH, flag.toString()));
    public static final Type<Integer> COUNT = of(Types::count, count -> Scalar.of(Kind.WHOLE_NUMBER, count.toString()));
    public static final Type<Double> NUMBER =
            of(Types::number, number -> Scalar.of(Kind.DECIMAL_NUMBER, digits(number)));
    public static final Type<Duration> DURATION =
            of(Types::duration, duration -> Scalar.of(Kind.TEXT, withUnit(duration)));
    public static final Type<URI> ADDRESS = of(Types::address, address -> Scalar.of(Kind.TEXT, address.toString()));

    private static final Pattern A_DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h)");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("ms", ChronoUnit.MILLIS, "s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS);

    private static final Pattern NOT_FINITE = Pattern.compile("-?\\.(?:inf|nan)", Pattern.CASE_INSENSITIVE);

    /** What of an address may be a secret: who logs in, and the query. */
    private static final Pattern SECRETS =
            Pattern.compile("(?<=//).*(?=@)|^(?!.*//).*(?=@)|(?<=[?#]).*", Pattern.DOTALL);

    private Types() {}

    /** One of the words of an enum: its constants in lower case. */
    public static <E extends Enum<E>> Type<E> word(Class<E> words) {
        return word(words, '_');
    }

    /** One of the words of an enum: its constants in lower case, with another character for the underscore. */
    public static <E extends Enum<E>> Type<E> word(Class<E> words, char joint) {
        Map<String, E> byWord = new LinkedHashMap<>();
        for (E constant : words.getEnumConstants()) {
            byWord.put(word(constant, joint), constant);
        }
        String expected = "one of " + String.join(", ", byWord.keySet());
        return of(
                (node, at) -> {
                    Optional<E> constant = node.text().map(byWord::get);
                    return constant.isPresent() ? constant : at.refuse("unknown-word", node, expected);
                },
                constant -> Scalar.of(Kind.TEXT, word(constant, joint)));
    }

    private static String word(Enum<?> constant, char joint) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', joint);
    }

    /** A list whose items are all of one type. Bad items are reported and left out. */
    public static <V> Type<List<V>> listOf(Type<V> type) {
        return of(
                (node, at) -> {
                    if (!(node instanceof Sequence sequence)) {
                        return at.wrong(node, "a list");
                    }
                    List<V> values = new ArrayList<>();
                    int index = 0;
                    for (Node item : sequence.items()) {
                        type.read(item, at.item(index++).standsAt(item.place())).ifPresent(values::add);
                    }
                    if (values.size() < index) {
                        at.ignore(); // what is found in a shortened list is told by wrong indexes
                    }
                    return Optional.of(values);
                },
                values -> new Sequence(values.stream().map(type::write).toList(), Place.START));
    }

    /** Values of one type under names of the user's choice. Bad values are reported and left out. */
    public static <V> Type<Map<String, V>> mapOf(Type<V> type) {
        return of(
                (node, at) -> {
                    if (!(node instanceof Mapping mapping)) {
                        return at.wrong(node, "a map");
                    }
                    Map<String, V> values = new LinkedHashMap<>();
                    at.entries(mapping).forEach((key, entry) -> type.read(entry.value(), at.key(key))
                            .ifPresent(value -> values.put(key, value)));
                    return Optional.of(values);
                },
                values -> {
                    List<Entry> entries = new ArrayList<>();
                    values.forEach((key, value) -> entries.add(new Entry(key, Place.START, type.write(value))));
                    return new Mapping(entries, Place.START);
                });
    }

    /** The same type, whose problems do not repeat the values. */
    public static <V> Type<V> hidden(Type<V> type) {
        return of((node, at) -> type.read(node, at.hiding()), type::write);
    }

    /** A type of two functions. */
    public static <V> Type<V> of(BiFunction<Node, At, Optional<V>> reading, Function<V, Node> writing) {
        return new Type<>() {
            @Override
            public Optional<V> read(Node node, At at) {
                return reading.apply(node, at);
            }

            @Override
            public Node write(V value) {
                return writing.apply(value);
            }
        };
    }

    private static Optional<String> text(Node node, At at) {
        if (node.text().isEmpty() && node instanceof Scalar scalar && scalar.kind() != Kind.NOTHING) {
            return at.wrong(node, "a text, so in quotes");
        }
        return node.text().isPresent() ? node.text() : at.wrong(node, "a text");
    }

    private static Optional<Boolean> flag(Node node, At at) {
        return node instanceof Scalar scalar && scalar.kind() == Kind.TRUTH
                ? Optional.of(scalar.content().equals("true"))
                : at.wrong(node, "true or false");
    }

    private static Optional<Integer> count(Node node, At at) {
        if (!(node instanceof Scalar scalar) || scalar.kind() != Kind.WHOLE_NUMBER) {
            return at.wrong(node, "a whole number");
        }
        try {
            return Optional.of(Integer.valueOf(scalar.content()));
        } catch (NumberFormatException tooLarge) {
            return at.refuse("out-of-range", node, "a whole number of at most " + Integer.MAX_VALUE);
        }
    }

    private static Optional<Double> number(Node node, At at) {
        Optional<String> digits = node.number();
        if (digits.isEmpty()) {
            return at.wrong(node, "a number");
        }
        Optional<Double> finite = digits.filter(
                        text -> !NOT_FINITE.matcher(text).matches())
                .map(Double::valueOf)
                .filter(Double::isFinite);
        return finite.isPresent() ? finite : at.refuse("out-of-range", node, "a finite number");
    }

    /** A number without a fraction that says nothing; negative zero keeps its sign. */
    private static String digits(double number) {
        boolean whole =
                number == Math.rint(number) && Math.abs(number) < 1e15 && 1 / number != Double.NEGATIVE_INFINITY;
        return whole ? Long.toString((long) number) : Double.toString(number);
    }

    private static Optional<Duration> duration(Node node, At at) {
        Matcher matcher = A_DURATION.matcher(node.text().orElse(""));
        return matcher.matches()
                ? Optional.of(Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2))))
                : at.refuse("bad-duration", node, "a duration such as 500ms, 5s, 2m or 1h");
    }

    /** A duration in the largest unit that tells it exactly. */
    private static String withUnit(Duration duration) {
        if (duration.isNegative() || !duration.equals(duration.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("duration " + duration + " (expected: whole milliseconds)");
        }
        if (duration.toMillisPart() != 0) {
            return duration.toMillis() + "ms";
        }
        if (duration.toSecondsPart() != 0 || duration.isZero()) {
            return duration.toSeconds() + "s";
        }
        return duration.toMinutesPart() == 0 ? duration.toHours() + "h" : duration.toMinutes() + "m";
    }

    private static Optional<URI> address(Node node, At at) {
        if (node.text().isEmpty()) {
            return at.wrong(node, "an address");
        }
        String text = node.text().get();
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException e) {
            String shown = "'" + Node.shortened(SECRETS.matcher(text).replaceAll("***")) + "'";
            return at.refuse("bad-address", node, shown, "an address; " + e.getReason() + " at index " + e.getIndex());
        }
    }
}
