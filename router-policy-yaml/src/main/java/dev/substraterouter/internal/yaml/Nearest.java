package dev.substraterouter.internal.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Guesses which known word was meant by an unknown one. */
final class Nearest {
    private static final int LONGEST = 40;
    private static final Pattern CAPITAL_WITHIN = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private Nearest() {}

    /** The nearest of some words, if it is near: at most a third of its letters, and no more than three, are other. */
    static Optional<String> to(String unknown, Collection<String> known) {
        if (unknown.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = plain(unknown);
        return known.stream()
                .filter(word -> distance(plain, word) <= Math.min(3, word.length() / 3))
                .min(Comparator.comparingInt(word -> distance(plain, word)));
    }

    /** Capitals, hyphens and spaces are no difference that matters. */
    private static String plain(String word) {
        return CAPITAL_WITHIN
                .matcher(word)
                .replaceAll("_")
                .toLowerCase(Locale.ROOT)
                .replace('-', '_')
                .replace(' ', '_');
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
