package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worker's side, over real sockets. */
class StatusServerTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Supplier<SubstrateStatus> IDLE =
            () -> SubstrateStatus.builder().gpuUtilPct(3).runningJobs(0).build();

    private static URI uri(StatusServer server, String path) {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    }

    private static HttpResponse<String> ask(StatusServer server, String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(server, path))
                .timeout(Duration.ofSeconds(20))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void servesTheStatus() throws Exception {
        try (StatusServer server = StatusServer.start(Net.loopback(), IDLE)) {
            HttpResponse<String> answer = ask(server, "GET", "/status");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"gpu_util_pct\":3.0,\"running_jobs\":0}");
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        }
    }

    @Test
    void answersItsHeadAndNothingElse() throws Exception {
        try (StatusServer server = StatusServer.start(Net.loopback(), IDLE)) {
            assertThat(ask(server, "HEAD", "/status").statusCode()).isEqualTo(200);
            assertThat(ask(server, "HEAD", "/status").body()).isEmpty();
            HttpResponse<String> posted = ask(server, "POST", "/status");
            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(posted.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(ask(server, "GET", "/").statusCode()).isEqualTo(404);
            assertThat(ask(server, "GET", "/status/more").statusCode()).isEqualTo(404);
            assertThat(ask(server, "GET", "/status?x=1").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void asksForItsToken() throws Exception {
        try (StatusServer server = StatusServer.builder(IDLE).token("s3cret").start(Net.loopback())) {
            assertThat(ask(server, "GET", "/status").statusCode()).isEqualTo(401);
            assertThat(ask(server, "GET", "/status", "Authorization", "Bearer s3cre")
                            .statusCode())
                    .isEqualTo(401);
            HttpResponse<String> right = ask(server, "GET", "/status", "Authorization", "Bearer s3cret");
            assertThat(right.statusCode()).isEqualTo(200);
        }
        assertThatThrownBy(() -> StatusServer.builder(IDLE).token("two words"))
                .hasMessageStartingWith("token: ")
                .hasMessageNotContaining("words");
    }

    @Test
    void aReaderThatThrows() throws Exception {
        Supplier<SubstrateStatus> broken = () -> {
            throw new IllegalStateException("no card");
        };
        try (StatusServer server = StatusServer.start(Net.loopback(), broken)) {
            HttpResponse<String> answer = ask(server, "GET", "/status");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .isEqualTo("{\"error\":\"the reading failed: java.lang.IllegalStateException: no card\"}");
        }
    }

    @Test
    void aReaderThatBlocks() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Supplier<SubstrateStatus> blocked = () -> {
            try {
                end.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
            return IDLE.get();
        };
        try (StatusServer server = StatusServer.builder(blocked)
                .answerWithin(Duration.ofMillis(30))
                .start(Net.loopback())) {
            for (int i = 0; i < 6; i++) {
                assertThat(ask(server, "GET", "/status").statusCode()).isEqualTo(503);
            }
            assertThat(ask(server, "GET", "/status").body()).startsWith("{\"error\":\"a reading still runs after ");
            assertThat(threads("status-reader")).isLessThanOrEqualTo(1 + threadsBefore);
            end.countDown();
            Await.until("it answers again", () -> code(server) == 200);
        }
    }

    private final long threadsBefore = threads("status-reader");

    private static int code(StatusServer server) {
        try {
            return ask(server, "GET", "/status").statusCode();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }

    @Test
    void aWorkerThatIsNotReady() throws Exception {
        try (StatusServer server = StatusServer.start(
                Net.loopback(),
                () -> SubstrateStatus.builder().notReady("loading").build())) {
            HttpResponse<String> answer = ask(server, "GET", "/status");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("{\"not_ready\":\"loading\"}");
        }
    }

    @Test
    void jobsAreCountedForEachAnswerWhileTheCardIsShared() throws Exception {
        AtomicInteger read = new AtomicInteger();
        WorkerGate gate = WorkerGate.limit(2);
        Supplier<SubstrateStatus> card = () -> {
            read.incrementAndGet();
            return SubstrateStatus.builder().gpuUtilPct(50).build();
        };
        try (StatusServer server = StatusServer.builder(gate.status(card))
                .freshFor(Duration.ofMinutes(1))
                .start(Net.loopback())) {
            assertThat(ask(server, "GET", "/status").body()).contains("\"running_jobs\":0");
            try (WorkerGate.Pass pass = gate.tryEnter().orElseThrow()) {
                assertThat(pass).isNotNull();
                assertThat(ask(server, "GET", "/status").body()).contains("\"running_jobs\":1");
            }
            assertThat(ask(server, "GET", "/status").body()).contains("\"running_jobs\":0");
            assertThat(read).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void everyAddressOfTheMachineMustBeAskedFor(String wildcard) throws Exception {
        InetSocketAddress every = new InetSocketAddress(InetAddress.getByName(wildcard), 0);
        assertThatThrownBy(() -> StatusServer.start(every, IDLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is every address of this machine (expected: one address, or anyAddress(true))");
        assertThatThrownBy(() -> StatusServer.start(InetSocketAddress.createUnresolved("nowhere", 0), IDLE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyAddressWhenAskedFor() throws Exception {
        try (StatusServer server = StatusServer.builder(IDLE).anyAddress(true).start(new InetSocketAddress(0))) {
            assertThat(ask(server, "GET", "/status").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void closingLeavesNothing() throws Exception {
        long before = threads("status-");
        StatusServer server = StatusServer.start(Net.loopback(), IDLE);
        assertThat(ask(server, "GET", "/status").statusCode()).isEqualTo(200);
        server.close();
        server.close();
        assertThatThrownBy(() -> ask(server, "GET", "/status")).isInstanceOf(IOException.class);
        Await.until("its threads end", () -> threads("status-") <= before);
    }

    @Test
    void settingsOutOfRange() {
        assertThatThrownBy(() -> StatusServer.builder(IDLE).freshFor(Duration.ofMillis(-1)))
                .hasMessage("freshFor: PT-0.001S (expected: PT0S to PT1M)");
        assertThatThrownBy(() -> StatusServer.builder(IDLE).answerWithin(Duration.ZERO))
                .hasMessage("answerWithin: PT0S (expected: PT0.001S to PT1M)");
    }
}
