package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.Placement;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who served a request, and why that one.
 *
 * @param substrate the substrate
 * @param model the model it runs; null: nobody says
 * @param degraded in what way it is less than the primary as declared, in small letters; empty: in none
 * @param reason by which way it was chosen, and what spoke against those before it
 * @param requestId under which id the request is found in traces
 * @param expectedSeconds how long it was expected to take; null: nobody knows
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Served(
        String substrate,
        @Nullable String model,
        List<String> degraded,
        String reason,
        String requestId,
        @Nullable Double expectedSeconds) {
    /** Copies the list. */
    public Served {
        degraded = List.copyOf(degraded);
    }

    /** Whoever holds the placement. */
    static Served by(Placement placement) {
        RoutingTrace trace = placement.trace();
        return new Served(
                placement.substrateId(),
                trace.lastAttempt()
                        .flatMap(Attempt::model)
                        .or(() -> placement.candidate().model())
                        .orElse(null),
                placement.degraded().stream().map(Served::small).sorted().toList(),
                reason(placement.substrateId(), trace.lastAttempt()),
                trace.requestId(),
                placement.expectedLatency().map(Served::seconds).orElse(null));
    }

    private static String reason(String substrate, Optional<Attempt> attempt) {
        String way = attempt.map(Attempt::path).map(Served::small).orElse("placed");
        String others = attempt.stream()
                .flatMap(last -> last.considered().stream())
                .filter(seen -> !seen.admissible() && !seen.substrateId().equals(substrate))
                .map(Considered::toString)
                .collect(Collectors.joining("; "));
        return others.isEmpty() ? way : way + ": " + others;
    }

    static String small(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    static double seconds(Duration value) {
        return value.toMillis() / 1_000.0;
    }
}
