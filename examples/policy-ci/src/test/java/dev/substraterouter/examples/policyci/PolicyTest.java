package dev.substraterouter.examples.policyci;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** Proves {@code policy.yaml}: by what every policy must keep, and by our own rules. */
class PolicyTest implements PolicyContract {
    private static final Policy POLICY = load("policy.yaml");

    @Override
    public Policy policy() {
        return POLICY;
    }

    @Override
    public List<PolicyRule> rules() {
        return HouseRules.ALL;
    }

    static Policy load(String file) {
        try {
            return YamlPolicy.load(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
