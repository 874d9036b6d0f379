package dev.substraterouter.trace;

import dev.substraterouter.trace.PathReport.Figure;
import dev.substraterouter.trace.PathReport.Group;
import dev.substraterouter.trace.PathReport.Refusals;
import dev.substraterouter.trace.PathReport.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The pass of a {@link PathReport} over the traces. Not thread-safe. */
final class PathReading {
    final Split byPath = new Split();
    final Split bySubstrate = new Split();
    final Split byModel = new Split();
    final Split byWorkload = new Split();
    private final Count all = new Count();
    private long naming;
    private final Count unknown = new Count();
    private final Count others = new Count();
    private final Map<String, Count> workloads = new TreeMap<>();

    /** Counts a request, its attempts and what became known of it. */
    void add(RoutingTrace trace) {
        boolean refused = trace.refusal().isPresent();
        all.add(refused);
        naming += trace.namesSubstrate() ? 1 : 0;
        count(trace).add(refused);
        for (Attempt attempt : trace.attempts()) {
            tallies(trace, attempt).forEach(tally -> tally.attempt(attempt));
        }
        if (trace.served()) {
            trace.observation().ifPresent(observed(trace));
        }
    }

    /** Of all requests. */
    Optional<Refusals> refusals() {
        return all.refusals(Group.ALL, Optional.empty());
    }

    /** The share of all requests that named a substrate. */
    Optional<Figure> naming() {
        return Intervals.share(naming, all.requests);
    }

    /** By workload, in the order of their names, and those of no workload behind them. */
    List<Refusals> refusalsByWorkload() {
        return Stream.of(
                        workloads.entrySet().stream()
                                .map(entry -> entry.getValue().refusals(Group.WORKLOAD, Optional.of(entry.getKey()))),
                        Stream.of(others.refusals(Group.OTHER_WORKLOADS, Optional.empty())),
                        Stream.of(unknown.refusals(Group.UNKNOWN_WORKLOADS, Optional.empty())))
                .flatMap(Function.identity())
                .flatMap(Optional::stream)
                .toList();
    }

    private Count count(RoutingTrace trace) {
        // names that the policy does not have are made up by callers
        if (trace.refusal().filter(RefusalReason.UNKNOWN_WORKLOAD::equals).isPresent()) {
            return unknown;
        }
        Count known = workloads.get(trace.workload());
        if (known != null) {
            return known;
        }
        return workloads.size() < PathReport.MAX_KEYS
                ? workloads.computeIfAbsent(trace.workload(), any -> new Count())
                : others;
    }

    private Consumer<Observation> observed(RoutingTrace trace) {
        return observation -> trace.lastAttempt().stream()
                .flatMap(last -> tallies(trace, last))
                .forEach(tally -> tally.observed(observation));
    }

    private Stream<PathTally> tallies(RoutingTrace trace, Attempt attempt) {
        Optional<String> substrate = Optional.of(attempt.substrateId());
        return Stream.of(
                byPath.tally(key(Optional.empty(), Optional.of(attempt.path()))),
                bySubstrate.tally(key(substrate, Optional.empty(), Optional.empty())),
                byModel.tally(key(substrate, attempt.model(), attempt.version())),
                byWorkload.tally(key(Optional.of(trace.workload()), Optional.of(attempt.path()))));
    }

    private static PathReport.Key key(Optional<String> workload, Optional<ServingPath> path) {
        return new PathReport.Key(workload, path, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static PathReport.Key key(Optional<String> substrate, Optional<String> model, Optional<String> version) {
        return new PathReport.Key(Optional.empty(), Optional.empty(), substrate, model, version);
    }

    private static final class Count {
        private long requests;
        private long refused;

        void add(boolean isRefused) {
            requests++;
            refused += isRefused ? 1 : 0;
        }

        Optional<Refusals> refusals(Group group, Optional<String> workload) {
            return Intervals.share(refused, requests)
                    .map(share -> new Refusals(group, workload, requests, refused, share));
        }
    }

    /** The rows of one split while they are counted. */
    static final class Split {
        private final Map<PathReport.Key, PathTally> tallies = new HashMap<>();

        PathTally tally(PathReport.Key key) {
            PathTally known = tallies.get(key);
            if (known != null) {
                return known;
            }
            return tallies.computeIfAbsent(
                    tallies.size() < PathReport.MAX_KEYS ? key : PathReport.Key.OTHER, any -> new PathTally());
        }

        double[] costs(PathReport.Key key, PathReport.Aspect aspect) {
            PathTally tally = tallies.get(key);
            return tally == null ? new double[0] : tally.costs(aspect);
        }

        List<Row> rows() {
            return tallies.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey(PathReport.Key.ORDER))
                    .map(entry -> entry.getValue().row(entry.getKey()))
                    .toList();
        }
    }
}
