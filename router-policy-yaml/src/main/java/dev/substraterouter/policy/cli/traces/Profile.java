package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.PathReport.Figure;
import dev.substraterouter.trace.PathReport.Row;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What was observed of each candidate of a policy. Immutable.
 *
 * <p>The figures are those of {@link PathReport}, to which each candidate is given as a workload of its own. Latency counts where the work
 * succeeded and the model was resident; review where the request was served there; memory where somebody told it. What ran under another
 * model, version or format than the candidate declares does not count. Beyond 1,000 candidates, those that occur last are left out.
 */
public final class Profile {
    private final Span span = new Span();
    private final Map<Spot, Memory> memory = new HashMap<>();
    private final Map<Spot, Long> others = new HashMap<>();
    private final Spots spots;
    private final List<Observed> observed = new ArrayList<>();

    private Profile(Policy policy) {
        spots = new Spots(policy);
    }

    /** What traces tell, which are read once. */
    public static Profile of(Policy policy, Iterable<RoutingTrace> traces) {
        Profile profile = new Profile(policy);
        profile.read(traces);
        return profile;
    }

    /** How many requests there were, and when, in words. */
    public String span() {
        return span.toString();
    }

    /** What was observed of each candidate, in the order of the policy; of some nothing. */
    List<Observed> observed() {
        return observed;
    }

    /**
     * What was observed of a candidate.
     *
     * @param spot the candidate
     * @param latency median of its latency with the model resident, seconds
     * @param review the share reviewed among the answers of which it is known
     * @param memory what its jobs took
     * @param others how many attempts ran something else than it declares
     */
    record Observed(Spot spot, Optional<Figure> latency, Optional<Figure> review, Memory memory, long others) {}

    /**
     * The GPU memory that jobs took.
     *
     * @param n how many told it
     * @param most the most that one took, GiB
     */
    record Memory(long n, double most) {
        static final Memory NONE = new Memory(0, 0);

        Memory with(double gb) {
            return new Memory(n + 1, Math.max(most, gb));
        }
    }

    private void read(Iterable<RoutingTrace> traces) {
        List<String> labels = spots.all().stream().map(Profile::label).toList();
        Iterable<RoutingTrace> relabelled =
                () -> stream(traces).flatMap(this::relabelled).iterator();
        Map<String, Row> rows = PathReport.of(relabelled).byWorkload().stream()
                .filter(row -> row.key().workload().isPresent())
                .collect(Collectors.toMap(row -> row.key().workload().orElseThrow(), row -> row));
        for (int i = 0; i < labels.size(); i++) {
            observed.add(observed(spots.all().get(i), Optional.ofNullable(rows.get(labels.get(i)))));
        }
    }

    private static Stream<RoutingTrace> stream(Iterable<RoutingTrace> traces) {
        return StreamSupport.stream(traces.spliterator(), false);
    }

    private Observed observed(Spot spot, Optional<Row> row) {
        return new Observed(
                spot,
                row.flatMap(Row::latency),
                row.flatMap(Row::reviewRate),
                memory.getOrDefault(spot, Memory.NONE),
                others.getOrDefault(spot, 0L));
    }

    /** A trace as one for each attempt of it, each for its candidate as if that were a workload. */
    private Stream<RoutingTrace> relabelled(RoutingTrace trace) {
        span.add(trace);
        List<RoutingTrace> each = new ArrayList<>();
        for (Attempt attempt : trace.attempts()) {
            spots.served(trace.workload(), attempt).ifPresent(spot -> {
                if (spot.declares(attempt)) {
                    each.add(relabelled(trace, attempt, spot));
                } else {
                    others.merge(spot, 1L, Long::sum);
                }
            });
        }
        return each.stream();
    }

    private RoutingTrace relabelled(RoutingTrace trace, Attempt attempt, Spot spot) {
        boolean served =
                trace.served() && trace.lastAttempt().filter(attempt::equals).isPresent();
        if (served) {
            trace.observation()
                    .map(Observation::vramGb)
                    .ifPresent(known -> known.ifPresent(
                            gb -> memory.merge(spot, Memory.NONE.with(gb), (before, one) -> before.with(gb))));
        }
        return new RoutingTrace(
                trace.requestId(),
                label(spot),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                trace.priority(),
                Map.of(),
                trace.askedAt(),
                trace.revision(),
                List.of(warm(attempt)),
                List.of(),
                Optional.empty(),
                trace.waited(),
                false,
                false,
                served,
                trace.observation());
    }

    /** Without its latency unless it was that of a resident model; and on one path, whatever the position was when it ran. */
    private static Attempt warm(Attempt attempt) {
        boolean counts =
                attempt.outcome() == Outcome.SUCCEEDED && !attempt.degraded().contains(DegradedReason.COLD);
        return new Attempt(
                attempt.number(),
                List.of(),
                attempt.substrateId(),
                attempt.external(),
                Optional.empty(),
                attempt.model(),
                attempt.version(),
                attempt.format(),
                attempt.mode(),
                ServingPath.PRIMARY,
                attempt.gpu(),
                attempt.degraded(),
                attempt.revision(),
                attempt.waited(),
                counts ? attempt.latency() : Optional.empty(),
                attempt.cost(),
                attempt.outcome(),
                Optional.empty());
    }

    private static String label(Spot spot) {
        return spot.path();
    }
}
