package dev.substraterouter.policy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.internal.yaml.Mutations;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    private static final String GOOD = """
            version: 1
            substrates:
              legion: { vram_gb: 32, max_concurrent_jobs: 1 }
              forge: { vram_gb: 64, max_concurrent_jobs: 2 }
            workloads:
              fill: { vram_gb: 24, route: [legion, forge] }
            """;

    private static final String BAD = """
            version: 1
            substrates:
              legion:
                max_concurrent_jobs: 1
                vram_gb: abc
              forge: { vram_gb: 64, max_concurrent_jobs: 0 }
            """;

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** With the name of the folder left out, which differs from run to run. */
    private String out(Object... arguments) {
        return Ran.of(arguments).out().replace(folder + File.separator, "");
    }

    @Test
    void aGoodPolicyHasNothing() throws IOException {
        assertThat(Ran.of("check", file("p.yaml", GOOD))).isEqualTo(new Ran(0, "0 errors, 0 warnings in 1 file\n", ""));
    }

    @Test
    void problemsStandAtTheirPlaces() throws IOException {
        Path bad = file("policy.yaml", BAD);
        assertThat(out("check", bad)).isEqualTo("""
                policy.yaml:5:14: error: vram_gb: 'abc' (expected: a number) [wrong-type]
                      vram_gb: abc
                               ^
                policy.yaml:6:46: error: max_concurrent_jobs: 0 (expected: >= 1) [out-of-range]
                    forge: { vram_gb: 64, max_concurrent_jobs: 0 }
                                                               ^
                2 errors, 0 warnings in 1 file
                """);
        assertThat(Ran.of("check", bad).code()).isEqualTo(1);
    }

    @Test
    void forPrograms() throws IOException {
        Path bad = file("policy.yaml", BAD);
        assertThat(out("check", "--format", "json", bad))
                .isEqualTo(
                        "[{\"file\":\"policy.yaml\",\"line\":5,\"column\":14,\"severity\":\"error\",\"code\":\"wrong-type\","
                                + "\"path\":\"substrates.legion.vram_gb\",\"message\":\"vram_gb: 'abc' (expected: a number)\"},"
                                + "{\"file\":\"policy.yaml\",\"line\":6,\"column\":46,\"severity\":\"error\","
                                + "\"code\":\"out-of-range\",\"path\":\"substrates.forge.max_concurrent_jobs\","
                                + "\"message\":\"max_concurrent_jobs: 0 (expected: >= 1)\"}]\n");
        assertThat(out("check", "--format=JSON", file("good.yaml", GOOD))).isEqualTo("[]\n");
    }

    @Test
    void forWorkflowsWithTheirEscapes() throws IOException {
        Path bad = file("a,b:c.yaml", BAD.replace("abc", "100%"));
        assertThat(out("check", "--format", "github", bad)).isEqualTo("""
                ::error file=a%2Cb%3Ac.yaml,line=5,col=14,title=wrong-type::vram_gb: '100%25' (expected: a number)
                ::error file=a%2Cb%3Ac.yaml,line=6,col=46,title=out-of-range::max_concurrent_jobs: 0 (expected: >= 1)
                """.replace(folder.toString(), ""));
        assertThat(out("check", "--format", "github", file("good.yaml", GOOD))).isEmpty();
    }

    @Test
    void aFileThatCannotBeReadDoesNotKeepTheOthersFromBeingChecked() throws IOException {
        Ran ran = Ran.of("check", folder.resolve("nope.yaml"), folder, file("bad.yaml", BAD));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("nope.yaml: there is no such file").doesNotContain("Exception");
        assertThat(ran.out()).contains("bad.yaml:5:14").endsWith("2 errors, 0 warnings in 1 file\n");
    }

    @Test
    void aWrongFormatIsAWrongCall() {
        Ran ran = Ran.of("check", "--format", "xml", "x");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("xml", "text, json, github");
    }

    @Test
    void whatStandsUnderAuthIsNeverShown() throws IOException {
        String[] hostile = {
            "    status: [{ url: 5, auth: { token: HUSHHUSH } }]\n",
            "    status: { url: \"http://a\", auth: { token_env: [HUSHHUSH] } }\n",
            "    status:\n      - url: 5\n        auth:\n          token_env: HUSHHUSH\n          token_file: HUSHHUSH\n",
            "    status:\n      - auth:\n          HUSHHUSH: [\n",
            "    status: [ { url: 5, auth:\n {\n token_env: \"HUSHHUSH\n",
            "    why: &a { token: HUSHHUSH }\n    status: { url: 5, \"\\u0061uth\": *a }\n",
            "    status: \"http://me:HUSHHUSH@host name\"\n",
            "    endpoint: \"user:HUSHHUSH@host\"\n",
            "    mcp_url: \"http:/u:HUSHHUSH@h/\"\n",
            "    endpoint: \"//u:HUSHHUSH@h/\"\n",
            "    endpoint: \"https:\\/\\/u:HUSHHUSH@h/\"\n",
            "    endpoint: \"https://u:HUSHHUSH\\x40h/\"\n",
            "    endpoint: 'https://u:it''sHUSHHUSH@h/'\n",
            "    endpoint: https://u:HUSHHUSH@h/\n",
            "  forge: { max_concurrent_jobs: x, endpoint: \"u:HUSHHUSH@h\" }\n",
            "  forge: { max_concurrent_jobs: x, endpoint: \"https:\\/\\/h/?token=HUSHHUSH\" }\n",
            "  forge: { max_concurrent_jobs: x, endpoint: \"//h/p#HUSHHUSH\" }\n",
            "  forge: { max_concurrent_jobs: x, endpoint: \"http://u:HUSHHUSH\\\n    @h/\" }\n",
            "    status: [{ url: \"http://h/s\", auht: { token_env: sk-HUSHHUSH } }]\n",
            "    status: [{ url: 5, auht: { tokn_env: sk-HUSHHUSH } }]\n",
            "    status: { url: 5, tokn: sk-HUSHHUSH }\n",
            "    status:\n      - { url: 5,\n          auht: HUSHHUSH }\n",
            "    status: \"http://host/x y?token=HUSHHUSH\"\n    kind: { x: \"http://h?HUSHHUSH\" }\n",
        };
        for (String each : hostile) {
            String text = "version: 1\nsubstrates:\n  legion:\n    max_concurrent_jobs: 1\n" + each;
            Path file = file("policy.yaml", text);
            for (String format : new String[] {"text", "json", "github"}) {
                Ran ran = Ran.of("check", file, "--format", format);
                assertThat(ran.code()).as(text).isEqualTo(1);
                assertThat(ran.out() + ran.err()).as(text).doesNotContain("HUSH");
            }
        }
    }

    /** A pipe has its text only once, and whoever opened it again would wait for another writer. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    @Timeout(60)
    void aPipeIsReadOnce() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<Path> written = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.writeString(pipe, BAD, StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        String told = out("check", pipe);
        assertThat(written.join()).isEqualTo(pipe);
        assertThat(told).isEqualTo(out("check", file("policy.yaml", BAD)).replace("policy.yaml", "pipe.yaml"));
        assertThat(told).contains("      vram_gb: abc\n               ^\n");
    }

    @Test
    void theLineEndsOfWindowsAndAMissingLastOneDoNotMatter() throws IOException {
        String text = BAD.strip().replace("\n", "\r\n");
        assertThat(out("check", file("policy.yaml", text))).isEqualTo(out("check", file("policy.yaml", BAD)));
        assertThat(out("check", file("policy.yaml", "\uFEFF" + BAD))).isEqualTo(out("check", file("policy.yaml", BAD)));
    }

    @Test
    void theCaretStandsRightBehindTabsAndRareCharacters() throws IOException {
        Path file = file("policy.yaml", """
                version: 1
                substrates:
                  a: { hardware: "\uD83D\uDE00\t\uD83D\uDE00",\tmax_concurrent_jobs: x }
                """);
        assertThat(out("check", file)).startsWith("""
                policy.yaml:3:46: error: max_concurrent_jobs: 'x' (expected: a whole number) [wrong-type]
                    a: { hardware: "\uD83D\uDE00 \uD83D\uDE00", max_concurrent_jobs: x }
                                                               ^
                """);
    }

    @Test
    void whatWouldDriveATerminalIsEscaped() throws IOException {
        Path file = file("policy.yaml", "version: 1\nsubstrates:\n  a: { kind: \"\\u001b[31m\u202E\" } # \u202E\n");
        String out = out("check", file);
        assertThat(out).contains("\\u202E").doesNotContain("\u001B").doesNotContain("\u202E");
        Path raw = file("raw.yaml", "version: 1\n# \u001B[2J\n");
        assertThat(out("check", raw)).contains("# \\u001B[2J\n").doesNotContain("\u001B");
    }

    @Test
    void hugeAndBinaryFilesAreToldAndNotPrinted() throws IOException {
        byte[] noise = new byte[3_000_000];
        new Random(1).nextBytes(noise);
        Path binary = Files.write(folder.resolve("binary.yaml"), noise);
        Ran ran = Ran.of("check", binary);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("[too-large]").hasSizeLessThan(2_000);
        Path part = Files.write(folder.resolve("short.yaml"), Arrays.copyOf(noise, 10_000));
        assertThat(out("check", part)).contains("[bad-encoding]").hasSizeLessThan(2_000);
        Path line = file(
                "line.yaml",
                "version: 1 # " + "x".repeat(900_000) + "\nsubstrates: [" + "\"y\", ".repeat(9_000) + "]\n");
        assertThat(out("check", line)).contains("2:13: error: ", "...\n").hasSizeLessThan(2_000);
        assertThat(out("check", Files.write(folder.resolve("empty.yaml"), new byte[0])))
                .contains("[empty]");
        assertThat(out("check", Files.write(folder.resolve("nul.yaml"), new byte[100])))
                .contains("[control-character]");
    }

    @Test
    void warningsCountWhenTheyShall() throws IOException {
        Path doubtful = file("policy.yaml", GOOD.replace("workloads:", "  cloud: { kind: external }\nworkloads:"));
        Ran lenient = Ran.of("check", doubtful);
        assertThat(lenient.code()).as(lenient.out()).isZero();
        assertThat(lenient.out()).contains(": warning: ").contains("0 errors, ");
        assertThat(Ran.of("check", "--strict", doubtful).code()).isEqualTo(1);
        assertThat(out("check", "--format", "github", doubtful)).contains("::warning file=policy.yaml,line=");
    }

    @Test
    void anAddressOfTheRoutersOwnHostIsToldWhenTheHostIsKnown() throws IOException {
        Path file = file("policy.yaml", GOOD.replace("legion: {", "legion: { endpoint: \"http://10.0.0.7:8188\","));
        assertThat(out("check", file)).isEqualTo("0 errors, 0 warnings in 1 file\n");
        assertThat(out("check", "--router-host", "10.0.0.7", file)).contains("policy.yaml:3:", "10.0.0.7");
    }

    /** Whatever is in the file: an answer, and nothing on the terminal that drives it. */
    @Property(tries = 300)
    void anyFileIsToldHarmlessly(@ForAll long seed) throws IOException {
        Path any = Files.createTempFile("any", ".yaml");
        try {
            Files.write(any, Mutations.changedBytes(BAD + "# auth \u202E\n", seed));
            for (ProblemFormat format : ProblemFormat.values()) {
                Ran ran = Ran.of("check", "--format", format, any);
                assertThat(ran.code()).isBetween(0, 1);
                assertThat(ran.err()).isEmpty();
                assertThat(ran.out().replace("\n", "").codePoints()).noneMatch(CheckCommandTest::drivesATerminal);
            }
        } finally {
            Files.delete(any);
        }
    }

    private static boolean drivesATerminal(int point) {
        return Character.isISOControl(point) || Character.getType(point) == Character.FORMAT;
    }
}
