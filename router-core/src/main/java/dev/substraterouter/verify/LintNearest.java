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

    /** How many letters have to be put in, left out or changed, or neighbours swapped, to make one word of the other. */
    private static int distance(String one, String other) {
        int[][] changes = new int[one.length() + 1][other.length() + 1];
        for (int row = 0; row <= one.length(); row++) {
            for (int column = 0; column <= other.length(); column++) {
                changes[row][column] = row == 0 || column == 0 ? row + column : least(changes, one, other, row, column);
            }
        }
        return changes[one.length()][other.length()];
    }

    private static int least(int[][] changes, String one, String other, int row, int column) {
        char here = one.charAt(row - 1);
        char there = other.charAt(column - 1);
        int changed = changes[row - 1][column - 1] + (here == there ? 0 : 1);
        int least = Math.min(changed, 1 + Math.min(changes[row - 1][column], changes[row][column - 1]));
        boolean swapped = row > 1 && column > 1 && here == other.charAt(column - 2) && there == one.charAt(row - 2);
        return swapped ? Math.min(least, 1 + changes[row - 2][column - 2]) : least;
    }
}
