package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.StatusAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
    private static final URI URL = URI.create("http://127.0.0.1:9100/status");

    private static Token token(String variable, String file, Map<String, String> environment) {
        return new Token(
                new StatusAddress(URL, "substrate", Optional.ofNullable(variable), Optional.ofNullable(file)),
                environment::get);
    }

    @Test
    void noneIsNeededWhereNoneIsNamed() throws Exception {
        Token none = token(null, null, Map.of());
        assertThat(none.header()).isEmpty();
        assertThat(none.isInFile()).isFalse();
        assertThat(none).hasToString("no token");
    }

    @Test
    void theVariableWinsOverTheFile() throws Exception {
        Token both = token("V", "/no/such", Map.of("V", " abc "));
        assertThat(both.header()).hasValue("Bearer abc");
        assertThat(both.isInFile()).isFalse();
    }

    @Test
    void aFileIsReadAndTrimmed(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("token");
        Files.writeString(file, "\n abc\n");
        Token kept = token(null, file.toString(), Map.of());
        assertThat(kept.header()).hasValue("Bearer abc");
        assertThat(kept.isInFile()).isTrue();
        assertThat(kept).hasToString("token in file " + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret secret", "secret\nsecret", "s\u00e9cret", "secret\u0000", "secret\u007f"})
    void whatAHeaderCannotCarryIsNoTokenAndIsNotQuoted(String value) {
        assertThatThrownBy(() -> token("V", null, Map.of("V", value)).header())
                .isInstanceOf(NoStatusException.class)
                .hasMessage("auth: environment variable V does not hold a token (expected: one word of ASCII)");
    }

    @Test
    void anEmptyOneIsNone(@TempDir Path dir) throws Exception {
        Path file = Files.createFile(dir.resolve("token"));
        assertThatThrownBy(() -> token("V", null, Map.of("V", " \n")).header())
                .hasMessage("auth: environment variable V is empty");
        assertThatThrownBy(() -> token(null, file.toString(), Map.of()).header())
                .hasMessage("auth: file " + file + " is empty");
    }

    @Test
    void aFileThatIsNoFileOrHasNoEndIsNone(@TempDir Path dir) throws Exception {
        Path huge = Files.writeString(dir.resolve("huge"), "x".repeat(100_000));
        assertThatThrownBy(() -> token(null, huge.toString(), Map.of()).header())
                .hasMessageContaining("does not hold a token");
        assertThatThrownBy(() -> token(null, dir.toString(), Map.of()).header()).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> token(null, "bad\u0000name", Map.of()).header())
                .hasMessageContaining("cannot be read");
    }
}
