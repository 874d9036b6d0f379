package dev.substraterouter.policy.cli.traces;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.ServingPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a candidate stands in a policy.
 *
 * @param workload the workload
 * @param key under which key: route, pin or batch
 * @param index which entry of a route, from 0; 0 elsewhere
 * @param candidate the candidate
 */
record Spot(Workload workload, Key key, int index, Candidate candidate) {
    /** The keys that hold candidates. */
    enum Key {
        ROUTE,
        PIN,
        BATCH
    }

    /** All of a policy, in its order. */
    static List<Spot> of(Policy policy) {
        List<Spot> spots = new ArrayList<>();
        for (Workload workload : policy.workloads()) {
            List<Candidate> route = workload.route();
            for (int i = 0; i < route.size(); i++) {
                spots.add(new Spot(workload, Key.ROUTE, i, route.get(i)));
            }
            workload.pin().ifPresent(pin -> spots.add(new Spot(workload, Key.PIN, 0, pin)));
            workload.batch().ifPresent(batch -> spots.add(new Spot(workload, Key.BATCH, 0, batch)));
        }
        return List.copyOf(spots);
    }

    /** Whether it is what a request for a workload was placed on. */
    boolean served(String asked, Attempt attempt) {
        return workload.name().equals(asked)
                && candidate.on().equals(attempt.substrateId())
                && (key == Key.BATCH) == (attempt.path() == ServingPath.BATCH);
    }

    /** Whether what ran there is what it declares. */
    boolean declares(Attempt attempt) {
        return same(candidate.model(), attempt.model())
                && same(candidate.modelVersion(), attempt.version())
                && same(candidate.format(), attempt.format());
    }

    private static boolean same(Optional<String> declared, Optional<String> ran) {
        return declared.isEmpty() || ran.isEmpty() || declared.equals(ran);
    }

    boolean isFallback() {
        return key == Key.ROUTE && index > 0;
    }

    /** Its path in the policy. */
    String path() {
        return "workloads." + workload.name() + "." + word() + (key == Key.ROUTE ? "[" + index + "]" : "");
    }

    String word() {
        return switch (key) {
            case ROUTE -> "route";
            case PIN -> "pin";
            case BATCH -> "batch";
        };
    }
}
