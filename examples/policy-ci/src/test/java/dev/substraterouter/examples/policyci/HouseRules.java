package dev.substraterouter.examples.policyci;

import dev.substraterouter.verify.PolicyRule;
import java.util.List;

/** What must hold of our policy whoever edits it next. */
final class HouseRules {
    static final List<PolicyRule> ALL = List.of(
            PolicyRule.workload("flux-fill").never("mirrorforge").whileFree("legion"),
            PolicyRule.role("agent").never("thundercompute"));

    private HouseRules() {}
}
