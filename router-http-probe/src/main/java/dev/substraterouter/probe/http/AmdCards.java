package dev.substraterouter.probe.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What AMD's two tools have in common: text before their JSON, figures as text, and names whose spelling changes. */
final class AmdCards {
    private static final int MAX_STARTS = 8;

    private AmdCards() {}

    /**
     * The JSON of a tool's output, from the first line that begins it: warnings may stand before it.
     *
     * @throws NoStatusException if there is none
     */
    static JsonNode document(byte[] output) throws NoStatusException {
        NoStatusException first = null;
        int starts = 0;
        for (int at = 0; at < output.length && starts < MAX_STARTS; at = nextLine(output, at)) {
            int begin = at;
            while (begin < output.length && (output[begin] == ' ' || output[begin] == '\t')) {
                begin++;
            }
            if (begin < output.length && (output[begin] == '{' || output[begin] == '[')) {
                starts++;
                try {
                    return Json.value(Arrays.copyOfRange(output, begin, output.length));
                } catch (NoStatusException broken) {
                    first = first == null ? broken : first;
                }
            }
        }
        throw first == null ? new NoStatusException("not a status: no JSON") : first;
    }

    private static int nextLine(byte[] output, int at) {
        int end = at;
        while (end < output.length && output[end] != '\n') {
            end++;
        }
        return end + 1;
    }

    /** A figure, as a number or as text; {@code NaN} for {@code "N/A"} and whatever else is none. */
    static double figure(@Nullable JsonNode said) {
        if (said == null) {
            return Double.NaN;
        }
        OptionalDouble value = said.isNumber()
                ? OptionalDouble.of(said.numberValue().doubleValue() + 0.0)
                : said.isString() ? Decimals.of(said.stringValue().trim()) : OptionalDouble.empty();
        return value.orElse(Double.NaN);
    }

    /** A member, whatever the case of its name. */
    static @Nullable JsonNode member(JsonNode object, String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return object.properties().stream()
                .filter(member -> member.getKey().toLowerCase(Locale.ROOT).equals(wanted))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
