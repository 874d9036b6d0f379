package dev.substraterouter.verify;

import dev.substraterouter.policy.PolicyProblem;
import java.util.ArrayList;
import java.util.List;

/** Collects what is found. Not thread-safe: one for each run. */
final class LintReport {
    private final List<PolicyProblem> problems = new ArrayList<>();

    /**
     * Adds a problem of the form {@code key: value (expected: ...)}.
     *
     * @param path where it is, the last part the key or not
     * @param found the key and its value
     * @param expected what was expected
     */
    void add(LintCode code, String path, String found, String expected) {
        problems.add(code.at(path, found + " (expected: " + expected + ")"));
    }

    List<PolicyProblem> problems() {
        return List.copyOf(problems);
    }
}
