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
    private static final String APOSTROPHES = "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201b\u2032\uff07";

    /** What divides thousands here and nothing, or decimals, there. */
    private static final String DIVIDERS = ". _\u00a0\u2009\u202f";

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
        int odd = odd(start);
        if (odd > start) {
            add(start, odd, text.substring(start, odd)); // no number: whoever reads it as one may read too little
            return odd;
        }
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

    /** The end of a number that can be read in two ways ("10.000", "10 000") or that people seldom write ("1e3"); else its start. */
    private int odd(int start) {
        int end = start + digits(start);
        boolean grouped = end - start <= 3 && text.charAt(start) != '0' && divides(end) && digits(end + 1) == 3;
        if (grouped && !isPercent(end + 4)) {
            return numberEnd(end + 4);
        }
        int exponent = text.startsWith(".", end) ? end + 1 + digits(end + 1) : end;
        return exponent(exponent) > 0 ? numberEnd(exponent + exponent(exponent)) : start;
    }

    private boolean divides(int at) {
        return at < text.length() && (DIVIDERS.indexOf(text.charAt(at)) >= 0 || isApostrophe(text.charAt(at)));
    }

    /** A share of a hundred has no thousands: "99.999 %". */
    private boolean isPercent(int at) {
        int sign = blank(at) ? at + 1 : at;
        return text.startsWith("%", sign) || text.startsWith("percent", sign);
    }

    /** How many characters of "e+" stand between the digits of a number. */
    private int exponent(int at) {
        if (at >= text.length() || Character.toLowerCase(text.charAt(at)) != 'e') {
            return 0;
        }
        int sign = text.startsWith("+", at + 1) || text.startsWith("-", at + 1) ? 2 : 1;
        return digit(at + sign) ? sign : 0;
    }

    private int numberEnd(int from) {
        int end = from + digits(from);
        while (end < text.length() && (text.charAt(end) == ',' || divides(end)) && digit(end + 1)) {
            end += 1 + digits(end + 1);
        }
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
        add(start, end, withoutApostrophes(start, end));
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
        return at < text.length() && isApostrophe(text.charAt(at)) && letter(at - 1) && letter(at + 1);
    }

    /** Whether it is an apostrophe or what people type for one. */
    static boolean isApostrophe(char c) {
        return APOSTROPHES.indexOf(c) >= 0;
    }

    private String withoutApostrophes(int start, int end) {
        StringBuilder word = new StringBuilder(end - start);
        text.substring(start, end).chars().filter(c -> !isApostrophe((char) c)).forEach(c -> word.append((char) c));
        return word.toString();
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
        return at >= 0 && at < text.length() && Character.isLetter(text.charAt(at)) && !isApostrophe(text.charAt(at));
    }
}
