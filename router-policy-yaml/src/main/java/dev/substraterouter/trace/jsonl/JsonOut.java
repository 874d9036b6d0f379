package dev.substraterouter.trace.jsonl;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * Writes one object on one line, in ASCII: every other character is escaped, so that neither what somebody else calls a line break nor half a
 * character can stand in it. What is empty is left out. Not thread-safe.
 */
final class JsonOut {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int NANO_DIGITS = 9;

    private final JsonGenerator generator;

    private JsonOut(JsonGenerator generator) {
        this.generator = generator;
    }

    /** The line of an object, with its line break. */
    static byte[] line(Consumer<JsonOut> fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            generator.writeStartObject();
            fields.accept(new JsonOut(generator));
            generator.writeEndObject();
        }
        return text.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    }

    void text(String key, String value) {
        generator.writeName(key).writeString(value);
    }

    <T> void text(String key, Optional<T> value) {
        value.ifPresent(known -> text(key, known.toString()));
    }

    void texts(String key, Collection<String> values) {
        if (!values.isEmpty()) {
            generator.writeArrayPropertyStart(key);
            values.forEach(generator::writeString);
            generator.writeEndArray();
        }
    }

    void word(String key, Enum<?> value) {
        text(key, word(value));
    }

    void words(String key, Collection<? extends Enum<?>> values) {
        texts(key, values.stream().sorted().map(JsonOut::word).toList());
    }

    void flag(String key, boolean value) {
        generator.writeBooleanProperty(key, value);
    }

    void number(String key, long value) {
        generator.writeNumberProperty(key, value);
    }

    /** A figure; one that is not finite is written as a text. */
    void number(String key, OptionalDouble value) {
        value.ifPresent(known -> generator.writeNumberProperty(key, known));
    }

    /** A duration as seconds with up to nine decimals. */
    void seconds(String key, Duration value) {
        BigDecimal seconds =
                BigDecimal.valueOf(value.getSeconds()).add(BigDecimal.valueOf(value.getNano(), NANO_DIGITS));
        generator.writeName(key).writeNumber(seconds.stripTrailingZeros().toPlainString());
    }

    void seconds(String key, Optional<Duration> value) {
        value.ifPresent(known -> seconds(key, known));
    }

    void object(String key, Runnable fields) {
        generator.writeObjectPropertyStart(key);
        fields.run();
        generator.writeEndObject();
    }

    <T> void objects(String key, Collection<T> values, Consumer<T> fields) {
        if (values.isEmpty()) {
            return;
        }
        generator.writeArrayPropertyStart(key);
        for (T value : values) {
            generator.writeStartObject();
            fields.accept(value);
            generator.writeEndObject();
        }
        generator.writeEndArray();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
