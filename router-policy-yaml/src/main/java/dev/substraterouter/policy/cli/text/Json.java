package dev.substraterouter.policy.cli.text;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes a JSON document on one line, in ASCII. What is empty is left out. Not thread-safe. */
public final class Json {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int NANO_DIGITS = 9;

    private final JsonGenerator generator;

    private Json(JsonGenerator generator) {
        this.generator = generator;
    }

    /** An object. */
    public static String object(Consumer<Json> fields) {
        return document(json -> json.braces(fields));
    }

    /** An array of objects. */
    public static <T> String array(Collection<T> values, BiConsumer<Json, T> fields) {
        return document(json -> {
            json.generator.writeStartArray();
            values.forEach(value -> json.braces(inner -> fields.accept(inner, value)));
            json.generator.writeEndArray();
        });
    }

    private static String document(Consumer<Json> content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            content.accept(new Json(generator));
        }
        return text.toString();
    }

    private void braces(Consumer<Json> fields) {
        generator.writeStartObject();
        fields.accept(this);
        generator.writeEndObject();
    }

    /** A text under a key. */
    public Json text(String key, String value) {
        generator.writeName(key).writeString(value);
        return this;
    }

    /** A text under a key, if there is one. */
    public Json text(String key, Optional<?> value) {
        value.ifPresent(known -> text(key, known.toString()));
        return this;
    }

    /** A whole number under a key. */
    public Json number(String key, long value) {
        generator.writeNumberProperty(key, value);
        return this;
    }

    /** A number under a key, if there is one. */
    public Json number(String key, OptionalDouble value) {
        value.ifPresent(known -> generator.writeNumberProperty(key, known));
        return this;
    }

    /** True or false under a key. */
    public Json flag(String key, boolean value) {
        generator.writeBooleanProperty(key, value);
        return this;
    }

    /** A duration under a key, as seconds with up to nine decimals. */
    public Json seconds(String key, Duration value) {
        BigDecimal seconds =
                BigDecimal.valueOf(value.getSeconds()).add(BigDecimal.valueOf(value.getNano(), NANO_DIGITS));
        generator.writeName(key).writeNumber(seconds.stripTrailingZeros().toPlainString());
        return this;
    }

    /** A duration under a key, if there is one. */
    public Json seconds(String key, Optional<Duration> value) {
        value.ifPresent(known -> seconds(key, known));
        return this;
    }

    /** An object under a key. */
    public Json object(String key, Consumer<Json> fields) {
        generator.writeName(key);
        braces(fields);
        return this;
    }

    /** An array of objects under a key; empty ones stay. */
    public <T> Json objects(String key, Collection<T> values, BiConsumer<Json, T> fields) {
        generator.writeArrayPropertyStart(key);
        values.forEach(value -> braces(inner -> fields.accept(inner, value)));
        generator.writeEndArray();
        return this;
    }

    /** An array of texts under a key; empty ones stay. */
    public Json texts(String key, Collection<String> values) {
        generator.writeArrayPropertyStart(key);
        values.forEach(generator::writeString);
        generator.writeEndArray();
        return this;
    }
}
