package dev.substraterouter.testkit;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of an {@link EventSchedule}. Immutable and thread-safe; its text is the whole story.
 *
 * @param steps what happened, in order
 * @param requests what was asked for, by request id
 * @param policies the policies that were in force, by revision
 * @param traces the traces of all requests, in the order in which they ended
 * @param events what the router told
 * @param leaks what the router has left behind once everything was over, as {@link LeakCheck} has it
 */
public record Playback(
        List<Step> steps,
        Map<String, RouteRequest> requests,
        Map<Long, Policy> policies,
        List<RoutingTrace> traces,
        List<RouterEvent> events,
        List<String> leaks) {
    /** Copies the collections. */
    public Playback {
        steps = List.copyOf(steps);
        requests = Map.copyOf(requests);
        policies = Map.copyOf(policies);
        traces = List.copyOf(traces);
        events = List.copyOf(events);
        leaks = List.copyOf(leaks);
    }

    /**
     * One event and what came of it at once.
     *
     * @param at how long after the beginning
     * @param event what happened
     * @param answer what came of asking; empty for other events
     */
    public record Step(Duration at, Event event, Optional<Answer> answer) {
        @Override
        public String toString() {
            return "at " + at.toMillis() / 1000.0 + " s: " + event
                    + answer.map(it -> ": " + it).orElse("");
        }
    }

    /**
     * What came of asking for a place, at once.
     *
     * @param requestId the request
     * @param recommended where a recommendation just before would have had it; empty: nowhere
     * @param placed where it went; empty: it waits or was refused
     * @param refused why it was refused; empty: it was not
     * @param words the refusal in words, or the recommendation's explanation where there was none
     */
    public record Answer(
            String requestId,
            Optional<String> recommended,
            Optional<String> placed,
            Optional<RefusalReason> refused,
            String words) {
        @Override
        public String toString() {
            return placed.map(where -> "placed on " + where)
                    .or(() -> refused.map(why -> "refused (" + why + "): " + words))
                    .orElse("waits");
        }
    }

    /** The story up to and including a request, a line for each event; of a request that is unknown the whole. */
    public String story(String requestId) {
        List<String> lines = new ArrayList<>();
        for (Step step : steps) {
            lines.add("  " + (lines.size() + 1) + ". " + step);
            if (step.answer().filter(it -> it.requestId().equals(requestId)).isPresent()) {
                break;
            }
        }
        return String.join("\n", lines);
    }

    /** The whole story, a line for each event. */
    public String story() {
        return story("");
    }

    @Override
    public String toString() {
        return story();
    }
}
