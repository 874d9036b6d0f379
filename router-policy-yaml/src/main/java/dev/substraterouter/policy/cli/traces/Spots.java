package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.trace.Attempt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The candidates of a policy, to be found by what was placed. Immutable. */
final class Spots {
    private final List<Spot> all;
    private final Map<String, List<Spot>> byWorkload = new HashMap<>();

    Spots(Policy policy) {
        all = Spot.of(policy);
        policy.workloads().forEach(workload -> byWorkload.put(workload.name(), spots(workload.name())));
    }

    private List<Spot> spots(String workload) {
        return all.stream()
                .filter(spot -> spot.workload().name().equals(workload))
                .toList();
    }

    /** In the order of the policy. */
    List<Spot> all() {
        return all;
    }

    /** Those of a workload; none when the policy does not have it. */
    List<Spot> of(String workload) {
        return byWorkload.getOrDefault(workload, List.of());
    }

    /** What a request was placed on; empty when the policy does not have it. */
    Optional<Spot> served(String workload, Attempt attempt) {
        return of(workload).stream()
                .filter(spot -> spot.served(workload, attempt))
                .findFirst();
    }
}
