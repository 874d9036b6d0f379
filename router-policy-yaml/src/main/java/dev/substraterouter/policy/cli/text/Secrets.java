package dev.substraterouter.policy.cli.text;

import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.internal.yaml.Node.Entry;
import dev.substraterouter.internal.yaml.Node.Mapping;
import dev.substraterouter.internal.yaml.Node.Scalar;
import dev.substraterouter.internal.yaml.Node.Sequence;
import dev.substraterouter.internal.yaml.TreeReader;
import dev.substraterouter.policy.PolicyException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Which lines of a policy may hold what stands under {@code auth}: a token that was put where its name belongs. In doubt a line does.
 *
 * <p>Two ways, since a file with a problem is often no YAML: by the text, from a line with the word, or one of its keys, until brackets are closed and the
 * indentation has returned; and, where it can be parsed, by the values themselves, which an alias may have put elsewhere.
 */
final class Secrets {
    private static final String KEY = "auth";

    /** What its own keys have in common: it may be misspelt itself. */
    private static final String INNER = "token";

    /** Shorter values than this are in many lines by chance. */
    private static final int LEAST = 4;

    /** Nobody has more; to look for each in every line would take its time. */
    private static final int MOST = 1_000;

    private final BitSet lines = new BitSet();

    private Secrets() {}

    static Secrets of(String text, String[] lines) {
        Secrets secrets = new Secrets();
        if (isNamed(text) || text.contains("\\")) { // the word may be written in escapes
            secrets.byText(lines);
            secrets.byValues(values(text), lines);
        }
        return secrets;
    }

    /** Whether a line, counted from 1, may hold one. */
    boolean mayHold(int line) {
        return lines.get(line - 1);
    }

    private static boolean isNamed(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.contains(KEY) || lower.contains(INNER);
    }

    private void byText(String[] all) {
        int open = 0;
        int within = -1;
        for (int i = 0; i < all.length; i++) {
            boolean ended = open == 0 && !all[i].isBlank() && indentation(all[i]) <= within;
            within = ended ? -1 : within;
            if (within < 0 && isNamed(all[i])) {
                within = indentation(all[i]);
            }
            lines.set(i, within >= 0);
            open = Math.max(0, open + brackets(all[i]));
        }
    }

    private static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    private static int brackets(String line) {
        return line.chars()
                .map(c -> c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0)
                .sum();
    }

    private void byValues(Set<String> values, String[] all) {
        if (values.size() > MOST) {
            lines.set(0, all.length);
            return;
        }
        for (int i = 0; i < all.length; i++) {
            if (values.stream().anyMatch(all[i]::contains)) {
                lines.set(i);
            }
        }
    }

    private static Set<String> values(String text) {
        Set<String> values = new HashSet<>();
        try {
            collect(TreeReader.read(text, KEY), false, values);
        } catch (PolicyException e) {
            return Set.of(); // no YAML: the text alone decides
        }
        return values;
    }

    /** Recurses as deep as the reader lets a file nest. */
    private static void collect(Node node, boolean under, Set<String> values) {
        if (node instanceof Scalar scalar && under) {
            scalar.content()
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.length() >= LEAST)
                    .forEach(values::add);
        } else if (node instanceof Sequence sequence) {
            sequence.items().forEach(item -> collect(item, under, values));
        } else if (node instanceof Mapping mapping) {
            for (Entry entry : mapping.entries()) {
                collect(entry.value(), under || entry.key().equalsIgnoreCase(KEY), values);
            }
        }
    }
}
