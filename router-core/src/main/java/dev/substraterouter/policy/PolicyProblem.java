package dev.substraterouter.policy;

import java.util.Objects;

/**
 * One thing that is wrong with a policy.
 *
 * @param code a stable code, for example {@code out-of-range}
 * @param path where in the policy, for example {@code substrates.legion.max_concurrent_jobs}
 * @param line the line in the file, from 1; 0 when the policy did not come from a file
 * @param column the column in the line, from 1; 0 when the policy did not come from a file
 * @param message the key, the value, and what was expected
 */
public record PolicyProblem(String code, String path, int line, int column, String message) {
    /** Checks that nothing is null. */
    public PolicyProblem {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(message, "message");
    }

    /** A problem of a policy that did not come from a file. */
    public static PolicyProblem of(String code, String path, String message) {
        return new PolicyProblem(code, path, 0, 0, message);
    }

    /** The same problem at a place in a file. */
    public PolicyProblem at(int newLine, int newColumn) {
        return new PolicyProblem(code, path, newLine, newColumn, message);
    }

    @Override
    public String toString() {
        return (line > 0 ? line + ":" + column + " " : "") + (path.isEmpty() ? "" : path + ": ") + message + " [" + code
                + "]";
    }
}
