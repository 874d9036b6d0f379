package dev.substraterouter.infer;

import java.util.List;

/**
 * Finds clauses in a sentence: how a host adds the words of its own trade. A rule must be thread-safe and must answer the
 * same for the same sentence; what it throws reaches the caller of {@link NeedInference#infer(String)}.
 *
 * <p>Rules of the host read before the standard ones, in the order they were added, and keep the words they take: no
 * later rule reads them again. A capability, codebase or server that the sentence denies ("not on the big box") is not
 * required, whichever rule found it; a rule that means the denial itself takes the denying word into its clause.
 */
@FunctionalInterface
public interface InferenceRule {

    /** The clauses found, with their places in the sentence; empty: none. */
    List<Clause> read(String sentence);

    /**
     * A rule for every place where the words occur in this order, whatever their case, with spaces, {@code -} or {@code _}
     * between them.
     *
     * @throws IllegalArgumentException if there is no word, or the value is not one of the kind
     */
    static InferenceRule phrase(String words, ClauseKind kind, String value) {
        return new PhraseRule(words, kind, value);
    }
}
