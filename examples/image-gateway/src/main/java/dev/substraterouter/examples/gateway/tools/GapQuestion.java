package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.model.Need;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * What {@code knowledge_gap} is asked: words that say what is missing, of which the need is inferred. Explicit values win over words.
 *
 * @param query what the caller wants to know or have done
 * @param gapDescription what it lacks to do that itself
 * @param requiredCapabilities what a node must be able to do, in the place of what the words say; empty: as they say
 * @param vramRequired the GPU memory that the task takes, GiB, in the place of what the words say; empty: as they say
 */
public record GapQuestion(
        String query, String gapDescription, List<String> requiredCapabilities, OptionalDouble vramRequired) {
    /** How long each of the texts may be, in characters. */
    public static final int MOST = 1_990;

    /** Copies the list. */
    public GapQuestion {
        requiredCapabilities = List.copyOf(requiredCapabilities);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException that names the key, the value and what was expected
     */
    public static GapQuestion of(JsonNode json) {
        Arguments arguments = Arguments.of(json);
        GapQuestion question = new GapQuestion(
                arguments.text("query", MOST),
                arguments.text("gap_description", MOST),
                arguments.names("required_capabilities"),
                arguments.positive("vram_required_gb", RouteQuestion.MOST_GB));
        arguments.end();
        return question;
    }

    /** The words of which the need is inferred; the two are sentences of their own. */
    String words() {
        return query + ".\n" + gapDescription;
    }

    Need explicit() {
        return RouteQuestion.need(requiredCapabilities, vramRequired).build();
    }

    Message message() {
        return Message.json(Map.of("query", query, "gap_description", gapDescription));
    }
}
