package dev.substraterouter.internal.yaml;

import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Kind;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Place;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Node.Sequence;
import dev.substraterouter.policy.PolicyException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/**
 * Reads the one document of a text into nodes with their places. Not thread-safe.
 *
 * <p>Nothing here recurses, and every alias counts as all the values behind it, so that neither a deep nor a self-multiplying document
 * ("billion laughs") costs more than the text is long: an alias adds a reference and two numbers, whatever it stands for.
 */
public final class TreeReader {
    /** How deep lists and maps may nest. */
    public static final int MAX_DEPTH = 32;

    /** How many values a file may have, those behind aliases counted at each alias. */
    public static final int MAX_VALUES = 100_000;

    private static final int LONGEST_REASON = 200;

    private final AnchorParser parser;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<String, Anchored> anchors = new HashMap<>();
    private @Nullable Node root;
    private long values;

    /** What an anchor stands for; without a node while it is still being read. */
    private static final class Anchored {
        private @Nullable Node node;
        private long values;
        private int height;
    }

    /** A list or map that is being read. */
    private static final class Open {
        private final Place place;
        private final Anchored anchored;
        private final long valuesBefore;
        private final List<Node> items = new ArrayList<>();
        private final List<Entry> entries = new ArrayList<>();
        private String key = "";
        private Place keyPlace = Place.START;
        private int height = 1;

        Open(Place place, Anchored anchored, long valuesBefore) {
            this.place = place;
            this.anchored = anchored;
            this.valuesBefore = valuesBefore;
        }
    }

    private TreeReader(AnchorParser parser) {
        this.parser = parser;
    }

    /**
     * The root of a text's only document.
     *
     * @param text the text
     * @param expected what should be there, for the message that nothing is
     * @throws PolicyException if it has none or several, is no YAML, or passes a limit
     */
    public static Node read(String text, String expected) {
        try (AnchorParser parser = AnchorParser.of(text)) {
            return new TreeReader(parser).read(expected);
        }
    }

    private Node read(String expected) {
        for (JsonToken token = next(); token != null; token = next()) {
            if (root != null) {
                throw fatal("several-documents", "a second document (expected: one)");
            }
            take(token);
        }
        if (root == null || (root instanceof Scalar scalar && scalar.kind() == Kind.NOTHING)) {
            throw Problems.fatal("empty", Place.START, "an empty document (expected: " + expected + ")");
        }
        return root;
    }

    private void take(JsonToken token) {
        switch (token) {
            case START_OBJECT, START_ARRAY -> open();
            case END_OBJECT -> close(new Mapping(open.element().entries, open.element().place));
            case END_ARRAY -> close(new Sequence(open.element().items, open.element().place));
            case PROPERTY_NAME -> key();
            case VALUE_STRING -> text();
            case VALUE_NUMBER_INT -> scalar(Kind.WHOLE_NUMBER);
            case VALUE_NUMBER_FLOAT -> scalar(Kind.DECIMAL_NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Kind.TRUTH);
            default -> scalar(Kind.NOTHING);
        }
    }

    private void open() {
        refuseTag();
        if (open.size() >= MAX_DEPTH) {
            throw tooDeep();
        }
        count(1);
        open.push(new Open(place(), anchored(), values));
    }

    private void close(Node node) {
        Open closed = open.pop();
        closed.anchored.height = closed.height;
        closed.anchored.values = 1 + values - closed.valuesBefore;
        closed.anchored.node = node;
        add(node, closed.height);
    }

    private void key() {
        Open map = open.element();
        map.key = parser.currentName();
        map.keyPlace = place();
    }

    private void text() {
        if (parser.isCurrentAlias()) {
            alias();
        } else {
            scalar(Kind.TEXT);
        }
    }

    private void scalar(Kind kind) {
        refuseTag();
        count(1);
        Node node = new Scalar(kind, parser.getString(), place());
        Anchored anchored = anchored();
        anchored.node = node;
        anchored.values = 1;
        add(node, 0);
    }

    private void alias() {
        Anchored anchored = anchors.get(parser.getString());
        if (anchored == null) {
            throw fatal("alias", "*" + Node.shortened(parser.getString()) + " (expected: an anchor further up)");
        }
        if (anchored.node == null) {
            throw fatal(
                    "alias",
                    "*" + Node.shortened(parser.getString()) + " stands within its own anchor (expected: no cycle)");
        }
        if (open.size() + anchored.height > MAX_DEPTH) {
            throw tooDeep();
        }
        count(anchored.values);
        add(anchored.node, anchored.height);
    }

    private void add(Node node, int height) {
        Open around = open.peek();
        if (around == null) {
            root = node;
            return;
        }
        around.height = Math.max(around.height, 1 + height);
        around.items.add(node);
        around.entries.add(new Entry(around.key, around.keyPlace, node));
    }

    /** Where to keep what the current value's anchor stands for; without an anchor, nobody will ask for it. */
    private Anchored anchored() {
        Anchored anchored = new Anchored();
        parser.anchor().ifPresent(name -> anchors.put(name, anchored));
        return anchored;
    }

    private void count(long more) {
        values += more;
        if (values > MAX_VALUES) {
            throw fatal(
                    "too-large",
                    "more than " + MAX_VALUES + " values (expected: fewer, those behind aliases included)");
        }
    }

    private PolicyException tooDeep() {
        return fatal("too-deep", "nested more than " + MAX_DEPTH + " deep (expected: at most " + MAX_DEPTH + ")");
    }

    private void refuseTag() {
        if (parser.getRawTag() != null) {
            throw fatal("tag", "the tag " + Node.shortened(parser.getRawTag()) + " (expected: none)");
        }
    }

    private Place place() {
        return place(parser.currentTokenLocation());
    }

    private PolicyException fatal(String code, String message) {
        return Problems.fatal(code, place(), message);
    }

    /** The next token; null at the end. What the parser cannot read, it tells by exceptions of several kinds. */
    private @Nullable JsonToken next() {
        try {
            return parser.nextToken();
        } catch (RuntimeException e) {
            throw syntax(e);
        }
    }

    private PolicyException syntax(RuntimeException e) {
        if (e.getCause() instanceof MarkedYamlEngineException marked) {
            Optional<Mark> mark = marked.getProblemMark().or(marked::getContextMark);
            Place at = mark.map(where -> new Place(where.getLine() + 1, where.getColumn() + 1))
                    .orElseGet(this::place);
            String context = marked.getContext() == null ? "" : marked.getContext() + ": ";
            return noYaml(at, context + marked.getProblem());
        }
        if (e instanceof JacksonException jackson && jackson.getLocation() != null) {
            return noYaml(place(jackson.getLocation()), jackson.getOriginalMessage());
        }
        return noYaml(place(), String.valueOf(e.getMessage()));
    }

    private static PolicyException noYaml(Place at, String why) {
        return Problems.fatal("syntax", at, "no YAML: " + Node.shortened(why, LONGEST_REASON));
    }

    private static Place place(TokenStreamLocation location) {
        return new Place(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }
}
