package dev.substraterouter.policy.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SourceLinesTest {
    /** Whatever stands in a file: two lines, no control character, and the caret below what is shown or right behind it. */
    @Property(tries = 2_000)
    void anyLineIsShownHarmlessly(
            @ForAll String text,
            @ForAll @IntRange(min = -1, max = 5) int line,
            @ForAll @IntRange(min = -1, max = 300) int column) {
        SourceLines.of(text).withCaret(line, column).ifPresent(shown -> {
            assertThat(shown.lines()).hasSize(2);
            assertThat(shown.replace("\n", "").chars()).noneMatch(Character::isISOControl);
            String[] lines = shown.split("\n", -1);
            assertThat(lines[1]).matches(" *\\^");
            assertThat(lines[1].length() - 1).isLessThanOrEqualTo(lines[0].codePointCount(0, lines[0].length()));
        });
    }

    @Test
    void ofALongLineThePartAroundTheCaretIsShown() {
        String line = "x".repeat(500) + "Y" + "z".repeat(500);
        assertThat(SourceLines.of(line).withCaret(1, 501))
                .contains("  ..." + "x".repeat(70) + "Y" + "z".repeat(39) + "...\n" + " ".repeat(75) + "^");
        assertThat(SourceLines.of(line).withCaret(1, 1)).contains("  " + "x".repeat(110) + "...\n  ^");
        assertThat(SourceLines.of(line).withCaret(1, 9_999).orElseThrow()).endsWith("\n" + " ".repeat(75) + "^");
    }

    @Test
    void anEscapeMovesTheCaret() {
        assertThat(SourceLines.of("a\u0007\u202Eb c").withCaret(1, 4))
                .contains("  a\\u0007\\u202Eb c\n               ^");
    }

    @Test
    void addressesAreShownWithoutWhoLogsInAndWithoutQuery() {
        assertThat(SourceLines.of("url: \"http://me:pw@host/p?t=1\" # x").withCaret(1, 1))
                .contains("  url: \"http://*****@host/p?***\" # x\n  ^");
    }

    @Test
    void whatStandsBeforeAnAtIsStarredWhateverItIs() {
        assertThat(shown("endpoint: \"user:pw@host\"")).isEqualTo("endpoint: \"*******@host\"");
        assertThat(shown("a: \"//u:p w@h/\", b: \"x\"")).isEqualTo("a: \"*******@h/\", b: \"x\"");
        assertThat(shown("a: { b: 1, c: u:p, q@h }")).isEqualTo("a: *****************@h }");
        assertThat(shown("a: 'it''s@h'")).isEqualTo("a: '*****@h'");
        assertThat(shown("a: https://u:\uD83D\uDE00@h")).isEqualTo("a: https://***@h");
        assertThat(shown("why: fast? yes # really")).isEqualTo("why: fast? yes # really");
        assertThat(SourceLines.of("a: \"u:p\\u0040h\"").withCaret(1, 1)).isEmpty();
    }

    private static String shown(String line) {
        String shown = SourceLines.of(line).withCaret(1, 1).orElseThrow();
        return shown.substring(2, shown.indexOf('\n'));
    }

    /** Nothing that is written before an at sign or behind a question mark can be read in what is shown. */
    @Property(tries = 2_000)
    void noSecretOfAnAddressIsShown(
            @ForAll @CharRange(from = ' ', to = '~') @Chars({'"', '\'', '\\', '@', '?', ':', '/'}) String noise,
            @ForAll("quotes") String quote) {
        String inner = noise.replace("\\", "").replace(quote, "");
        String line = "  a: { x: 5, b: " + quote + "u:HUSH" + inner + "@h/?q=HUSH" + quote + " }";
        assertThat(SourceLines.of(line).withCaret(1, 1).orElse("")).doesNotContain("HUSH");
    }

    @Provide
    Arbitrary<String> quotes() {
        return Arbitraries.of("\"", "'");
    }

    @Test
    void linesAreCountedAsTheParserCountsThem() {
        SourceLines lines = SourceLines.of("a\r\nb\rc\nd");
        assertThat(lines.withCaret(2, 1)).contains("  b\n  ^");
        assertThat(lines.withCaret(3, 1)).contains("  c\n  ^");
        assertThat(lines.withCaret(4, 1)).contains("  d\n  ^");
        assertThat(lines.withCaret(5, 1)).isEmpty();
        assertThat(lines.withCaret(0, 1)).isEmpty();
    }
}
