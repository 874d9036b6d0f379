package dev.substraterouter.metrics;

import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a policy names: only that may become a tag, since callers can make up anything else. Immutable.
 *
 * @param workloads its workloads, and what stands for a need without one
 * @param substrates its substrates
 * @param models the models that its candidates declare
 */
record Names(Set<String> workloads, Set<String> substrates, Set<String> models) {
    /** What stands for a name that the policy does not have. */
    static final String OTHER = "other";
    /** What stands where there is nothing to name. */
    static final String NONE = "none";

    static Names of(Policy policy) {
        Set<String> workloads = new HashSet<>();
        workloads.add(RouteRequest.AD_HOC);
        Set<String> models = new HashSet<>();
        for (Workload workload : policy.workloads()) {
            workloads.add(workload.name());
            Stream.concat(workload.candidates().stream(), workload.batch().stream())
                    .map(Candidate::model)
                    .forEach(model -> model.ifPresent(models::add));
        }
        Set<String> substrates =
                policy.substrates().stream().map(Substrate::id).collect(Collectors.toUnmodifiableSet());
        return new Names(Set.copyOf(workloads), substrates, Set.copyOf(models));
    }

    /** The tag for a substrate. */
    String substrate(String id) {
        return substrates.contains(id) ? id : OTHER;
    }

    /** The tag for a model. */
    String model(String name) {
        return models.contains(name) ? name : OTHER;
    }

    boolean hasSubstrate(String name) {
        return name.equals(OTHER) || name.equals(NONE) || substrates.contains(name);
    }

    boolean hasModel(String name) {
        return name.equals(OTHER) || name.equals(NONE) || models.contains(name);
    }
}
