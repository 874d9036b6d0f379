package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import java.time.DateTimeException;
import java.util.Objects;

/**
 * One thing that a sentence asks for, and the words that say so. Immutable and thread-safe.
 *
 * @param kind what it is about
 * @param value what is asked for, written as {@link ClauseKind} says
 * @param words the words it came from, as they stand in the sentence
 * @param start where the words begin in the sentence, in {@code char}s
 * @param end where the words end, exclusive
 */
public record Clause(ClauseKind kind, String value, String words, int start, int end) {

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if the value is not one of the kind, or the words are not as long as their place
     */
    public Clause {
        Objects.requireNonNull(kind, "kind");
        if (start < 0 || end <= start || words.length() != end - start) {
            throw new IllegalArgumentException("clause: " + start + " to " + end + " for " + words.length()
                    + " characters (expected: the place of the words)");
        }
        check(kind, value);
    }

    /**
     * A clause whose words stand from {@code start} to {@code end} in the sentence.
     *
     * @throws IllegalArgumentException if they do not, or the value is not one of the kind
     */
    public static Clause of(ClauseKind kind, String value, String sentence, int start, int end) {
        if (start < 0 || end <= start || end > sentence.length()) {
            throw new IllegalArgumentException("clause: " + start + " to " + end + " (expected: within the "
                    + sentence.length() + " characters of the sentence)");
        }
        return new Clause(kind, value, sentence.substring(start, end), start, end);
    }

    /** The kind, the value and the words. */
    @Override
    public String toString() {
        return kind.label() + ' ' + value + " (\"" + words + "\")";
    }

    private static void check(ClauseKind kind, String value) {
        try {
            kind.apply(Need.builder(), value);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(kind.label() + ": '" + value + "' is not a value of this kind", e);
        }
    }
}
