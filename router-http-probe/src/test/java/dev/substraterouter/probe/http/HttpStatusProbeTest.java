package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.StatusTarget;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The probe over real loopback sockets, with servers that mean well. */
class HttpStatusProbeTest {
    private static final String SECRET = "s3cr3t-token-42";

    private final Net net = new Net();
    private final RecordingSink sink = new RecordingSink();
    private final Map<String, String> environment = new ConcurrentHashMap<>();
    private final HttpStatusProbe probe =
            HttpStatusProbe.builder().environment(environment::get).build();

    private void ask(StatusTarget... targets) {
        probe.start(sink);
        probe.targets(List.of(targets));
    }

    @AfterEach
    void close() throws Exception {
        probe.close();
        net.close();
    }

    @Test
    void answersArriveAgainAndAgain() {
        URI url = net.http(200, Net.IDLE);
        ask(Net.target("a", url));

        assertThat(sink.awaitStatus("a").gpuUtilPct()).hasValue(3);
        Await.until("more answers", () -> sink.answers("a") >= 3);
        RecordingSink.Asked first = sink.of("a").get(0);
        assertThat(first.source).isEqualTo(url.toString());
        assertThat(first.thread).startsWith("substrate-probe-worker-");
        assertThat(sink.reasons("a")).isEmpty();
    }

    @Test
    void oneConnectionServesManyQuestions() {
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        URI url = net.http(exchange -> {
            ports.add(exchange.getRemoteAddress().getPort());
            Net.reply(exchange, 200, Net.IDLE);
        });
        ask(new StatusTarget("a", List.of(StatusAddress.of(url)), Duration.ofMillis(10), Duration.ofSeconds(15)));
        Await.until("many answers", () -> sink.answers("a") >= 30);

        assertThat(ports).hasSize(1);
    }

