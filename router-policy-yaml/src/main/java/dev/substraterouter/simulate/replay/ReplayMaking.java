package dev.substraterouter.simulate.replay;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.Traffic;
import dev.substraterouter.simulate.replay.TraceReplay.Fallback;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes of what was recorded the parts of a scenario for a policy, and notes what differs. Not thread-safe. */
final class ReplayMaking {
    private static final int MOST_NAMED = 20;

    private final Policy policy;
    private final Tally tally;
    private final Fallback fallback;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, Long> unknown = new LinkedHashMap<>();
    private final List<String> guesses = new ArrayList<>();

    ReplayMaking(Policy policy, Tally tally, Fallback fallback) {
        this.policy = policy;
        this.tally = tally;
        this.fallback = fallback;
        tally.workloads()
                .forEach((workload, count) ->
                        (policy.workload(workload).isPresent() ? counts : unknown).put(workload, count));
        if (counts.isEmpty()) {
            throw new IllegalArgumentException(
                    "traces with no request for a workload of the policy (expected: at least one)");
        }
    }

    /** The workloads that are replayed. */
    Set<String> workloads() {
        return counts.keySet();
    }

    Traffic traffic(Arrivals arrivals, List<RequestClass> classes) {
        Traffic.Builder traffic = Traffic.builder(arrivals);
        counts.forEach(traffic::workload);
        classes.forEach(traffic::requestClass);
        return traffic.build();
    }

    /** Every substrate of the policy with the times of what may run there. */
    List<NodeModel> nodes() {
        return policy.substrates().stream().map(this::node).toList();
    }

    List<String> notes(long skippedLines) {
        List<String> notes = new ArrayList<>();
        note(tally.needs(), "requests for a need without a workload left out", notes);
        note(tally.unnamed(), "requests left out, as there are too many workloads", notes);
        note(
                unknown.values().stream().mapToLong(Long::longValue).sum(),
                "requests left out for workloads that the policy does not know: " + named(unknown.keySet()),
                notes);
        note(tally.clients().merged(), "requests from one client too many are counted to others of their role", notes);
        note(tally.untimed(), "works whose time is not kept: it is 0, or there are too many kinds", notes);
        note(skippedLines, "lines of the traces could not be read", notes);
        notes.addAll(guesses);
        return notes;
    }

    private static void note(long count, String what, List<String> notes) {
        if (count > 0) {
            notes.add(count + " " + what);
        }
    }

    private static String named(Set<String> names) {
        String some = new TreeSet<>(names).stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMED ? some + " and " + (names.size() - MOST_NAMED) + " more" : some;
    }

    private NodeModel node(Substrate substrate) {
        NodeModel.Builder node = NodeModel.builder(substrate.id());
        for (String name : counts.keySet()) {
            Workload workload = policy.workload(name).orElseThrow();
            List<Candidate> candidates = Stream.concat(workload.candidates().stream(), workload.batch().stream())
                    .toList();
            Optional<Candidate> here = candidates.stream()
                    .filter(candidate -> candidate.on().equals(substrate.id()))
                    .findFirst();
            if (here.isPresent() || workload.candidates().isEmpty()) {
                time(name, substrate.id(), here).ifPresent(time -> node.serves(name, time));
            }
        }
        return node.build();
    }

    private Optional<ServiceTime> time(String workload, String substrate, Optional<Candidate> candidate) {
        Optional<ServiceTime> seen = tally.times(workload, substrate).map(Sampled::time);
        return seen.or(() -> guess("the caller's rule", fallback.time(workload, substrate), workload, substrate))
                .or(() -> guess(
                        "the candidate's expected latency",
                        candidate.flatMap(Candidate::expectedLatency).map(ServiceTime::fixed),
                        workload,
                        substrate))
                .or(() -> guess("the times it took elsewhere", elsewhere(workload), workload, substrate))
                .or(() -> {
                    guessed("not known how long it takes", workload, substrate);
                    return Optional.empty();
                });
    }

    private Optional<ServiceTime> guess(String by, Optional<ServiceTime> time, String workload, String substrate) {
        time.ifPresent(known -> guessed("it takes as long as by " + by, workload, substrate));
        return time;
    }

    private void guessed(String how, String workload, String substrate) {
        guesses.add("'" + workload + "' was never done on '" + substrate + "': " + how);
    }

    private Optional<ServiceTime> elsewhere(String workload) {
        List<ServiceTime.Empirical> all = tally.times(workload).values().stream()
                .map(sample -> (ServiceTime.Empirical) sample.time())
                .toList();
        List<Double> pooled =
                all.stream().flatMap(one -> one.observed().stream()).sorted().toList();
        return pooled.isEmpty() ? Optional.empty() : Optional.of(new ServiceTime.Empirical(pooled));
    }
}
