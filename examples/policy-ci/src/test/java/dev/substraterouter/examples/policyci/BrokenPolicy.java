package dev.substraterouter.examples.policyci;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The same for {@code broken-policy.yaml}. Not called a test, so that only {@link BrokenPolicyTest} runs it. */
class BrokenPolicy implements PolicyContract {
    @Override
    public Policy policy() throws IOException {
        return YamlPolicy.load(Path.of("broken-policy.yaml"));
    }

    @Override
    public List<PolicyRule> rules() {
        return HouseRules.ALL;
    }
}
