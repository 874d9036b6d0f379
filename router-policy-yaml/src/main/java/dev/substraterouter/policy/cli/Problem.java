package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.cli.text.SourceLines;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A problem of a file.
 *
 * @param file the file, as the caller named it
 * @param problem what is wrong
 * @param source its line with a caret below; empty when it has no place, or one that is not shown
 */
record Problem(Path file, PolicyProblem problem, Optional<String> source) {
    private static final String AUTH = "auth";

    /** What should be a status source may hold {@code auth} under any name. */
    private static final Pattern SOURCE = Pattern.compile("(?:.*\\.)?status(?:\\[\\d+])?", Pattern.DOTALL);

    /** In messages, what is not to be repeated. */
    private static final String HIDDEN = "***";

    /** The problems of a file. */
    static List<Problem> in(Path file, SourceLines lines, List<PolicyProblem> problems) {
        Set<Integer> hidden = problems.stream()
                .filter(Problem::tellsOfSecret)
                .map(PolicyProblem::line)
                .collect(Collectors.toSet());
        return problems.stream()
                .map(problem -> new Problem(
                        file,
                        problem,
                        hidden.contains(problem.line())
                                ? Optional.empty()
                                : lines.withCaret(problem.line(), problem.column())))
                .toList();
    }

    /** Whether a secret may stand where the problem is: then its line is not shown, whatever else is wrong with it. */
    private static boolean tellsOfSecret(PolicyProblem problem) {
        String path = problem.path();
        String parent = path.substring(0, Math.max(0, path.lastIndexOf('.')));
        return problem.code().equals("bad-address")
                || problem.message().contains(HIDDEN)
                || List.of(path.split("\\.", -1)).contains(AUTH)
                || SOURCE.matcher(path).matches()
                || (problem.code().equals("unknown-key")
                        && SOURCE.matcher(parent).matches());
    }

    /** Whether it is an error or a warning, in lower case. */
    String severity() {
        return problem.severity().name().toLowerCase(Locale.ROOT);
    }

    /** Whether its line and column are known. */
    boolean hasPlace() {
        return problem.line() > 0;
    }
}
