package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.model.Need;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * What {@code instance_route_recommend} is asked.
 *
 * @param requiredCapabilities what a node must be able to do
 * @param vramRequired the GPU memory that the task takes, GiB; empty: memory is not judged
 * @param taskDuration how long the task is expected to take; empty: not known
 */
public record RouteQuestion(
        List<String> requiredCapabilities, OptionalDouble vramRequired, Optional<Duration> taskDuration) {
    static final double MOST_GB = 1 << 20;

    /** Copies the list. */
    public RouteQuestion {
        requiredCapabilities = List.copyOf(requiredCapabilities);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException that names the key, the value and what was expected
     */
    public static RouteQuestion of(JsonNode json) {
        Arguments arguments = Arguments.of(json);
        RouteQuestion question = new RouteQuestion(
                arguments.names("required_capabilities"),
                arguments.positive("vram_required_gb", MOST_GB),
                arguments.seconds("task_duration_estimate_sec"));
        arguments.end();
        return question;
    }

    Need need() {
        Need.Builder need = need(requiredCapabilities, vramRequired);
        taskDuration.ifPresent(need::duration);
        return need.build();
    }

    static Need.Builder need(List<String> capabilities, OptionalDouble vram) {
        Need.Builder need = Need.builder().capabilities(capabilities.toArray(String[]::new));
        vram.ifPresent(need::vramGb);
        return need;
    }
}
