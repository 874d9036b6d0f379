package dev.substraterouter.metrics;

import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What is counted under one policy, by its names. Immutable; what it holds is shared with the books before and after, as far as they have
 * the same names.
 *
 * @param names the policy's names
 * @param workloads by name, and what goes by no name of the policy
 */
record Book(Names names, Map<String, WorkloadMeters> workloads) {
    Book {
        workloads = new HashMap<>(workloads); // of which a look-up costs a mask, not a division; never written again
    }

    /** The book of a policy, with what an earlier one has of the same names; null: none. */
    static Book of(Names names, Map<String, WorkloadMeters> known, Tags common, Tagged.Newcomers newcomers) {
        Map<String, WorkloadMeters> workloads = new HashMap<>();
        for (String name : names.workloads()) {
            workloads.put(name, kept(name, known, common, newcomers));
        }
        workloads.put(Names.OTHER, kept(Names.OTHER, known, common, newcomers));
        return new Book(names, workloads);
    }

    private static WorkloadMeters kept(
            String name, Map<String, WorkloadMeters> known, Tags common, Tagged.Newcomers newcomers) {
        WorkloadMeters before = known.get(name);
        return before != null ? before : new WorkloadMeters(name, common, newcomers);
    }

    WorkloadMeters workload(String name) {
        WorkloadMeters known = workloads.get(name);
        return known != null ? known : other();
    }

    private WorkloadMeters other() {
        WorkloadMeters other = workloads.get(Names.OTHER);
        if (other == null) {
            throw new IllegalStateException("no place for names that the policy does not have");
        }
        return other;
    }

    /** Whether a figure belongs in it. */
    @SuppressWarnings("ReferenceEquality") // a workload that was gone meanwhile is another
    boolean holds(Tagged entry) {
        return workloads.get(entry.owner.workload()) == entry.owner && entry.namedBy(names);
    }

    Collection<WorkloadMeters> all() {
        return workloads.values();
    }
}
