package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.util.List;

/** The policy of the clinic, in which faults are planted, keeps the contract while there are none. */
class ClinicContractTest implements PolicyContract {
    private static final Policy POLICY = YamlPolicy.parse(GoodPolicy.CLINIC.text());

    @Override
    public Policy policy() {
        return POLICY;
    }

    @Override
    public List<PolicyRule> rules() {
        return List.of(GoodPolicy.CLINIC.rules());
    }
}
