package dev.substraterouter.policy.cli.text;

/**
 * Texts from files as a terminal can bear them: what would move the cursor, colour what follows or turn the direction of writing is shown as
 * its escape. Thread-safe: it has no state.
 */
public final class Visible {
    private Visible() {}

    /** A text on one line. */
    public static String of(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(point -> visible.append(of(point)));
        return visible.toString();
    }

    /** A character, or its escape. */
    static String of(int point) {
        return isHarmless(point)
                ? Character.toString(point)
                : String.format(point > 0xFFFF ? "\\U%08X" : "\\u%04X", point);
    }

    private static boolean isHarmless(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
