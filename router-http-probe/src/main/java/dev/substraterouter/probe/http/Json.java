package dev.substraterouter.probe.http;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Reads JSON of a server that is not trusted: bounded in depth, names, strings and tokens, and without a word of it in any exception. A
 * member that is said twice (which of the two would be meant?) is an error.
 */
final class Json {
    private static final int MAX_NESTING = 32;
    private static final int MAX_STRING = 64 * 1024;
    private static final int MAX_NAME = 1_024;
    private static final int MAX_TOKENS = 50_000;
    private static final int MAX_PASSED_TOKENS = 4_000_000;
    private static final int MAX_PASSED_NESTING = 1_000;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING)
                            .maxStringLength(MAX_STRING)
                            .maxNameLength(MAX_NAME)
                            .maxTokenCount(MAX_TOKENS)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build())
            .build();

    /** For bodies of which a few members are wanted: what is passed over may be long and deep, since nothing of it is kept. */
    private static final JsonFactory PASSING = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_PASSED_NESTING)
                    .maxStringLength(MAX_STRING)
                    .maxNameLength(MAX_STRING)
                    .maxTokenCount(MAX_PASSED_TOKENS)
                    .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private Json() {}

    /**
     * The one JSON value of a body, with only those members of its objects whose names are wanted, at any depth. All others are passed over
     * as they come, so a long body (a queue with its workflows, slots with their prompts) takes no more memory than its own bytes.
     *
     * @throws NoStatusException if it is not one, or what is wanted of it is too much
     */
    static JsonNode only(byte[] body, Set<String> wanted) throws NoStatusException {
        checkFirst(body);
        try (JsonParser parser = PASSING.createParser(ObjectReadContext.empty(), body)) {
            return new Pruned(parser, wanted).document();
        } catch (JacksonException broken) {
            throw notJson(broken);
        }
    }

    /** The reading of one body of which some members are wanted. */
    private static final class Pruned {
        private final JsonParser parser;
        private final Set<String> wanted;
        private int kept;

        Pruned(JsonParser parser, Set<String> wanted) {
            this.parser = parser;
            this.wanted = wanted;
        }

        JsonNode document() throws NoStatusException {
            JsonNode root = value(parser.nextToken(), 0);
            if (parser.nextToken() != null) {
                throw new NoStatusException("not a status: more than one JSON value");
            }
            return root;
        }

        private JsonNode value(@Nullable JsonToken token, int depth) throws NoStatusException {
            if (token == null || depth > MAX_NESTING || ++kept > MAX_TOKENS) {
                throw new NoStatusException("not a status: no JSON, or too much or too deep of what is read");
            }
            return switch (token) {
                case START_OBJECT -> object(depth);
                case START_ARRAY -> array(depth);
                case VALUE_STRING -> StringNode.valueOf(parser.getString());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> DoubleNode.valueOf(parser.getDoubleValue());
                case VALUE_TRUE -> BooleanNode.TRUE;
                case VALUE_FALSE -> BooleanNode.FALSE;
                default -> NullNode.instance;
            };
        }

        private JsonNode object(int depth) throws NoStatusException {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (!wanted.contains(name)) {
                    parser.skipChildren();
                } else if (object.has(name)) {
                    throw new NoStatusException("not a status: a member twice");
                } else {
                    object.set(name, value(token, depth + 1));
                }
            }
            return object;
        }

        private JsonNode array(int depth) throws NoStatusException {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                array.add(value(token, depth + 1));
            }
            return array;
        }
    }

    /**
     * The one JSON object of a body.
     *
     * @throws NoStatusException if it is not one
     */
    static JsonNode object(byte[] body) throws NoStatusException {
        JsonNode root = value(body);
        if (!root.isObject()) {
            throw new NoStatusException("not a status: " + type(root) + " (expected: a JSON object)");
        }
        return root;
    }

    /**
     * The one JSON value of a body.
     *
     * @throws NoStatusException if it is not one
     */
    static JsonNode value(byte[] body) throws NoStatusException {
        checkFirst(body);
        return parsed(body);
    }

    private static void checkFirst(byte[] body) throws NoStatusException {
        int first = firstByte(body);
        if (first < 0) {
            throw new NoStatusException("not a status: empty");
        }
        if (first == '<') {
            throw new NoStatusException("not a status: HTML or XML (expected: a JSON object)");
        }
    }

    private static JsonNode parsed(byte[] body) throws NoStatusException {
        try {
            return MAPPER.readTree(body);
        } catch (JacksonException broken) {
            throw notJson(broken);
        }
    }

    /** The parser's own message quotes the body. */
    private static NoStatusException notJson(JacksonException broken) {
        var place = broken.getLocation();
        return new NoStatusException("not a status: no JSON, or nested too deep, or a member twice"
                + (place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")"));
    }

    /** The first byte that is not white space; -1 when there is none. */
    static int firstByte(byte[] body) {
        for (byte one : body) {
            if (one != ' ' && one != '\t' && one != '\r' && one != '\n') {
                return one & 0xff;
            }
        }
        return -1;
    }

    /** What a value is, in words. */
    static String type(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "an array";
            case BOOLEAN -> "a boolean";
            case NULL -> "null";
            case NUMBER -> "a number";
            case OBJECT -> "an object";
            case STRING -> "a string";
            default -> "something else";
        };
    }
}
