package dev.substraterouter.examples.gateway.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.examples.gateway.access.BearerTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsFileTest {
    @TempDir
    private Path folder;

    @Test
    void theSmallestFileHasTheDocumentedDefaults() throws IOException {
        GatewaySettings settings = load("policy: policy.yaml");
        assertThat(settings.clients()).hasToString("/127.0.0.1:8090");
        assertThat(settings.control()).hasToString("/127.0.0.1:8091");
        assertThat(settings.policy()).isEqualTo(folder.resolve("policy.yaml"));
        assertThat(settings.tokens()).isEmpty();
        assertThat(settings.maxReplay()).isEqualTo(1024 * 1024);
        assertThat(settings.maxReplayInAll()).isEqualTo(16 * 1024 * 1024);
        assertThat(settings.connect()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.stalled()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.drain()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void everyKeyIsRead() throws IOException {
        String digest = BearerTokens.sha256("other");
        GatewaySettings settings = load("""
                listen: { clients: "0.0.0.0:80", control: "[::1]:81", allow_wildcard: true }
                policy: sub/policy.yaml
                identities: { ops-anna: { token_env: ANNA }, agent-7: { token_sha256: %s } }
                public_url: https://images.example/
                control_url: https://ops.example
                replay: { max_kb: 2, max_in_all_mb: 3 }
                timeouts: { connect: 500ms, stalled: 5s, answer: 3m, drain: 2m }
                """.formatted(digest));
        assertThat(settings.clients()).hasToString("/0.0.0.0:80");
        assertThat(settings.control().getPort()).isEqualTo(81);
        assertThat(settings.tokens()).isEqualTo(Map.of("ops-anna", BearerTokens.sha256("secret"), "agent-7", digest));
        assertThat(settings.publicUrl()).contains("https://images.example");
        assertThat(settings.controlUrl()).contains("https://ops.example");
        assertThat(settings.maxReplay()).isEqualTo(2048);
        assertThat(settings.maxReplayInAll()).isEqualTo(3 * 1024 * 1024);
        assertThat(settings.answer()).isEqualTo(Duration.ofMinutes(3));
        assertThat(settings.drain()).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                             | policy: absent (expected: the policy file",
                "policy: p, listen: { clients: '0.0.0.0:1' }    | listen.clients: 0.0.0.0:1, which is every address of this machine (expected: one address, or allow_wildcard: true)",
                "policy: p, listen: { control: '[::]:1' }       | listen.control: [::]:1, which is every address",
                "policy: p, listen: { clients: '0.0.0.0:1', allow_wildcard: true } | public_url: absent (expected: the address by which clients reach a wildcard",
                "policy: p, control_url: here                   | control_url: here (expected: an http or https address)",
                "policy: p, listen: { clients: here }           | listen.clients: here (expected: HOST:PORT",
                "policy: p, listen: { clients: '127.0.0.1:99999' } | listen.clients: 127.0.0.1:99999 (expected: HOST:PORT",
                "policy: p, listen: { clients: '127.0.0.1:7', control: '127.0.0.1:7' } | listen.control: 127.0.0.1:7 (expected: another port than listen.clients)",
                "policy: p, listen: { client: 'x' }             | client",
                "policy: p, identities: { a: { token_env: NOPE } } | identities.a.token_env: NOPE, which is not set",
                "policy: p, identities: { a: {} }               | identities.a: neither (expected: one of token_env and token_sha256)",
                "policy: p, identities: { a: { token_env: ANNA, token_sha256: ab } } | identities.a: both",
                "policy: p, identities: { a: { token_sha256: ab } } | identities.a.token_sha256: 2 characters (expected: 64 hexadecimal digits)",
                "policy: p, identities: {}                      | identities: empty (expected: at least one",
                "policy: p, identities:                         | identities: empty (expected: at least one",
                "policy: p, identities: { a: { token_env: ANNA }, b: { token_env: ANNA } } | identities.b: the token of a (expected: a token of its own)",
                "policy: p, public_url: 'ftp://x'               | public_url: ftp://x (expected: an http or https address)",
                "policy: p, replay: { max_kb: 99999999 }        | replay.max_kb: 99999999 (expected: 0 to 65536)",
                "policy: p, replay: { max_kb: many }            | replay.max_kb",
                "policy: p, timeouts: { drain: 0s }             | timeouts.drain: 0s (expected: a duration above zero",
                "policy: p, policy: q                           | Duplicate"
            })
    void whatCannotBeUsedIsNamed(String content, String message) {
        String yaml = content.startsWith("{") ? content : "{ " + content.strip() + " }";
        assertThatThrownBy(() -> load(yaml))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(folder.resolve("gateway.yaml").toString())
                .hasMessageContaining(message.strip());
    }

    @Test
    void anEmptyFileIsNotACrash() {
        assertThatThrownBy(() -> load("")).isInstanceOf(SettingsException.class).hasMessageContaining("policy: absent");
    }

    private GatewaySettings load(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), yaml);
        return SettingsFile.load(file, name -> name.equals("ANNA") ? " secret\n" : null);
    }
}
