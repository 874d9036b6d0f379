package dev.substraterouter.simulate.yaml;

import dev.substraterouter.policy.PolicyProblem;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A scenario cannot be used. Tells everything that is wrong with its file, not only the first thing. */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<PolicyProblem> problems;

    ScenarioException(String source, List<PolicyProblem> problems) {
        super(problems.stream()
                .map(PolicyProblem::toString)
                .collect(Collectors.joining(
                        "\n  ",
                        Objects.requireNonNull(source, "source") + " has " + problems.size()
                                + (problems.size() == 1 ? " problem" : " problems") + ":\n  ",
                        "")));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, in the order of the file, each with its path, line and column. */
    public List<PolicyProblem> problems() {
        return problems;
    }
}
