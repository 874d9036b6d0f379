package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.policy.cli.text.Numbers;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How many requests were traced, and when they were asked. For one thread. */
final class Span {
    private long requests;
    private @Nullable Instant first;
    private @Nullable Instant last;

    void add(RoutingTrace trace) {
        requests++;
        Instant at = trace.askedAt();
        first = first == null || at.isBefore(first) ? at : first;
        last = last == null || at.isAfter(last) ? at : last;
    }

    long requests() {
        return requests;
    }

    /** In words. */
    @Override
    public String toString() {
        return first == null || last == null
                ? "no requests"
                : Numbers.counted(requests, "request") + " from " + first + " to " + last + " ("
                        + length(Duration.between(first, last)) + ")";
    }

    private static String length(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }
}
