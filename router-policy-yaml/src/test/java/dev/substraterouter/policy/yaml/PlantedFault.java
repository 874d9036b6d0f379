package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.PolicyProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A fault that is planted in a good policy, as the list says it.
 *
 * @param id its number
 * @param in the policy it is planted in
 * @param what what it is
 * @param from the text that is replaced
 * @param to what stands there instead
 * @param breaks the intent that no longer holds
 * @param place what the path of a problem begins with; null: it is not structural
 */
record PlantedFault(
        String id,
        String in,
        String what,
        String from,
        String to,
        String breaks,
        @Nullable String place) {
    static List<PlantedFault> all() {
        return new YAMLMapper()
                .readTree(text("faults"))
                .valueStream()
                .map(PlantedFault::of)
                .toList();
    }

    private static PlantedFault of(JsonNode said) {
        return new PlantedFault(
                said.get("id").asString(),
                said.get("in").asString(),
                said.get("what").asString(),
                said.get("from").asString(),
                said.get("to").asString(),
                said.get("breaks").asString(),
                said.has("place") ? said.get("place").asString() : null);
    }

    /** One of the good policies, or the list. */
    static String text(String name) {
        String file = "/faults/" + name + ".yaml";
        try (InputStream in = PlantedFault.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }

    /** Its policy with it. */
    String planted() {
        String good = text(in);
        int at = good.indexOf(from);
        if (at < 0 || good.indexOf(from, at + 1) >= 0) {
            throw new IllegalStateException(id + ": from: " + from + " (expected: exactly once in " + in + ")");
        }
        return good.substring(0, at) + to + good.substring(at + from.length());
    }

    /** Whether a problem is where it was planted. */
    boolean isAt(PolicyProblem problem) {
        if (place != null) {
            return problem.path().startsWith(place);
        }
        int first = lines(text(in).substring(0, text(in).indexOf(from))) + 1;
        return problem.line() >= first && problem.line() <= first + lines(to.stripTrailing());
    }

    private static int lines(String text) {
        return (int) text.chars().filter(character -> character == '\n').count();
    }
}
