package dev.substraterouter.policy;

import java.util.List;
import java.util.stream.Collectors;

/** A policy cannot be used. Tells everything that is wrong with it, not only the first thing. */
public final class PolicyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<PolicyProblem> problems;

    /**
     * With all that is wrong.
     *
     * @throws IllegalArgumentException if nothing is
     */
    public PolicyException(List<PolicyProblem> problems) {
        this("the policy", problems);
    }

    /**
     * With all that is wrong with a policy from a known place.
     *
     * @param source what the message calls the policy, for example the name of its file
     * @param problems all that is wrong
     * @throws IllegalArgumentException if nothing is
     */
    public PolicyException(String source, List<PolicyProblem> problems) {
        super(message(source, problems));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, in the order of the policy. */
    public List<PolicyProblem> problems() {
        return problems;
    }

    private static String message(String source, List<PolicyProblem> problems) {
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("problems: none (expected: at least one)");
        }
        return problems.stream()
                .map(PolicyProblem::toString)
                .collect(Collectors.joining(
                        "\n  ",
                        source + " has " + problems.size() + (problems.size() == 1 ? " problem" : " problems")
                                + ":\n  ",
                        ""));
    }
}
