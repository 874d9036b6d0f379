package dev.substraterouter.verify;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses which known name was meant by an unknown one. */
final class LintNearest {
    private static final int LONGEST = 40;
    private static final int MOST_WORDS = 1_000;
    private static final int MOST_CHANGES = 3;

    private LintNearest() {}

    private record Near(String word, int distance) {}

    /** The nearest of some names, if it is near: at most a third of its letters, and no more than three, are other. */
    static Optional<String> to(String unknown, Collection<String> known) {
        return known.stream()
                .limit(MOST_WORDS)
                .filter(word -> word.length() <= LONGEST && Math.abs(word.length() - unknown.length()) <= MOST_CHANGES)
                .map(word -> new Near(word, distance(unknown, word)))
                .filter(near -> near.distance <= Math.min(MOST_CHANGES, near.word.length() / 3))
                .min(Comparator.comparingInt(Near::distance).thenComparing(Near::word))
                .map(Near::word);
    }

    /** How many letters have to be put in, left out or changed to make one word of the other (Levenshtein). */
    private static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int column = 0; column < above.length; column++) {
            above[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] here = new int[above.length];
            here[0] = row;
            for (int column = 1; column < here.length; column++) {
                int changed = above[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(changed, 1 + Math.min(above[column], here[column - 1]));
            }
            above = here;
        }
        return above[other.length()];
    }
}
