package dev.substraterouter.trace;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Traces for the tests of this room. */
final class Traces {
    private Traces() {}

    static Attempt attempt(ServingPath path, String substrate, Outcome outcome, double seconds) {
        return attempt(path, substrate, "flux", "1", outcome, seconds);
    }

    static Attempt attempt(
            ServingPath path, String substrate, String model, String version, Outcome outcome, double seconds) {
        return new Attempt(
                1,
                List.of(),
                substrate,
                false,
                Optional.empty(),
                Optional.of(model),
                Optional.of(version),
                Optional.empty(),
                path == ServingPath.BATCH ? PlacementMode.BATCH : PlacementMode.INTERACTIVE,
                path,
                OptionalInt.empty(),
                Set.of(),
                1,
                Duration.ZERO,
                outcome == Outcome.OPEN
                        ? Optional.empty()
                        : Optional.of(Duration.ofNanos(Math.round(seconds * 1_000_000_000L))),
                outcome == Outcome.OPEN ? OptionalDouble.empty() : OptionalDouble.of(seconds / 1_000),
                outcome,
                Optional.empty());
    }

    static RoutingTrace trace(String workload, List<Attempt> attempts) {
        return trace(workload, attempts, Optional.empty());
    }

    static RoutingTrace refused(String workload, RefusalReason reason) {
        return trace(workload, List.of(), Optional.of(reason));
    }

    static RoutingTrace trace(String workload, List<Attempt> attempts, Optional<RefusalReason> refusal) {
        Optional<Attempt> last = attempts.stream().reduce((one, later) -> later);
        return new RoutingTrace(
                "r",
                workload,
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
                last.filter(attempt -> attempt.path() != ServingPath.PRIMARY).isPresent(),
                last.filter(attempt -> attempt.path() == ServingPath.OVERFLOW).isPresent(),
                last.filter(attempt -> attempt.outcome() == Outcome.SUCCEEDED).isPresent(),
                Optional.empty());
    }

    static RoutingTrace served(String workload, ServingPath path, String substrate, double seconds) {
        return trace(workload, List.of(attempt(path, substrate, Outcome.SUCCEEDED, seconds)));
    }

    static Observation quality(double quality) {
        return Observation.builder().quality(quality).build();
    }
}
