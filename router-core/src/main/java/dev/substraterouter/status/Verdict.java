package dev.substraterouter.status;

import java.util.Objects;

/**
 * What a predicate says of a status.
 *
 * @param passes whether work may go there
 * @param reason why not, with the numbers; empty when it passes
 */
public record Verdict(boolean passes, String reason) {
    private static final Verdict PASS = new Verdict(true, "");

    /** Checks that the reason is there. */
    public Verdict {
        Objects.requireNonNull(reason, "reason");
    }

    /** Work may go there. */
    public static Verdict pass() {
        return PASS;
    }

    /** Work may not go there, and why, for example {@code "gpu util 93 >= 70"}. */
    public static Verdict fail(String reason) {
        return new Verdict(false, reason);
    }
}
