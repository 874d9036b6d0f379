package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.model.Need;
import dev.substraterouter.trace.Observation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * How the router's own records are written for operators: durations as seconds, constants in lower case with hyphens, a need in words,
 * what is absent as null. Thread-safe.
 */
final class ControlJson {
    private static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .addModule(new SimpleModule("control")
                    .addSerializer(new Seconds())
                    .addSerializer(new Codes())
                    .addSerializer(new Needs())
                    .addSerializer(new Observations()))
            .build();

    private ControlJson() {}

    static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /** A constant as it is written: {@code GPU_UTIL} as {@code gpu-util}. */
    static String code(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static final class Seconds extends StdSerializer<Duration> {
        Seconds() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration value, JsonGenerator json, SerializationContext context) {
            json.writeNumber(seconds(value));
        }
    }

    private static final class Codes extends StdSerializer<Enum<?>> {
        Codes() {
            super(Json.MAPPER.constructType(Enum.class));
        }

        @Override
        public void serialize(Enum<?> value, JsonGenerator json, SerializationContext context) {
            json.writeString(code(value));
        }
    }

    private static final class Needs extends StdSerializer<Need> {
        Needs() {
            super(Need.class);
        }

        @Override
        public void serialize(Need value, JsonGenerator json, SerializationContext context) {
            json.writeString(value.toString());
        }
    }

    private static final class Observations extends StdSerializer<Observation> {
        Observations() {
            super(Observation.class);
        }

        @Override
        public void serialize(Observation value, JsonGenerator json, SerializationContext context) {
            Map<String, Object> known = new LinkedHashMap<>();
            known.put("quality", value.quality());
            known.put("reviewed", value.reviewed());
            known.put("cost", value.cost());
            json.writePOJO(known);
        }
    }
}
