package dev.substraterouter.examples.whatif;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Schedule;
import java.util.List;

/** Machines that are down throughout. */
final class Outage {
    private Outage() {}

    /**
     * A scenario with some machines down from begin to end.
     *
     * @throws IllegalArgumentException if the policy has no such machine
     */
    static Scenario of(Policy policy, Scenario scenario, List<String> substrates) {
        if (substrates.isEmpty()) {
            return scenario;
        }
        List<String> known = policy.substrates().stream().map(Substrate::id).toList();
        Scenario.Builder disturbed = scenario.toBuilder();
        for (String substrate : substrates) {
            if (!known.contains(substrate)) {
                throw new IllegalArgumentException("'" + substrate + "' (expected: one of " + known + ")");
            }
            disturbed.fault(Fault.of(Fault.Kind.CRASH, substrate, Schedule.always()));
        }
        return disturbed.build();
    }
}
