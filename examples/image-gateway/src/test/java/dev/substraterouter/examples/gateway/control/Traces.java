package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Traces as the router makes them, without a router. */
final class Traces {
    private Traces() {}

    static RoutingTrace done(ServingPath path, Duration latency) {
        return trace(List.of(attempt(path, Outcome.SUCCEEDED, latency)), Optional.empty());
    }

    static RoutingTrace failed(ServingPath path) {
        return trace(List.of(attempt(path, Outcome.NODE_FAULT, Duration.ofSeconds(1))), Optional.empty());
    }

    static RoutingTrace refused() {
        return trace(List.of(), Optional.of(RefusalReason.QUEUE_FULL));
    }

    private static RoutingTrace trace(List<Attempt> attempts, Optional<RefusalReason> refusal) {
        return new RoutingTrace(
                "made",
                "flux-dev",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Priority.NORMAL,
                Map.of(),
                Instant.EPOCH,
                1,
                attempts,
                List.of(),
                refusal,
                Duration.ZERO,
                false,
                false,
                refusal.isEmpty(),
                Optional.empty());
    }

    private static Attempt attempt(ServingPath path, Outcome outcome, Duration latency) {
        return new Attempt(
                1,
                List.of(),
                "legion",
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                PlacementMode.INTERACTIVE,
                path,
                OptionalInt.empty(),
                Set.of(),
                1,
                Duration.ZERO,
                Optional.of(latency),
                OptionalDouble.empty(),
                outcome,
                Optional.empty());
    }
}