    @Test
    @DisplayName("polling asks for the status and for nothing else, so it loads no model [R17]")
    void onlyGetsOfTheStatus() {
        Set<String> requests = ConcurrentHashMap.newKeySet();
        AtomicInteger bodies = new AtomicInteger();
        URI url = net.http(exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Accept-Encoding") + " "
                    + exchange.getProtocol() + " "
                    + exchange.getRequestHeaders().containsKey("Authorization"));
            bodies.addAndGet(exchange.getRequestBody().readAllBytes().length);
            Net.reply(exchange, 200, Net.IDLE);
        });
        ask(Net.target("a", url));
        Await.until("a few answers", () -> sink.answers("a") >= 5);

        assertThat(requests).containsExactly("GET /status identity HTTP/1.1 false");
        assertThat(bodies).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 401, 404, 500, 503})
    void anotherCodeIsAFailedAnswer(int code) {
        ask(Net.target("a", net.http(code, code == 204 ? "" : Net.IDLE)));

        assertThat(sink.awaitReason("a")).startsWith("status " + code).contains(" (127.0.0.1:");
    }

    @Test
    void anAnswerThatIsNotAStatusIsAFailedOne() {
        ask(Net.target("a", net.http(200, "<html>proxy login</html>")), Net.target("b", net.http(200, "[]")));

        assertThat(sink.awaitReason("a"))
                .startsWith("not a status: HTML or XML")
                .contains("(127.0.0.1:");
        assertThat(sink.awaitReason("b")).startsWith("not a status: an array");
    }

    @Test
    void aCompressedAnswerIsRefused() {
        URI url = net.http(exchange -> {
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            Net.reply(exchange, 200, Net.IDLE);
        });
        ask(Net.target("a", url));

        assertThat(sink.awaitReason("a")).startsWith("content encoding gzip (expected: none");
    }

    @Test
    void nobodyListening() {
        URI url = Net.nobody();
        ask(Net.target("a", url));

        assertThat(sink.awaitReason("a")).isEqualTo("connection refused (127.0.0.1:" + url.getPort() + ")");
    }

    @Test
    void aNameNobodyKnows() {
        ask(Net.target("a", URI.create("http://no-such-host.invalid:9100/status")));

        assertThat(sink.awaitReason("a")).isEqualTo("unknown host (no-such-host.invalid:9100)");
    }

    @Test
    void aNameIsLookedUpAndAsked() {
        URI url = net.http(200, Net.IDLE);
        ask(Net.target("a", URI.create("http://localhost:" + url.getPort() + "/status")));

        sink.awaitStatus("a");
        Await.until("more answers", () -> sink.answers("a") >= 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ftp://127.0.0.1/status", "http:///status", "http://u:" + SECRET + "@127.0.0.1/s", "mailto:x"})
    void anAddressThatCannotBeAskedSaysSo(String url) {
        ask(Net.target("a", URI.create(url)));

        assertThat(sink.awaitReason("a"))
                .isEqualTo("address cannot be asked (expected: http or https, a host, no credentials)");
        assertThat(sink.of("a").get(0).source).doesNotContain(SECRET);
    }

    @Test
    void aFormatThatIsNotKnownSaysSo() {
        ask(Net.target("a", new StatusAddress(net.http(200, Net.IDLE), "tarot", Optional.empty(), Optional.empty())));

        assertThat(sink.awaitReason("a")).startsWith("format 'tarot' is not known (expected: substrate, vllm, ");
    }

    @Test
    void redirectsWithinTheServerAreFollowed() {
        AtomicInteger hops = new AtomicInteger();
        URI url = net.http(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/status/3")) {
                Net.reply(exchange, 200, Net.IDLE);
            } else {
                int hop = hops.getAndIncrement() % 3 + 1;
                exchange.getResponseHeaders().add("Location", "/status/" + hop);
                Net.reply(exchange, 300 + List.of(1, 7, 8).get(hop - 1), "moved");
            }
        });
        ask(Net.target("a", url));

        assertThat(sink.awaitStatus("a").runningJobs()).hasValue(0);
        assertThat(sink.of("a").get(0).status).isNotNull();
    }

    @Test
    void aRedirectLoopEnds() {
        AtomicInteger requests = new AtomicInteger();
        URI url = net.http(exchange -> {
            requests.incrementAndGet();
            exchange.getResponseHeaders().add("Location", "/status");
            Net.reply(exchange, 302, "");
        });
        ask(new StatusTarget("a", List.of(StatusAddress.of(url)), Duration.ofSeconds(60), Duration.ofSeconds(15)));

        assertThat(sink.awaitReason("a")).startsWith("status 302: more than 3 redirects");
        assertThat(requests.get()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void aRedirectElsewhereGetsNoConnection() {
        Net.Raw other = net.raw(socket -> {});
        environment.put("MF_TOKEN", SECRET);
        for (String to : List.of(
                other.uri().toString(),
                "//localhost:" + other.uri().getPort() + "/",
                "https://127.0.0.1/",
                "http://user@127.0.0.1:" + other.uri().getPort() + "/",
                "file:///etc/passwd")) {
            URI url = net.http(exchange -> {
                exchange.getResponseHeaders().add("Location", to);
                Net.reply(exchange, 302, "");
            });
            RecordingSink each = new RecordingSink();
            HttpStatusProbe own =
                    HttpStatusProbe.builder().environment(environment::get).build();
            own.start(each);
            own.targets(List.of(
                    Net.target("a", new StatusAddress(url, "substrate", Optional.of("MF_TOKEN"), Optional.empty()))));
            assertThat(each.awaitReason("a")).startsWith("status 302").contains("refused");
            own.close();
        }
        assertThat(other.connections).hasValue(0);
    }

    @Test
    void aRedirectToNowhereIsAFailedAnswer() {
        URI none = net.http(exchange -> Net.reply(exchange, 302, ""));
        URI bad = net.http(exchange -> {
            exchange.getResponseHeaders().add("Location", "http://[half/");
            Net.reply(exchange, 302, "");
        });
        ask(Net.target("a", none), Net.target("b", bad));

        assertThat(sink.awaitReason("a")).startsWith("status 302 without a usable location");
        assertThat(sink.awaitReason("b")).startsWith("status 302 without a usable location");
    }

    private URI expecting(AtomicReference<String> seen) {
        return net.http(exchange -> {
            seen.set(exchange.getRequestHeaders().getFirst("Authorization"));
            Net.reply(exchange, 200, Net.IDLE);
        });
    }

    @Test
    void theTokenIsReadFromTheVariableAtEachQuestion() {
        AtomicReference<String> seen = new AtomicReference<>("none");
        environment.put("MF_TOKEN", "  " + SECRET + "\n");
        ask(Net.target(
                "a", new StatusAddress(expecting(seen), "substrate", Optional.of("MF_TOKEN"), Optional.empty())));

        Await.until("the token", () -> ("Bearer " + SECRET).equals(seen.get()));
        environment.put("MF_TOKEN", "next");
        Await.until("the next token", () -> "Bearer next".equals(seen.get()));
        environment.remove("MF_TOKEN");
        assertThat(sink.awaitReason("a")).isEqualTo("auth: environment variable MF_TOKEN is not set");
    }

    @Test
    void troubleWithTheEnvironmentIsAFailedAnswerEachTime() {
        HttpStatusProbe denied = HttpStatusProbe.builder()
                .environment(name -> {
                    throw new SecurityException(SECRET);
                })
                .build();
        denied.start(sink);
        URI url = net.http(200, Net.IDLE);
        Optional<String> variable = Optional.of("MF_TOKEN");
        denied.targets(List.of(
                Net.target("a", new StatusAddress(url, "substrate", variable, Optional.empty())),
                Net.target(
                        "b",
                        new StatusAddress(
                                URI.create("http://localhost:" + url.getPort()),
                                "substrate",
                                variable,
                                Optional.empty()))));
        Await.until(
                "several reasons",
                () -> sink.reasons("a").size() > 1 && sink.reasons("b").size() > 1);
        denied.close();

        assertThat(sink.reasons("a")).allMatch("failed: SecurityException"::equals);
        assertThat(sink.reasons("b")).allMatch("failed: SecurityException"::equals);
    }

    @Test
    void theTokenIsReadFromTheFileAtEachQuestion(@TempDir Path dir) throws IOException {
        AtomicReference<String> seen = new AtomicReference<>("none");
        Path file = dir.resolve("token");
        Files.writeString(file, SECRET + "\r\n");
        ask(Net.target(
                "a", new StatusAddress(expecting(seen), "substrate", Optional.empty(), Optional.of(file.toString()))));

        Await.until("the token", () -> ("Bearer " + SECRET).equals(seen.get()));
        Files.delete(file);
        assertThat(sink.awaitReason("a")).isEqualTo("auth: file " + file + " cannot be read");
    }

    @Test
    void withoutItsTokenNothingIsSent() {
        Net.Raw server = net.raw(socket -> {});
        ask(
                Net.target(
                        "a", new StatusAddress(server.uri(), "substrate", Optional.of("MF_TOKEN"), Optional.empty())),
                Net.target(
                        "b", new StatusAddress(server.uri(), "substrate", Optional.empty(), Optional.of("/no/such"))));

        sink.awaitReason("a");
        assertThat(sink.awaitReason("b")).isEqualTo("auth: file /no/such cannot be read");
        assertThat(server.connections).hasValue(0);
    }

    @Test
    void theTokenIsNowhereToBeSeen() throws Exception {
        List<String> lines = new java.util.concurrent.CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage() + " " + line.getThrown());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        Level before = root.getLevel();
        root.addHandler(handler);
        root.setLevel(Level.ALL);
        try {
            StatusAddress refusing = new StatusAddress(Net.nobody(), "substrate", Optional.of("OK"), Optional.empty());
            StatusAddress broken = new StatusAddress(
                    net.raw(java.net.Socket::close).uri(), "substrate", Optional.of("OK"), Optional.empty());
            // The JDK's own check of a header's value quotes it in its exception.
            StatusAddress twoLines =
                    new StatusAddress(net.http(200, Net.IDLE), "substrate", Optional.of("TWO_LINES"), Optional.empty());
            URI echo = net.http(exchange ->
                    Net.reply(exchange, 200, exchange.getRequestHeaders().getFirst("Authorization")));
            StatusAddress echoing = new StatusAddress(echo, "substrate", Optional.of("OK"), Optional.empty());
            environment.put("OK", SECRET);
            environment.put("TWO_LINES", SECRET + "\r\nX-Evil: 1");
            ask(
                    Net.target("a", refusing),
                    Net.target("b", broken),
                    Net.target("c", twoLines),
                    Net.target("d", echoing));
            for (String id : List.of("a", "b", "c", "d")) {
                assertThat(sink.awaitReason(id)).doesNotContain(SECRET);
            }
            assertThat(sink.awaitReason("c")).startsWith("auth: environment variable TWO_LINES does not hold a token");
            assertThat(probe.toString()).doesNotContain(SECRET);
            assertThat(new Token(echoing, environment::get).toString()).isEqualTo("token in variable OK");
        } finally {
            root.removeHandler(handler);
            root.setLevel(before);
        }
        assertThat(lines).noneMatch(line -> line.contains(SECRET));
    }

    @Test
    void refreshAnswersAtOnce() {
        URI url = net.http(200, Net.IDLE);
        ask(new StatusTarget("a", List.of(StatusAddress.of(url)), Duration.ofMinutes(10), Duration.ofSeconds(15)));
        sink.awaitStatus("a");
        probe.refresh("a");

        Await.until("an answer out of turn", () -> sink.answers("a") == 2);
    }

    @Test
    void neverTwoAtATime() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        URI url = net.http(exchange -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
            Net.reply(exchange, 200, Net.IDLE);
        });
        ask(new StatusTarget("a", List.of(StatusAddress.of(url)), Duration.ofMillis(10), Duration.ofSeconds(15)));
        Await.until("many answers", () -> {
            probe.refresh("a");
            return sink.answers("a") > 50;
        });

        assertThat(most).hasValue(1);
        assertThat(sink.of("a").stream().filter(asked -> !asked.done())).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("no method waits for a server that hangs [R8]")
    void nothingBlocksTheCaller() throws Exception {
        Net.Raw silent = net.raw(Net::untilClosed);
        probe.start(sink);
        CountDownLatch done = new CountDownLatch(1);
        Thread caller = new Thread(() -> {
            for (int i = 0; i < 1_000; i++) {
                probe.targets(List.of(Net.target("a", silent.uri()), Net.target("b" + i, silent.uri())));
                probe.refresh("a");
            }
            probe.close();
            done.countDown();
        });
        caller.start();

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        caller.join();
    }

    @Test
    void aServerThatComesBackIsSeen() throws Exception {
        URI url = Net.nobody();
        ask(Net.target("a", url));
        sink.awaitReason("a");
        com.sun.net.httpserver.HttpServer late =
                com.sun.net.httpserver.HttpServer.create(new java.net.InetSocketAddress("127.0.0.1", url.getPort()), 0);
        late.createContext("/", exchange -> Net.reply(exchange, 200, Net.IDLE));
        late.start();
        try {
            sink.awaitStatus("a");
        } finally {
            late.stop(0);
        }
    }
}
