package dev.substraterouter.examples.whatif;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.simulate.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Machines that only the policy or only the scenario speaks of: perhaps meant so, perhaps a typing error. */
final class Strangers {
    private Strangers() {}

    /** What to tell of them; nothing where the scenario describes no machine at all. */
    static List<String> notes(Policy policy, Scenario scenario) {
        List<String> notes = new ArrayList<>();
        if (scenario.nodes().isEmpty()) {
            return notes;
        }
        List<String> known = policy.substrates().stream().map(Substrate::id).toList();
        for (String node : new TreeSet<>(scenario.nodes().keySet())) {
            if (!known.contains(node)) {
                notes.add("The scenario's " + node + " plays no part: the policy has no such machine, only " + known
                        + ".");
            }
        }
        for (String substrate : known) {
            if (!scenario.nodes().containsKey(substrate)) {
                notes.add("The scenario does not describe the policy's " + substrate
                        + ": it has speed 1 and nothing disturbs it.");
            }
        }
        return notes;
    }
}
