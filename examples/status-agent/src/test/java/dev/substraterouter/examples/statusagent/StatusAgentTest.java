package dev.substraterouter.examples.statusagent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.probe.http.StatusServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The agent as it is called, over real sockets. */
class StatusAgentTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment = Map.of("TOKEN", "s3cret", "BLANK", " ");
    private final AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();

    @TempDir
    private Path dir;

    /** Runs the agent; while it serves, asks it once. */
    private int run(String... arguments) {
        return runAskedWith("", arguments);
    }

    private int runAskedWith(String authorization, String... arguments) {
        CommandLine agent = StatusAgent.commandLine(environment::get, server -> answer.set(ask(server, authorization)));
        return agent.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private static HttpResponse<String> ask(StatusServer server, String authorization) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + "/status"))
                .timeout(Duration.ofSeconds(20));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        try {
            return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private HttpResponse<String> answer() {
        return Objects.requireNonNull(answer.get(), () -> "no answer: " + err);
    }

    private String fake(String script) throws IOException {
        Path tool = dir.resolve("nvidia-smi");
        Files.writeString(tool, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
        return tool.toString();
    }

    @Test
    void runsWithoutAToolAndSaysSo() {
        assertThat(run(
                        "--listen",
                        "127.0.0.1:0",
                        "--nvidia-smi",
                        dir.resolve("absent").toString()))
                .isZero();
        assertThat(answer().statusCode()).isEqualTo(200);
        assertThat(answer().body())
                .contains("\"attributes\":{\"card\":\"no nvidia-smi: ")
                .doesNotContain("gpu_util_pct", "vram_used_gb", "gpus");
        assertThat(out.toString()).contains("serving http://127.0.0.1:", "/status", "card: no nvidia-smi: ");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the fake tool is a shell script")
    void reportsTheCard() throws IOException {
        String tool = fake("echo '0, GPU-0, Acme 5090, 41, 12800, 32768, 66'");
        assertThat(run("--listen", "127.0.0.1:0", "--nvidia-smi", tool)).isZero();
        assertThat(answer().statusCode()).isEqualTo(200);
        assertThat(answer().body())
                .isEqualTo("{\"gpu_util_pct\":41.0,\"vram_used_gb\":12.5,\"vram_total_gb\":32.0,\"gpu_temp_c\":66.0,"
                        + "\"attributes\":{\"card\":\"ok\"},\"gpus\":[{\"index\":0,\"uuid\":\"GPU-0\",\"name\":\"Acme 5090\","
                        + "\"util_pct\":41.0,\"vram_used_gb\":12.5,\"vram_total_gb\":32.0,\"temp_c\":66.0}]}");
        assertThat(out.toString()).contains("card: ok");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the fake tool is a shell script")
    void aBrokenDriverIsSaid() throws IOException {
        String tool = fake("echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18");
        assertThat(run("--listen", "127.0.0.1:0", "--nvidia-smi", tool)).isZero();
        assertThat(answer().body()).contains("\"card\":\"nvidia-smi ended with 18", "mismatch");
    }

    @Test
    void asksForTheToken() {
        assertThat(runAskedWith("", "--listen", "127.0.0.1:0", "--token-env", "TOKEN", "--nvidia-smi", "absent"))
                .isZero();
        assertThat(answer().statusCode()).isEqualTo(401);
        assertThat(runAskedWith(
                        "Bearer s3cret", "--listen", "127.0.0.1:0", "--token-env", "TOKEN", "--nvidia-smi", "absent"))
                .isZero();
        assertThat(answer().statusCode()).isEqualTo(200);
        assertThat(out.toString() + err).doesNotContain("s3cret");
    }

    @Test
    void everyAddressNeedsItsFlag() {
        assertThat(run("--listen", "0.0.0.0:0", "--nvidia-smi", "absent")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "--listen: 0.0.0.0:0 is every address of this machine (expected: one address, or --any-address)");
        assertThat(run("--listen", "0.0.0.0:0", "--any-address", "--nvidia-smi", "absent"))
                .isZero();
        assertThat(answer().statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--listen 9100 | 9100 (expected: HOST:PORT, for example 127.0.0.1:9100",
                "--listen 127.0.0.1:99999 | 127.0.0.1:99999 (expected: HOST:PORT",
                "--listen ::1:9100 | ::1:9100 (expected: HOST:PORT",
                "--token-env ABSENT | --token-env: ABSENT is not set",
                "--token-env BLANK | --token-env: BLANK is not set",
                "--deadline 0 | --deadline: 0 (expected: 1 to 30)",
                "--deadline soon | 'soon' is not an int",
                "--gpu 1 | Unknown options: '--gpu'"
            })
    void whatCannotBe(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message).contains("Usage: status-agent");
    }

    @Test
    void aPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getByName("127.0.0.1"))) {
            assertThat(run("--listen", "127.0.0.1:" + taken.getLocalPort())).isEqualTo(1);
            assertThat(err.toString()).contains("cannot listen at 127.0.0.1:" + taken.getLocalPort());
        }
    }
}
