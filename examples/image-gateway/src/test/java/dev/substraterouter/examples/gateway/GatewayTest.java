package dev.substraterouter.examples.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.examples.gateway.control.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole gateway, as a process with a heap of 64 MiB, before two workers. */
@Timeout(120)
class GatewayTest {
    private static final long MIB = 1024 * 1024;
    /** More than the heap. */
    private static final long LARGE = 256 * MIB;
    /** So much that the smallest leak shows. */
    private static final long HUGE = 1024 * MIB;

    private static final String STATUS = """
            {"gpu_util_pct": 3, "vram_used_gb": 1, "vram_total_gb": 64, "gpu_temp_c": 40, "running_jobs": 0}""";

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static volatile CountDownLatch goOn = new CountDownLatch(1);
    private static RawWorker a;
    private static RawWorker b;
    private static GatewayProcess gateway;
    private static double readySeconds;
    private static Duration readyCpu;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        a = new RawWorker(GatewayTest::work);
        b = new RawWorker(GatewayTest::work);
        gateway = GatewayProcess.start(folder, policy(), "timeouts: { drain: 20s }\n", Map.of());
        HttpResponse<String> first = post("hello", "x");
        readySeconds = gateway.seconds();
        readyCpu = gateway.cpu();
        assertThat(first.body()).as(first + gateway.said()).isEqualTo("hello");
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        a.close();
        b.close();
    }

    private static String policy() {
        return """
                version: 1
                poll: { every: 500ms, timeout: 500ms }
                network: { control: [127.0.0.0/8], data: [127.0.0.0/8] }
                substrates:
                  a: { endpoint: "%s", status: "%s", vram_gb: 64, max_concurrent_jobs: 128, util_per_job_pct: 0 }
                  b: { endpoint: "%s", status: "%s", vram_gb: 64, max_concurrent_jobs: 128, util_per_job_pct: 0 }
                workloads:
                  image: { vram_gb: 0.1, route: [a, b] }
                """.formatted(
                        a.endpoint(),
                        a.endpoint().resolve("/status"),
                        b.endpoint(),
                        b.endpoint().resolve("/status"));
    }

    private static void work(String head, InputStream in, OutputStream out) throws IOException, InterruptedException {
        String path = head.substring(head.indexOf(' ') + 1, head.indexOf(" HTTP"));
        switch (path) {
            case "/status" -> RawWorker.answer(out, "200 OK\r\nContent-Type: application/json", STATUS);
            case "/hello" -> RawWorker.answer(out, "200 OK", "hello");
            case "/large" -> large(out, LARGE);
            case "/huge" -> large(out, HUGE);
            case "/count" -> RawWorker.answer(out, "200 OK", Long.toString(count(in, RawWorker.length(head))));
            case "/held" -> held(out);
            default -> RawWorker.answer(out, "404 Not Found", path);
        }
    }

    private static void large(OutputStream out, long bytes) throws IOException {
        RawWorker.write(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + bytes + "\r\n\r\n");
        byte[] piece = new byte[(int) MIB / 4];
        for (long sent = 0; sent < bytes; sent += piece.length) {
            out.write(piece);
        }
    }

    private static long count(InputStream in, long length) throws IOException {
        byte[] piece = new byte[(int) MIB / 4];
        long left = length;
        while (left > 0) {
            int read = in.read(piece, 0, (int) Math.min(left, piece.length));
            if (read < 0) {
                throw new IOException("cut after " + (length - left) + " of " + length);
            }
            left -= read;
        }
        return length;
    }

    private static void held(OutputStream out) throws IOException, InterruptedException {
        RawWorker.write(
                out, "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
        goOn.await();
        RawWorker.write(out, "4\r\nlast\r\n0\r\n\r\n");
    }

    private static HttpRequest.Builder ask(String path) {
        return HttpRequest.newBuilder(gateway.clients("/v1/workloads/image/" + path))
                .timeout(Duration.ofSeconds(60));
    }

    private static HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return HTTP.send(
                ask(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The wall clock would also tell what else the machine does; the processors' time tells what this takes of two of them. */
    @Test
    void itIsReadyToPlaceInWhatTwoProcessorsDoInFourSeconds() {
        assertThat(readyCpu).as("of %.1f s by the wall clock", readySeconds).isLessThan(Duration.ofSeconds(2 * 4));
    }

    @Test
    void anAnswerLargerThanTheHeapGoesThrough() throws Exception {
        answerGoesThrough("large", LARGE);
    }

    @Test
    void aBodyLargerThanTheHeapGoesThrough() throws Exception {
        bodyGoesThrough(LARGE);
    }

    @Test
    @Tag("soak")
    void aGibibyteGoesThroughBothWays() throws Exception {
        answerGoesThrough("huge", HUGE);
        bodyGoesThrough(HUGE);
    }

    private static void answerGoesThrough(String path, long bytes) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = HTTP.send(
                ask(path).POST(HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            assertThat(count(body, bytes)).isEqualTo(bytes);
            assertThat(body.read()).isNegative();
        }
    }

    private static void bodyGoesThrough(long bytes) throws IOException, InterruptedException {
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.fromPublisher(
                HttpRequest.BodyPublishers.ofInputStream(() -> new Zeros(bytes)), bytes);
        HttpResponse<String> answer = HTTP.send(ask("count").POST(body).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo(Long.toString(bytes));
    }

    @Test
    void aHundredAnswersStreamAtOnce() throws Exception {
        goOn = new CountDownLatch(1);
        List<HttpResponse<InputStream>> answers = new ArrayList<>();
        for (CompletableFuture<HttpResponse<InputStream>> one : held(100)) {
            HttpResponse<InputStream> answer = one.get();
            assertThat(answer.body().readNBytes(5))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("first");
            answers.add(answer);
        }
        goOn.countDown();
        for (HttpResponse<InputStream> answer : answers) {
            assertThat(answer.body().readAllBytes())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("last");
        }
    }

    private static List<CompletableFuture<HttpResponse<InputStream>>> held(int many) {
        List<CompletableFuture<HttpResponse<InputStream>>> answers = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            answers.add(HTTP.sendAsync(
                    ask("held").POST(HttpRequest.BodyPublishers.noBody()).build(),
                    HttpResponse.BodyHandlers.ofInputStream()));
        }
        return answers;
    }

    @Test
    void clientsReachNothingOfTheOperatorsAndTheOtherWayRound() throws Exception {
        for (String path :
                List.of("/", "/admin/pool", "/admin/policy", "/metrics", "/readyz", "/admin/substrates/a/cordon")) {
            assertThat(status("GET", gateway.clients(path))).as(path).isEqualTo(404);
            assertThat(status("POST", gateway.clients(path))).as(path).isIn(404, 405);
        }
        for (String path :
                List.of("/v1/workloads/image/hello", "/v1/gap", "/v1/needs", "/mcp", "/v1/tickets/1", "/v1/links/1")) {
            assertThat(status("POST", gateway.control(path))).as(path).isEqualTo(404);
        }
        assertThat(status("GET", gateway.control("/admin/pool"))).isEqualTo(200);
    }

    /** Nobody needs a token here: a page in somebody's browser must not be able to use that. */
    @Test
    void thePagesOfStrangersAreNotServed() throws Exception {
        for (String path : List.of("/v1/workloads/image/hello", "/v1/gap", "/v1/needs", "/mcp")) {
            assertThat(status("POST", gateway.clients(path), "Sec-Fetch-Site", "cross-site"))
                    .as(path)
                    .isEqualTo(403);
            assertThat(status("POST", gateway.clients(path), "Origin", "http://evil.example"))
                    .as(path)
                    .isEqualTo(403);
        }
        try (Socket socket = new Socket("127.0.0.1", gateway.clients("/").getPort())) {
            socket.getOutputStream()
                    .write("POST /v1/workloads/image/hello HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(12))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("HTTP/1.1 421");
        }
    }

    /** What the process listens to is read where the kernel tells it. */
    @Test
    void nothingListensButTheTwoAddresses() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")), "no /proc: what listens is not looked at");
        assertThat(gateway.listening())
                .containsExactlyInAnyOrder(
                        "127.0.0.1:" + gateway.clients("/").getPort(),
                        "127.0.0.1:" + gateway.control("/").getPort());
    }

    @Test
    void whatCallersMakeUpMakesNoMeter() throws Exception {
        post("hello", "x");
        status("POST", gateway.clients("/v1/workloads/made-up"));
        long before = samples();
        for (int i = 0; i < 500; i++) {
            HttpRequest request = ask("hello")
                    .header("X-Request-Id", "id-" + i)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            HTTP.send(request, HttpResponse.BodyHandlers.discarding());
            status("POST", gateway.clients("/v1/workloads/made-up-" + i));
        }
        assertThat(samples()).isEqualTo(before);
    }

    private static long samples() throws IOException, InterruptedException {
        HttpResponse<String> metrics = HTTP.send(
                HttpRequest.newBuilder(gateway.control("/metrics")).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(metrics.body()).contains("substrate_router_decisions_total");
        assertThat(TextFormat.faults(metrics.body())).isEmpty();
        return metrics.body()
                .lines()
                .filter(line -> line.startsWith("substrate_router"))
                .filter(line -> !line.contains("_max{")) // is gone when nothing was measured for a while
                .count();
    }

    private static int status(String method, URI address, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).method(method, HttpRequest.BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void toldToEndItLetsTheStreamsEndFirst(@TempDir Path folder) throws Exception {
        CountDownLatch before = new CountDownLatch(1);
        goOn = before;
        try (GatewayProcess ending = GatewayProcess.start(folder, policy(), "timeouts: { drain: 20s }\n", Map.of())) {
            URI held = ending.clients("/v1/workloads/image/held");
            HttpRequest request = HttpRequest.newBuilder(held)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            List<HttpResponse<InputStream>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream()));
                answers.get(i).body().readNBytes(5);
            }
            ending.terminate();
            HttpClient stranger = HttpClient.newHttpClient();
            Eventually.until("new connections are refused", () -> refused(stranger, held));
            assertThat(ending.alive()).as(ending.said()).isTrue();
            before.countDown();
            for (HttpResponse<InputStream> answer : answers) {
                assertThat(answer.body().readAllBytes())
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("last");
            }
            assertThat(ending.exitCode()).isEqualTo(143);
            assertThat(ending.said()).doesNotContain("Exception");
        }
    }

    private static boolean refused(HttpClient http, URI address) {
        try {
            HttpRequest request = HttpRequest.newBuilder(address.resolve("/nothing"))
                    .timeout(Duration.ofSeconds(2)) // a connection made in that very moment may be answered by nobody
                    .build();
            http.send(request, HttpResponse.BodyHandlers.discarding());
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException cut) {
            return false;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void withoutAPolicyItSaysSoAndEnds(@TempDir Path folder) {
        assertThatThrownBy(() -> GatewayProcess.start(folder, "version: 2", "", Map.of()))
                .hasMessageContaining("policy.yaml has 1 problem")
                .hasMessageContaining("version: 2");
    }

    /** So many zeros. */
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long many) {
            left = many;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (left <= 0) {
                return -1;
            }
            int many = (int) Math.min(left, most);
            left -= many;
            return many;
        }
    }
}
