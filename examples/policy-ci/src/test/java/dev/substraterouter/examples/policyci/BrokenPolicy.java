package dev.substraterouter.examples.policyci;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.util.List;

/** The same for {@code broken-policy.yaml}. Not called a test, so that only {@link BrokenPolicyTest} runs it. */
class BrokenPolicy implements PolicyContract {
    private static final Policy POLICY = PolicyTest.load("broken-policy.yaml");

    @Override
    public Policy policy() {
        return POLICY;
    }

    @Override
    public List<PolicyRule> rules() {
        return HouseRules.ALL;
    }
}
