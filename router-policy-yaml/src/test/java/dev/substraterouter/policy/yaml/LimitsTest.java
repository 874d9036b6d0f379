package dev.substraterouter.policy.yaml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is too large, too deep or no text is refused at its place, soon, and files are read as they come. */
class LimitsTest {
    private static final int MIB = 1 << 20;

    /** What the reading may take of a processor, first run of the code included; a hang takes all of it. */
    private static final Duration SOON = Duration.ofSeconds(3);

    private static PolicyException refused(ThrowingCallable reading) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        PolicyException thrown = catchThrowableOfType(PolicyException.class, reading);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(SOON);
        assertThat(thrown).as("the policy was taken").isNotNull();
        return thrown;
    }

    private static PolicyProblem problem(ThrowingCallable reading) {
        return refused(reading).problems().get(0);
    }

    private static String placed(PolicyProblem problem) {
        return problem.line() + ":" + problem.column() + " " + problem.code();
    }

    /** A name for the case, a text, and the place and code of its first problem. */
    static Stream<Arguments> attacks() {
        return Stream.of(
                Arguments.of("1 MiB and a byte", padded(MIB + 1), "1:1 too-large"),
                Arguments.of("16 MiB", "\n".repeat(16 * MIB), "1:1 too-large"),
                Arguments.of("1 MiB of two bytes each", "#" + "\u00e4".repeat(MIB / 2), "1:1 too-large"),
                Arguments.of("33 lists", nested("[", 32), "2:35 too-deep"),
                Arguments.of("10,000 lists", nested("[", 10_000), "2:35 too-deep"),
                Arguments.of("half a million lists", nested("[", MIB / 2), "2:35 too-deep"),
                Arguments.of("10,000 maps", nested("{a: ", 10_000), "2:128 too-deep"),
                Arguments.of("10,000 items on a line", nested("- ", 10_000), "2:4 syntax"),
                Arguments.of("10,000 lists below one another", indented("- ", 1_400), "33:33 too-deep"),
                Arguments.of("10,000 maps below one another", indented("a:\n", 1_400), "33:33 too-deep"),
                Arguments.of("billion laughs", laughs(), "6:10 too-large"),
                Arguments.of("quadratic laughs", quadraticLaughs(), "3:25 too-large"),
                Arguments.of("a tower of aliases", tower(), "32:13 too-deep"),
                Arguments.of("more than 100,000 values", "a: [" + "1,".repeat(100_001) + "]", "1:200001 too-large"),
                Arguments.of("half a million keys", keys(), "1:1 too-large"),
                Arguments.of("a plain text of 1 MiB", "a: " + "x".repeat(MIB - 10), "1:1 unknown-key"),
                Arguments.of("plain words of 1 MiB", "a: " + "x ".repeat(MIB / 2 - 10), "1:1 unknown-key"),
                Arguments.of("plain lines of 1 MiB", "a: " + "x\n ".repeat(MIB / 3 - 10), "1:1 unknown-key"),
                Arguments.of("a quoted text of 1 MiB", "a: \"" + "x\\n".repeat(MIB / 3 - 10) + "\"", "1:1 unknown-key"),
                Arguments.of("a quoted text without an end", "a: \"" + "x".repeat(MIB - 10), "1:1048571 syntax"),
                Arguments.of("a block of 1 MiB", "a: |\n" + " x\n".repeat(MIB / 3 - 10), "1:1 unknown-key"),
                Arguments.of("a folded block of 1 MiB", "a: >\n" + " x\n".repeat(MIB / 3 - 10), "1:1 unknown-key"),
                Arguments.of("a key of 1 MiB", "a".repeat(MIB - 10) + ": 1", "1:1048567 syntax"),
                Arguments.of("a long explicit key", "? " + "a".repeat(MIB - 10) + "\n: 1", "1:1 missing"),
                Arguments.of("a number of 1 MiB", "version: " + "9".repeat(MIB - 10), "1:10 version"),
                Arguments.of("a fraction of 1 MiB", "version: 1." + "9".repeat(MIB - 20), "1:1 missing"),
                Arguments.of("blank lines of 1 MiB", "\n".repeat(MIB), "1:1 empty"),
                Arguments.of("a comment of 1 MiB", "#" + "x".repeat(MIB - 1), "1:1 empty"),
                Arguments.of("blanks of 1 MiB", " ".repeat(MIB), "1:1 empty"),
                Arguments.of("anchors of 1 MiB", "a: &" + "x".repeat(MIB - 10) + " 1", "1:1 unknown-key"),
                Arguments.of("directives of 1 MiB", "%A b\n".repeat(MIB / 5), "209716:1 syntax"),
                Arguments.of("100,000 documents", "--- 1\n".repeat(100_000), "2:5 several-documents"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    @Timeout(60)
    @DisplayName("what costs too much is refused soon")
    void attacks(String name, String yaml, String place) {
        assertThat(placed(problem(() -> YamlPolicy.parse(yaml)))).isEqualTo(place);
    }

    /** A policy in so many bytes. */
    private static String padded(int bytes) {
        return Examples.SMALLEST + "#".repeat(bytes - Examples.SMALLEST.length());
    }

    private static String nested(String opening, int times) {
        return "version: 1\na: " + opening.repeat(times);
    }

    private static String indented(String opening, int times) {
        StringBuilder yaml = new StringBuilder();
        IntStream.range(0, times).forEach(level -> yaml.append(" ".repeat(level))
                .append(opening.endsWith("\n") ? opening : opening + "\n"));
        return yaml.substring(0, Math.min(yaml.length(), MIB));
    }

    private static String laughs() {
        StringBuilder yaml = new StringBuilder("l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int level = 1; level < 30; level++) {
            String alias = "*l" + (level - 1);
            yaml.append("l").append(level).append(": &l").append(level).append(" [");
            yaml.append(String.join(", ", Collections.nCopies(9, alias))).append("]\n");
        }
        return yaml.toString();
    }

    /** One large list, told again and again. */
    private static String quadraticLaughs() {
        return "version: 1\na: &a [" + "1,".repeat(15_000) + "]\nb: [" + "*a ,".repeat(200_000) + "]";
    }

    /** Each line holds the one before: few values, but deep. */
    private static String tower() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [1]\n");
        IntStream.range(1, 40).forEach(level -> yaml.append("a%d: &a%d [ *a%d ]%n".formatted(level, level, level - 1)));
        return yaml.toString();
    }

    private static String keys() {
        StringBuilder yaml = new StringBuilder();
        IntStream.range(0, MIB / 7)
                .forEach(key -> yaml.append(Integer.toString(key, 36)).append(": 1\n"));
        return yaml.toString();
    }

    @Test
    @DisplayName("exactly 1 MiB, exactly 32 deep and aliases within the limit are read")
    void upToTheLimit() throws IOException {
        Policy smallest = YamlPolicy.parse(Examples.SMALLEST);

        assertThat(YamlPolicy.parse(padded(MIB))).isEqualTo(smallest);
        assertThat(YamlPolicy.load(new ByteArrayInputStream(padded(MIB).getBytes(UTF_8))))
                .isEqualTo(smallest);
        assertThat(placed(problem(() -> YamlPolicy.parse("a: " + "[".repeat(31) + "]".repeat(31)))))
                .isEqualTo("1:1 unknown-key");
    }

    @Test
    @DisplayName("thousands of bad references among thousands of names cost no more than they say")
    void manyProblems() {
        StringBuilder yaml = new StringBuilder("version: 1\nsubstrates:\n");
        IntStream.range(0, 20_000).forEach(id -> yaml.append("  s%d: {}\n".formatted(id)));
        yaml.append("workloads: { w: { route: [").append("x, ".repeat(50_000)).append("] } }");

        PolicyException thrown = refused(() -> YamlPolicy.parse(yaml.toString()));

        assertThat(thrown.problems()).hasSizeGreaterThan(70_000);
    }

    @Test
    @DisplayName("a byte order mark and the line ends of all systems are read, and counted as one sees them")
    void marksAndLineEnds() {
        Policy everything = YamlPolicy.parse(Examples.EVERYTHING);

        for (String end : new String[] {"\n", "\r\n", "\r"}) {
            String yaml = "\uFEFF" + Examples.EVERYTHING.replace("\n", end);
            assertThat(YamlPolicy.parse(yaml)).isEqualTo(everything);
            assertThat(placed(problem(() -> YamlPolicy.parse("\uFEFFversion: 1" + end + "a: 1"))))
                    .isEqualTo("1:1 missing");
            assertThat(placed(problem(() -> YamlPolicy.parse("\uFEFFa: 1" + end + end + "\uD83D\uDE80: \u0007"))))
                    .isEqualTo("3:4 control-character");
        }
    }

    @Test
    @DisplayName("control characters and halves of characters are refused where they stand")
    void controlCharacters() {
        assertThat(problem(() -> YamlPolicy.parse("version: 1\nb: x\u0000")))
                .satisfies(problem -> assertThat(placed(problem)).isEqualTo("2:5 control-character"))
                .satisfies(problem ->
                        assertThat(problem.message()).isEqualTo("the character U+0000 (expected: printable text)"));
        assertThat(placed(problem(() -> YamlPolicy.parse("a: \u001b[0m")))).isEqualTo("1:4 control-character");
        assertThat(placed(problem(() -> YamlPolicy.parse("a: \uD83D")))).isEqualTo("1:4 control-character");
        assertThat(placed(problem(() -> YamlPolicy.parse("a: \uDE80b")))).isEqualTo("1:4 control-character");
        assertThat(placed(problem(() -> YamlPolicy.parse("\uFFFE")))).isEqualTo("1:1 control-character");
    }

    @Test
    @DisplayName("bytes that are no UTF-8 are refused where they stand")
    void otherEncodings() {
        assertThat(placed(problem(() -> load("version: 1\nb: \u00e4\u00e4".getBytes(ISO_8859_1)))))
                .isEqualTo("2:4 bad-encoding");
        assertThat(placed(problem(() -> load("version: 1".getBytes(UTF_16))))).isEqualTo("1:1 bad-encoding");
        assertThat(placed(problem(() -> load(new byte[] {'a', (byte) 0xC3})))).isEqualTo("1:2 bad-encoding");
        assertThat(placed(problem(() -> load(new byte[] {(byte) 0xC0, (byte) 0x80}))))
                .isEqualTo("1:1 bad-encoding");
        assertThat(placed(problem(() -> load(new byte[MIB + 1])))).isEqualTo("1:1 too-large");
    }

    private static Policy load(byte[] bytes) throws IOException {
        return YamlPolicy.load(new ByteArrayInputStream(bytes));
    }

    @Test
    @DisplayName("a stream is read no further than one byte past 1 MiB, and left open")
    void streams() throws IOException {
        Endless endless = new Endless();

        assertThat(placed(problem(() -> YamlPolicy.load(endless)))).isEqualTo("1:1 too-large");
        assertThat(endless.read).isEqualTo(MIB + 1);
        assertThat(endless.closed).isFalse();
    }

    private static final class Endless extends InputStream {
        private int read;
        private boolean closed;

        @Override
        public int read() {
            read++;
            return ' ';
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    @DisplayName("a stream that breaks is told as such")
    void brokenStream() {
        IOException broken = new IOException("broken");
        InputStream in = new InputStream() {
            @Override
            public int read() throws IOException {
                throw broken;
            }
        };

        assertThatThrownBy(() -> YamlPolicy.load(in)).isSameAs(broken);
    }

    @Test
    @DisplayName("a file is read, and named when it cannot be")
    void files(@TempDir Path folder) throws IOException {
        Path good = Files.writeString(folder.resolve("good.yaml"), Examples.EVERYTHING);
        Path bad = Files.writeString(folder.resolve("bad.yaml"), "version: 3");
        Path none = folder.resolve("none.yaml");

        assertThat(YamlPolicy.load(good)).isEqualTo(YamlPolicy.parse(Examples.EVERYTHING));
        assertThatThrownBy(() -> YamlPolicy.load(bad))
                .isInstanceOf(PolicyException.class)
                .hasMessage(bad + " has 1 problem:\n  1:10 version: version: 3 (expected: 1) [version]");
        assertThatThrownBy(() -> YamlPolicy.load(none))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining(none.toString());
        assertThatThrownBy(() -> YamlPolicy.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString());
    }
}
