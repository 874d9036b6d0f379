package dev.substraterouter.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Takes a text apart in one pass, without regular expressions, so that no text makes it slow. Hyphens, underscores and
 * quotes between words say nothing and are left out: {@code large-bar}, {@code large_bar} and {@code "large" bar} are the
 * same two words. A number and the letters behind it are apart ({@code 24GB}), letters and the digits behind them are one
 * word ({@code v100}). A comma between digits divides thousands where three digits follow, else it is a decimal comma.
 */
final class Splitter {
    private final String text;
    private final List<Word> words = new ArrayList<>();

    Splitter(String text) {
        this.text = text;
    }

    List<Word> split() {
        for (int i = 0; i < text.length(); ) {
            if (digit(i)) {
                i = number(i);
            } else if (letter(i)) {
                i = word(i);
            } else {
                i = mark(i);
            }
        }
        return words;
    }

    private int number(int start) {
        StringBuilder plain = new StringBuilder();
        int end = digits(start, plain);
        while (text.startsWith(",", end) && digits(end + 1) == 3 && end - start <= 11) {
            end = digits(end + 1, plain);
        }
        if ((text.startsWith(".", end) || decimalComma(end)) && digit(end + 1)) {
            end = digits(end + 1, plain.append('.'));
        }
        words.add(new Word(plain.toString(), start, end, true));
        return end;
    }

    private boolean decimalComma(int at) {
        int count = text.startsWith(",", at) ? digits(at + 1) : 0;
        return count > 0 && count < 3 && !text.startsWith(",", at + 1 + count);
    }

    private int digits(int from, StringBuilder plain) {
        int end = from + digits(from);
        plain.append(text, from, end);
        return end;
    }

    private int digits(int from) {
        int end = from;
        while (digit(end)) {
            end++;
        }
        return end - from;
    }

    private int word(int start) {
        boolean unit = !words.isEmpty()
                && words.get(words.size() - 1).number()
                && words.get(words.size() - 1).end() == start;
        int end = unit && times(start) ? start + 1 : wordEnd(start, unit);
        add(start, end, text.substring(start, end).replace("'", "").replace("\u2019", ""));
        return end;
    }

    /** The x of {@code 2x16GB} and {@code 4xH100}, not that of {@code 7900xtx}. */
    private boolean times(int at) {
        if (text.charAt(at) != 'x' && text.charAt(at) != 'X') {
            return false;
        }
        int end = wordEnd(at + 1, true);
        return digit(end) || end == at + 1;
    }

    private int wordEnd(int start, boolean lettersOnly) {
        int end = start;
        while (letter(end) || (!lettersOnly && (digit(end) || apostrophe(end)))) {
            end++;
        }
        return end;
    }

    private boolean apostrophe(int at) {
        return at < text.length()
                && (text.charAt(at) == '\'' || text.charAt(at) == '\u2019')
                && letter(at - 1)
                && letter(at + 1);
    }

    private int mark(int at) {
        String mark =
                switch (text.charAt(at)) {
                    case ',', '(', ')', '[', ']', '\u2014' -> ",";
                    case '-', '\u2013' -> dash(at);
                    case ';', '!' -> ".";
                    case '.' -> at + 1 >= text.length() || !(letter(at + 1) || digit(at + 1)) ? "." : "";
                    case '\n' -> text.startsWith("\n", at + 1) ? "." : "";
                    case '&' -> "and";
                    case '+' -> digit(at - 1) && !digit(at + 1) ? "" : "and";
                    case '\u00d7', '*' -> "x";
                    case '\u2265' -> ">=";
                    case '\u2264' -> "<=";
                    case '<', '>', '?', ':', '/', '$', '\u20ac', '\u00a3', '%', '=' -> text.substring(at, at + 1);
                    default -> "";
                };
        if (!mark.isEmpty()) {
            add(at, at + 1, mark);
        }
        return at + 1;
    }

    private String dash(int at) {
        boolean apart = blank(at - 1) && blank(at + 1);
        int before = apart ? at - 2 : at - 1;
        int after = apart ? at + 2 : at + 1;
        if (digit(before) && digit(after)) {
            return "-";
        }
        return apart ? "," : "";
    }

    private void add(int start, int end, String word) {
        words.add(new Word(word.toLowerCase(Locale.ROOT), start, end, false));
    }

    private boolean blank(int at) {
        return at < 0 || at >= text.length() || Character.isWhitespace(text.charAt(at));
    }

    private boolean digit(int at) {
        return at >= 0 && at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private boolean letter(int at) {
        return at >= 0 && at < text.length() && Character.isLetter(text.charAt(at));
    }
}
