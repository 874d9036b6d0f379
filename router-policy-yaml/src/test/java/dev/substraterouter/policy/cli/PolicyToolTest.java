package dev.substraterouter.policy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyToolTest {
    @Test
    void tellsItsCommands() {
        Ran ran = Ran.of("--help");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("check", "explain", "diff", "profile", "unused")
                .doesNotContain("\u001B");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void tellsItsVersion() {
        assertThat(Ran.of("--version").out()).startsWith("substrate-policy ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "explain", "diff", "profile", "unused"})
    void eachCommandTellsItsOptionsAndExitCodes(String command) {
        Ran ran = Ran.of(command, "--help");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Exit codes:");
    }

    @Test
    void aCallThatIsNotUnderstoodIsToldInTwoLines() {
        Ran none = Ran.of();
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).isEqualTo("Which command?\nTry: substrate-policy --help\n");
        Ran unknown = Ran.of("check", "x.yaml", "--frmat", "json");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("--frmat").endsWith("Try: substrate-policy check --help\n");
        assertThat(unknown.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"explain", "diff", "profile", "unused"})
    void aFileThatIsMissingIsToldWithoutAStackTrace(String command) {
        Ran ran = Ran.of(
                switch (command) {
                    case "explain" -> new Object[] {command, "nope.yaml", "--workload", "x"};
                    case "diff" -> new Object[] {command, "nope.yaml", "nope.yaml"};
                    default -> new Object[] {command, "nope.jsonl", "--policy", "nope.yaml"};
                });
        assertThat(ran).isEqualTo(new Ran(2, "", "nope.yaml: there is no such file\n"));
    }

    /** So that the library needs no picocli unless somebody runs the command line. */
    @Test
    void nothingElseKnowsPicocli() throws IOException, URISyntaxException {
        Path classes = Path.of(PolicyTool.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            List<String> users = files.filter(file -> file.toString().endsWith(".class"))
                    .filter(PolicyToolTest::usesPicocli)
                    .map(file -> classes.relativize(file.getParent()).toString().replace('\\', '/'))
                    .distinct()
                    .toList();
            assertThat(users).containsExactly("dev/substraterouter/policy/cli");
        }
    }

    private static boolean usesPicocli(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("picocli/");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
