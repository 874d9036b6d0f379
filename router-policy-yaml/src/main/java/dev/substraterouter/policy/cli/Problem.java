package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.cli.text.SourceLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A problem of a file.
 *
 * @param file the file, as the caller named it
 * @param problem what is wrong
 * @param source its line with a caret below; empty when it has no place, or one that is not shown
 */
record Problem(Path file, PolicyProblem problem, Optional<String> source) {
    /** The problems of a file, which is read once more for their lines. */
    static List<Problem> in(Path file, List<PolicyProblem> problems) throws IOException {
        SourceLines lines = SourceLines.read(file);
        return problems.stream()
                .map(problem -> new Problem(file, problem, source(lines, problem)))
                .toList();
    }

    private static Optional<String> source(SourceLines lines, PolicyProblem problem) {
        boolean hidden = List.of(problem.path().split("\\.", -1)).contains("auth");
        return hidden ? Optional.empty() : lines.withCaret(problem.line(), problem.column());
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
