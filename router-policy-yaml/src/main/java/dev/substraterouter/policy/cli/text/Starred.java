package dev.substraterouter.policy.cli.text;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line with a star for each character that may belong to a secret of an address: all of a value before its last {@code @}, and what
 * follows a {@code ?} or {@code #} in it. Whether the value is an address does not matter, since one that is written wrongly keeps a secret, too.
 * The scheme is shown, and every other character stays where it was. For one thread.
 */
final class Starred {
    private static final Pattern SCHEME = Pattern.compile("https?://", Pattern.CASE_INSENSITIVE);
    private static final Pattern TAIL = Pattern.compile("(?<=\\S)[?#](?=\\S)");
    private static final String BEFORE_A_QUOTE = " \t[{,:";

    private final String line;
    private final BitSet secret = new BitSet();

    private Starred(String line) {
        this.line = line;
    }

    static String of(String line) {
        Starred starred = new Starred(line);
        starred.values();
        return starred.toString();
    }

    /** What stands in quotes is one value; what stands between is looked at as one, too. */
    private void values() {
        int from = 0;
        while (from < line.length()) {
            int open = opening(from);
            value(plain(from, open), open);
            int close = closing(open);
            value(Math.min(open + 1, close), close);
            from = close + 1;
        }
    }

    private int opening(int from) {
        for (int i = from; i < line.length(); i++) {
            if ((line.charAt(i) == '"' || line.charAt(i) == '\'')
                    && (i == 0 || BEFORE_A_QUOTE.indexOf(line.charAt(i - 1)) >= 0)) {
                return i;
            }
        }
        return line.length();
    }

    private int closing(int open) {
        for (int i = open + 1; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean escape = line.charAt(open) == '"' ? c == '\\' : c == '\'' && line.startsWith("''", i);
            if (escape) {
                i++;
            } else if (c == line.charAt(open)) {
                return i;
            }
        }
        return line.length();
    }

    /** Where the first value begins that may hold what stands before an {@code @}: a plain one may have blanks and commas in it. */
    private int plain(int from, int to) {
        int value = line.indexOf(": ", from);
        return value >= 0 && value < line.lastIndexOf('@', to - 1) ? value + 2 : from;
    }

    private void value(int from, int to) {
        if (from >= to) {
            return;
        }
        Matcher scheme = SCHEME.matcher(line).region(from, to);
        int login = scheme.lookingAt() ? scheme.end() : from;
        int host = Math.max(login, line.lastIndexOf('@', to - 1));
        secret.set(login, host);
        Matcher tail = TAIL.matcher(line).region(host, to).useTransparentBounds(true);
        if (tail.find()) {
            secret.set(tail.end(), to);
        }
    }

    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < line.length(); i += Character.charCount(line.codePointAt(i))) {
            shown.appendCodePoint(secret.get(i) ? '*' : line.codePointAt(i));
        }
        return shown.toString();
    }
}
