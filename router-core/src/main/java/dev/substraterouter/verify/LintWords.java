package dev.substraterouter.verify;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** Values as a policy file writes them. */
final class LintWords {
    private static final int MOST_TOLD = 10;
    private static final double MANY = 1e15;

    private LintWords() {}

    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < MANY
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    static String duration(Duration value) {
        return value.equals(value.truncatedTo(ChronoUnit.SECONDS)) ? value.toSeconds() + "s" : value.toMillis() + "ms";
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The first of some names. */
    static String some(List<String> names) {
        return some(names, names.size(), ", ");
    }

    /** The first of so many texts: with thousands of substrates a message must stay one that can be read. */
    static String some(List<String> texts, int count, String between) {
        String first = String.join(between, texts.subList(0, Math.min(MOST_TOLD, texts.size())));
        return count > MOST_TOLD ? first + between + "... (" + count + ")" : first;
    }
}
