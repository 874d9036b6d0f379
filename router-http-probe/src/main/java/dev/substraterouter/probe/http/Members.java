package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Members of JSON objects. One that is absent or null is not said; one of another type is unknown, and the status says so. */
final class Members {
    private final SubstrateStatus.Builder status;

    Members(SubstrateStatus.Builder status) {
        this.status = status;
    }

    /** The value of a member that is said; null for anything else, also of what is no object. */
    static @Nullable JsonNode said(@Nullable JsonNode object, String name) {
        JsonNode said = object == null ? null : object.get(name);
        return said == null || said.isNull() ? null : said;
    }

    /** A text that is said and not blank. */
    static Optional<String> text(@Nullable JsonNode object, String name) {
        JsonNode said = said(object, name);
        return said == null || !said.isString() || said.stringValue().isBlank()
                ? Optional.empty()
                : Optional.of(said.stringValue());
    }

    /** A number; the place is that of the object, for people. */
    OptionalDouble number(@Nullable JsonNode object, String place, String name) {
        JsonNode said = said(object, name);
        if (said == null) {
            return OptionalDouble.empty();
        }
        if (!said.isNumber()) {
            status.odd(place + name + " is " + Json.type(said) + " (expected: a number)");
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(said.numberValue().doubleValue() + 0.0); // -0.0 becomes 0.0
    }

    /** A number of bytes, in GiB; {@code NaN} when it is not said. */
    double gib(@Nullable JsonNode object, String place, String name) {
        return number(object, place, name).orElse(Double.NaN) / Card.BYTES_PER_GIB;
    }

    /** The elements of an array, at most as many as given; none of anything else. */
    List<JsonNode> elements(@Nullable JsonNode array, String name, int most) {
        if (array == null || !array.isArray()) {
            return List.of();
        }
        if (array.size() > most) {
            status.odd(name + ": " + array.size() + " (expected: at most " + most + "; the rest is left out)");
        }
        return List.copyOf(array.values()).subList(0, Math.min(most, array.size()));
    }
}
