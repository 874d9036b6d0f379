package dev.substraterouter.internal.plan;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import java.util.List;

/**
 * Finds what a policy declares but this version does not enforce yet. A router refuses such a policy as a whole, so that no work can slip
 * past a rule that its author believes in.
 */
public final class Unenforced {
    private Unenforced() {}

    /** What is declared and not enforced; empty: the policy can be used. */
    public static List<PolicyProblem> in(Policy policy) {
        return policy.network().isEmpty()
                ? List.of()
                : List.of(PolicyProblem.of(
                        "not-enforced",
                        "network",
                        "network: declared is not enforced by this version yet (expected: absent)"));
    }
}
