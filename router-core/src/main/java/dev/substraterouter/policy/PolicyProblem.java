package dev.substraterouter.policy;

import java.util.Objects;

/**
 * One thing that is wrong with a policy, or doubtful.
 *
 * @param severity whether the policy can be used all the same
 * @param code a stable code, for example {@code out-of-range}
 * @param path where in the policy, for example {@code substrates.legion.max_concurrent_jobs}
 * @param line the line in the file, from 1; 0 when the policy did not come from a file
 * @param column the column in the line, from 1; 0 when the policy did not come from a file
 * @param message the key, the value, and what was expected
 */
public record PolicyProblem(Severity severity, String code, String path, int line, int column, String message) {
    /** Whether a policy with a problem can be used. */
    public enum Severity {
        /** It cannot. */
        ERROR,
        /** It can, but most probably something else was meant. */
        WARNING
    }

    /** Checks that nothing is null. */
    public PolicyProblem {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(message, "message");
    }

    /** An error at a place in a file. */
    public PolicyProblem(String code, String path, int line, int column, String message) {
        this(Severity.ERROR, code, path, line, column, message);
    }

    /** An error in a policy that did not come from a file. */
    public static PolicyProblem of(String code, String path, String message) {
        return new PolicyProblem(Severity.ERROR, code, path, 0, 0, message);
    }

    /** A warning about a policy that did not come from a file. */
    public static PolicyProblem warning(String code, String path, String message) {
        return new PolicyProblem(Severity.WARNING, code, path, 0, 0, message);
    }

    /** Whether a policy with this problem cannot be used. */
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** The same problem at a place in a file. */
    public PolicyProblem at(int newLine, int newColumn) {
        return new PolicyProblem(severity, code, path, newLine, newColumn, message);
    }

    @Override
    public String toString() {
        return (line > 0 ? line + ":" + column + " " : "") + (isError() ? "" : "warning: ")
                + (path.isEmpty() ? "" : path + ": ") + message + " [" + code + "]";
    }
}
