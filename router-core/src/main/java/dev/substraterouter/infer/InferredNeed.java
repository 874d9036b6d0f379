package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was understood of a sentence, and what was not. Immutable and thread-safe.
 *
 * @param need the need: the explicit values, and what was inferred where nothing was explicit
 * @param clauses every clause read, in the order of the sentence, those a stricter one outdid included, those that an
 *     explicit value overrode left out
 * @param overridden the clauses in whose place an explicit value stands
 * @param notUnderstood the words that mean something and became no clause, as written, in the order of the sentence; among
 *     them whatever a need cannot say: a prohibition ("not on CUDA"), a wish ("ideally NVLink"), a condition
 * @param contradictions what excludes each other or says more than one thing, and how it was decided, in words
 * @param priority how urgent it is; empty: nothing was said, or both
 * @param mode whether somebody waits; empty: nothing was said, or both
 */
public record InferredNeed(
        Need need,
        List<Clause> clauses,
        List<Clause> overridden,
        List<String> notUnderstood,
        List<String> contradictions,
        Optional<Priority> priority,
        Optional<PlacementMode> mode) {

    /** Copies the lists. */
    public InferredNeed {
        clauses = List.copyOf(clauses);
        overridden = List.copyOf(overridden);
        notUnderstood = List.copyOf(notUnderstood);
        contradictions = List.copyOf(contradictions);
    }

    /** Whether every word that means something was understood, and nothing contradicts. */
    public boolean isClear() {
        return notUnderstood.isEmpty() && contradictions.isEmpty();
    }

    /** The need, each clause with its words, what was overridden, not understood and contradictory: a line each. */
    public String explain() {
        List<String> lines = new ArrayList<>();
        lines.add(need.toString());
        clauses.forEach(clause -> lines.add("  " + clause));
        overridden.forEach(clause -> lines.add("  overridden by an explicit value: " + clause));
        notUnderstood.forEach(words -> lines.add("  not understood: \"" + words + '"'));
        contradictions.forEach(what -> lines.add("  contradiction: " + what));
        return String.join("\n", lines);
    }
}
