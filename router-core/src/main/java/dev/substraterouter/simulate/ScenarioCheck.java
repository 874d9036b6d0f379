package dev.substraterouter.simulate;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether a scenario can be run with a policy. */
final class ScenarioCheck {
    private ScenarioCheck() {}

    static void check(Policy policy, Scenario scenario) {
        List<String> problems = new ArrayList<>();
        Set<String> known = new LinkedHashSet<>();
        policy.substrates().forEach(substrate -> known.add(substrate.id()));
        known.addAll(scenario.nodes().keySet());
        for (Fault fault : scenario.faults()) {
            if (!known.contains(fault.substrate())) {
                problems.add("a fault of substrate '" + fault.substrate() + "' (expected: one of " + known + ")");
            }
        }
        Set<String> asked = new LinkedHashSet<>();
        scenario.traffic().forEach(one -> one.workloads().forEach(share -> asked.add(share.workload())));
        List<String> workloads = policy.workloads().stream().map(Workload::name).toList();
        for (String name : asked) {
            Workload workload = policy.workload(name).orElse(null);
            if (workload == null) {
                problems.add("traffic for workload '" + name + "' (expected: one of " + workloads + ")");
                continue;
            }
            for (String substrate : places(policy, workload)) {
                NodeModel model = scenario.nodes()
                        .getOrDefault(substrate, NodeModel.builder(substrate).build());
                if (!new NodeFacts(model, policy, scenario).serves(name)) {
                    problems.add("how long '" + name + "' takes on '" + substrate
                            + "' is not known (expected: work of the workload, a time on the node,"
                            + " or the candidate's expected latency)");
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("scenario '" + scenario.name() + "': " + String.join("; ", problems));
        }
    }

    /** Where a workload may be placed. */
    private static List<String> places(Policy policy, Workload workload) {
        List<Candidate> candidates = new ArrayList<>(workload.candidates());
        if (candidates.isEmpty()) {
            return policy.substrates().stream().map(Substrate::id).toList();
        }
        workload.batch().ifPresent(candidates::add);
        return candidates.stream().map(Candidate::on).distinct().toList();
    }
}
