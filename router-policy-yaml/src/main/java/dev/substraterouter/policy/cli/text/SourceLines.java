package dev.substraterouter.policy.cli.text;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The lines of a file, to be shown with a caret below the place in question. Immutable and thread-safe.
 *
 * <p>A line that may hold what stands under {@code auth} is not shown, nor one with a character written as an escape, and of an address neither
 * who logs in nor the query. A tab is shown as one space, so that the caret stands where it should; of a long line the part around the caret is shown.
 */
public final class SourceLines {
    /** As much of a file as is ever shown: more than a policy may have. */
    private static final int MOST_BYTES = (1 << 20) + 1;

    private static final int WIDTH = 110;
    private static final int BEFORE = 70;
    private static final String CUT = "...";
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final Pattern LINE_BREAK = Pattern.compile("\r\n|\r|\n");

    /** What it stands for may be a secret, or end one. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:[xuU]|$)");

    private final String[] lines;
    private final Secrets secrets;

    private SourceLines(String text) {
        String unmarked = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        lines = LINE_BREAK.split(unmarked, -1);
        secrets = Secrets.of(unmarked, lines);
    }

    /** The lines of a text. */
    public static SourceLines of(String text) {
        return new SourceLines(text);
    }

    /** The lines of a file; bytes that are no UTF-8 are replaced. Of a long file, those in its first mebibyte. */
    public static SourceLines of(byte[] file) {
        return of(new String(file, 0, Math.min(file.length, MOST_BYTES), StandardCharsets.UTF_8));
    }

    /**
     * A line and, below it, a caret; both are indented by two spaces. Empty when there is no such line, when it is
     * blank, or when it may hold a secret.
     *
     * @param line which line, from 1
     * @param column the column of the caret, from 1, in code points
     */
    public Optional<String> withCaret(int line, int column) {
        return line < 1 || line > lines.length || lines[line - 1].isBlank() || mayHoldSecrets(line)
                ? Optional.empty()
                : Optional.of(withCaret(Starred.of(lines[line - 1]), column));
    }

    private boolean mayHoldSecrets(int line) {
        return secrets.mayHold(line) || ESCAPE.matcher(lines[line - 1]).find();
    }

    private static String withCaret(String line, int column) {
        int[] points = line.codePoints().toArray();
        int caret = Math.min(Math.max(column - 1, 0), points.length);
        int from = points.length <= WIDTH ? 0 : Math.max(0, caret - BEFORE);
        int to = Math.min(points.length, from + WIDTH);
        StringBuilder shown = new StringBuilder(from > 0 ? CUT : "");
        int stands = shown.length();
        for (int i = from; i < to; i++) {
            stands = i == caret ? width(shown) : stands;
            shown.append(points[i] == '\t' ? " " : Visible.of(points[i]));
        }
        stands = caret >= to ? width(shown) : stands;
        return "  " + shown + (to < points.length ? CUT : "") + "\n  " + " ".repeat(stands) + "^";
    }

    private static int width(StringBuilder shown) {
        return shown.codePointCount(0, shown.length());
    }
}
