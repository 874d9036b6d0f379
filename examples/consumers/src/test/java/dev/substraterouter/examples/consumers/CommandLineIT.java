package dev.substraterouter.examples.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command line from its one jar, as a process of its own. */
class CommandLineIT {
    private static final Path JAR = Path.of("target", "cli", "router-policy-yaml-cli.jar");
    private static final String POLICY = """
            version: 1
            substrates:
              legion: { vram_gb: 32, max_concurrent_jobs: 1 }
              forge: { vram_gb: 64, max_concurrent_jobs: 2 }
            workloads:
              fill: { vram_gb: 24, route: [legion, forge] }
            """;

    @TempDir
    Path workspace;

    @Test
    void checksAPolicy() throws Exception {
        Path good = Files.writeString(workspace.resolve("good.yaml"), POLICY);
        Path bad = Files.writeString(workspace.resolve("bad.yaml"), POLICY.replace("vram_gb: 24", "vram_gb: abc"));
        assertThat(run(0, "check", good.toString())).isEqualTo("0 errors, 0 warnings in 1 file\n");
        assertThat(run(1, "check", bad.toString())).isEqualTo("""
                %s:6:20: error: vram_gb: 'abc' (expected: a number) [wrong-type]
                    fill: { vram_gb: abc, route: [legion, forge] }
                                     ^
                1 error, 0 warnings in 1 file
                """.formatted(bad));
        assertThat(run(2, "check", "nope.yaml")).contains("nope.yaml: there is no such file");
    }

    @Test
    void explainsAPlacement() throws Exception {
        Path good = Files.writeString(workspace.resolve("good.yaml"), POLICY);
        assertThat(run(0, "explain", good.toString(), "--workload", "fill", "--status", "legion=busy"))
                .contains("legion: not now: jobs 1/1", "Placed on forge, fallback (not primary)");
    }

    @Test
    void tellsTheVersionItWasBuiltAs() throws Exception {
        assertThat(run(0, "--version")).matches("substrate-policy [0-9]+\\.[0-9]+\\.[0-9]+.*\n");
    }

    @Test
    void theJarIsNoModuleAndHasNoSignatures() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.stream().map(entry -> entry.getName()))
                    .doesNotHaveDuplicates()
                    .noneMatch(name -> name.endsWith("module-info.class"))
                    .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|DSA|RSA)"));
            assertThat(jar.getManifest().getMainAttributes().getValue("Multi-Release"))
                    .isEqualTo("true");
        }
    }

    /** The ordinary jars of a host have no picocli among them. */
    @Test
    void aHostGetsNoPicocli() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of("target", "jars"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString())).noneMatch(name -> name.startsWith("picocli"));
        }
    }

    private String run(int code, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(workspace, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(30, TimeUnit.SECONDS);
            String said = Files.readString(output).replace(System.lineSeparator(), "\n");
            assertThat(ended).as("ended in time: %s", said).isTrue();
            assertThat(process.exitValue()).as("exit code: %s", said).isEqualTo(code);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
