package dev.substraterouter.simulate.replay;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.simulate.RandomStream;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What one reading of the traces leaves in memory. Not thread-safe while it is filled. */
final class Tally {
    /** How many workloads may be named, since callers may name any. */
    private static final int MOST_WORKLOADS = 10_000;
    /** How many pairs of a workload and a substrate have their times kept. */
    private static final int MOST_PAIRS = 1_000;
    /** The first random stream of the samples; the scenario's own are far below. */
    private static final long FIRST_STREAM = 1_000_000_000L;

    private static final Duration LONGEST = Duration.ofDays(3650);

    private final long seed;
    private final Map<String, Long> workloads = new LinkedHashMap<>();
    private final Map<String, Map<String, Sampled>> times = new LinkedHashMap<>();
    private final Clients clients = new Clients();
    private int pairs;
    private long requests;
    private long needs;
    private long unnamed;
    private long untimed;

    Tally(long seed) {
        this.seed = seed;
    }

    void add(RoutingTrace trace) {
        if (trace.workload().equals(RouteRequest.AD_HOC)) {
            needs++;
        } else if (workloads.size() >= MOST_WORKLOADS && !workloads.containsKey(trace.workload())) {
            unnamed++;
        } else {
            requests++;
            workloads.merge(trace.workload(), 1L, Long::sum);
            clients.count(trace);
            trace.attempts().forEach(attempt -> time(trace.workload(), attempt));
        }
    }

    /** How many requests each workload had, in the order in which they come first. */
    Map<String, Long> workloads() {
        return workloads;
    }

    Clients clients() {
        return clients;
    }

    /** How many requests are replayed. */
    long requests() {
        return requests;
    }

    /** How many requests named no workload. */
    long needs() {
        return needs;
    }

    /** How many requests named a workload too many. */
    long unnamed() {
        return unnamed;
    }

    /** How many works were done whose time could not be kept. */
    long untimed() {
        return untimed;
    }

    /** The times of a workload on a substrate, if there are any. */
    Optional<Sampled> times(String workload, String substrate) {
        return Optional.ofNullable(times(workload).get(substrate));
    }

    /** The times of a workload by substrate. */
    Map<String, Sampled> times(String workload) {
        return times.getOrDefault(workload, Map.of());
    }

    private void time(String workload, Attempt attempt) {
        Optional<Duration> latency = attempt.latency().filter(Tally::canBeSimulated);
        if (attempt.outcome() != Outcome.SUCCEEDED) {
            return;
        }
        Map<String, Sampled> known = times.computeIfAbsent(workload, name -> new LinkedHashMap<>());
        if (latency.isEmpty() || (pairs >= MOST_PAIRS && !known.containsKey(attempt.substrateId()))) {
            untimed++;
            return;
        }
        known.computeIfAbsent(attempt.substrateId(), id -> new Sampled(RandomStream.of(seed, FIRST_STREAM + pairs++)))
                .add(latency.get());
    }

    private static boolean canBeSimulated(Duration latency) {
        return !latency.isZero() && !latency.isNegative() && latency.compareTo(LONGEST) <= 0;
    }
}
