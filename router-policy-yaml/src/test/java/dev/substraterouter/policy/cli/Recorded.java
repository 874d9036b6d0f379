package dev.substraterouter.policy.cli;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import dev.substraterouter.trace.jsonl.JsonLinesTraceSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Traces of a test, as a sink writes them. */
final class Recorded {
    private static final Instant START = Instant.parse("2026-05-01T10:00:00Z");

    private final List<RoutingTrace> traces = new ArrayList<>();

    /** Work that was done: so many seconds on a substrate. */
    Recorded served(String workload, ServingPath path, String substrate, double seconds, Observation observation) {
        return add(
                workload,
                List.of(attempt(path, substrate, "flux", Outcome.SUCCEEDED, seconds, Set.of())),
                List.of(),
                observation);
    }

    Recorded served(String workload, ServingPath path, String substrate, double seconds) {
        return served(workload, path, substrate, seconds, Observation.builder().build());
    }

    /** Work of another model, or with its model to be loaded. */
    Recorded served(String workload, String substrate, String model, double seconds, Set<DegradedReason> degraded) {
        return add(
                workload,
                List.of(attempt(ServingPath.PRIMARY, substrate, model, Outcome.SUCCEEDED, seconds, degraded)),
                List.of(),
                Observation.builder().build());
    }

    Recorded failed(String workload, ServingPath path, String substrate, double seconds) {
        return add(
                workload,
                List.of(attempt(path, substrate, "flux", Outcome.NODE_FAULT, seconds, Set.of())),
                List.of(),
                Observation.builder().build());
    }

    Recorded refused(String workload, String substrate, Reason reason) {
        return add(
                workload,
                List.of(),
                List.of(new Considered(substrate, false, List.of(new Finding(reason, "text")))),
                Observation.builder().build());
    }

    Path in(Path directory) throws IOException {
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory)) {
            traces.forEach(sink::accept);
        }
        return directory;
    }

    private Recorded add(
            String workload, List<Attempt> attempts, List<Considered> considered, Observation observation) {
        traces.add(new RoutingTrace(
                "r-" + traces.size(),
                workload,
                Optional.empty(),
                Optional.of("ops-1"),
                Optional.of("operator"),
                Priority.NORMAL,
                Map.of(),
                START.plusSeconds(60L * traces.size()),
                1,
                attempts,
                considered,
                attempts.isEmpty() ? Optional.of(RefusalReason.NO_WAIT) : Optional.empty(),
                Duration.ZERO,
                false,
                false,
                attempts.stream().anyMatch(attempt -> attempt.outcome() == Outcome.SUCCEEDED),
                Optional.of(observation)));
        return this;
    }

    private static Attempt attempt(
            ServingPath path,
            String substrate,
            String model,
            Outcome outcome,
            double seconds,
            Set<DegradedReason> degraded) {
        return new Attempt(
                1,
                List.of(new Considered(substrate, true, List.of())),
                substrate,
                false,
                Optional.empty(),
                Optional.of(model),
                Optional.empty(),
                Optional.empty(),
                path == ServingPath.BATCH ? PlacementMode.BATCH : PlacementMode.INTERACTIVE,
                path,
                OptionalInt.empty(),
                degraded,
                1,
                Duration.ZERO,
                Optional.of(Duration.ofNanos(Math.round(seconds * 1e9))),
                OptionalDouble.empty(),
                outcome,
                Optional.empty());
    }
}
