package dev.substraterouter.trace;

import java.util.Objects;

/**
 * One reason with its numbers.
 *
 * @param reason the code
 * @param text the reason in words, for example {@code "gpu util 93 >= 70"}
 */
public record Finding(Reason reason, String text) {
    /** Checks that nothing is null. */
    public Finding {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(text, "text");
    }

    @Override
    public String toString() {
        return text;
    }
}
