package dev.substraterouter.examples.policyci;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Proves {@code policy.yaml}: by what every policy must keep, and by our own rules. */
class PolicyTest implements PolicyContract {
    @Override
    public Policy policy() throws IOException {
        return YamlPolicy.load(Path.of("policy.yaml"));
    }

    @Override
    public List<PolicyRule> rules() {
        return HouseRules.ALL;
    }
}
