package dev.substraterouter.internal.yaml;

import java.util.List;
import java.util.Optional;

/** A value of a YAML document, with its place. Immutable. */
public sealed interface Node {
    /** The longest piece of a value that a message repeats. */
    int MAX_SHOWN = 60;

    /** Where it begins. */
    Place place();

    /** How messages show it. */
    String shown();

    /** The text, when it is one. */
    default Optional<String> text() {
        return this instanceof Scalar scalar && scalar.kind == Kind.TEXT
                ? Optional.of(scalar.content)
                : Optional.empty();
    }

    /** What is written there, when it is a number. */
    default Optional<String> number() {
        return this instanceof Scalar scalar && (scalar.kind == Kind.WHOLE_NUMBER || scalar.kind == Kind.DECIMAL_NUMBER)
                ? Optional.of(scalar.content)
                : Optional.empty();
    }

    /**
     * A place in a file.
     *
     * @param line from 1
     * @param column from 1, in code points
     */
    record Place(int line, int column) {
        /** Where a file begins; also the place of what is written and has none yet. */
        public static final Place START = new Place(1, 1);
    }

    /** What sort of single value it is by the rules of YAML 1.2. */
    enum Kind {
        TEXT,
        WHOLE_NUMBER,
        DECIMAL_NUMBER,
        TRUTH,
        NOTHING
    }

    /**
     * A single value.
     *
     * @param kind what sort of value
     * @param content as it is written, without quotes
     * @param place where it begins
     */
    record Scalar(Kind kind, String content, Place place) implements Node {
        public static Scalar of(Kind kind, String content) {
            return new Scalar(kind, content, Place.START);
        }

        @Override
        public String shown() {
            return switch (kind) {
                case NOTHING -> "nothing";
                case TEXT -> "'" + shortened(content) + "'";
                default -> shortened(content);
            };
        }
    }

    /** A list. */
    record Sequence(List<Node> items, Place place) implements Node {
        @Override
        public String shown() {
            return "a list";
        }
    }

    /** A map as it is written: its keys may repeat. */
    record Mapping(List<Entry> entries, Place place) implements Node {
        @Override
        public String shown() {
            return "a map";
        }
    }

    /**
     * A key with its value.
     *
     * @param key the key
     * @param place where the key begins
     * @param value its value
     */
    record Entry(String key, Place place, Node value) {}

    /** A text cut to what a message can bear, on one line. */
    static String shortened(String text) {
        return shortened(text, MAX_SHOWN);
    }

    /** A text cut to a length, on one line. */
    static String shortened(String text, int most) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(most)
                .forEach(point -> shown.appendCodePoint(Character.isISOControl(point) ? '?' : point));
        return text.codePointCount(0, text.length()) > most ? shown + "..." : shown.toString();
    }
}
