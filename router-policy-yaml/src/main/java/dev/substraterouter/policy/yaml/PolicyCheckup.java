package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What became known of a text that should be a policy: the policy, if it can be used, and everything that is wrong or doubtful. Immutable.
 *
 * @param policy the policy; empty exactly when there is an error
 * @param problems all errors and warnings with their places, in the order of the file. Warnings are looked for only in a policy that is
 *     formally right
 */
public record PolicyCheckup(Optional<Policy> policy, List<PolicyProblem> problems) {
    /**
     * Checks that there is either a policy or an error.
     *
     * @throws IllegalArgumentException if there are both or neither
     */
    public PolicyCheckup {
        Objects.requireNonNull(policy, "policy");
        problems = List.copyOf(problems);
        if (policy.isPresent() == problems.stream().anyMatch(PolicyProblem::isError)) {
            throw new IllegalArgumentException("policy: " + (policy.isPresent() ? "present" : "absent") + ", problems: "
                    + problems + " (expected: a policy or an error)");
        }
    }

    /** What keeps the policy from being used, in the order of the file; empty: nothing. */
    public List<PolicyProblem> errors() {
        return problems.stream().filter(PolicyProblem::isError).toList();
    }

    /** What is most probably not meant, in the order of the file; empty: nothing. */
    public List<PolicyProblem> warnings() {
        return problems.stream().filter(problem -> !problem.isError()).toList();
    }

    /**
     * The policy.
     *
     * @param source what the message calls it, for example the name of its file
     * @throws PolicyException with all errors, if there are any
     */
    public Policy orThrow(String source) {
        return policy.orElseThrow(() -> new PolicyException(source, errors()));
    }
}
