package dev.substraterouter.probe.http;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON of a server that is not trusted: bounded in depth, names, strings and tokens, and without a word of it in any exception. A
 * member that is said twice (which of the two would be meant?) is an error.
 */
final class Json {
    private static final int MAX_NESTING = 32;
    private static final int MAX_STRING = 64 * 1024;
    private static final int MAX_NAME = 1_024;
    private static final int MAX_TOKENS = 50_000;

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

    private Json() {}

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
        int first = firstByte(body);
        if (first < 0) {
            throw new NoStatusException("not a status: empty");
        }
        if (first == '<') {
            throw new NoStatusException("not a status: HTML or XML (expected: a JSON object)");
        }
        return parsed(body);
    }

    private static JsonNode parsed(byte[] body) throws NoStatusException {
        try {
            return MAPPER.readTree(body);
        } catch (JacksonException broken) {
            // The parser's own message quotes the body.
            var place = broken.getLocation();
            throw new NoStatusException("not a status: no JSON, or nested too deep, or a member twice"
                    + (place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")"));
        }
    }

    private static int firstByte(byte[] body) {
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
