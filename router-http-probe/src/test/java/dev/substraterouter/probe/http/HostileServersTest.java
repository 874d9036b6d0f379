package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.StatusTarget;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that mean ill, over raw sockets: each is a failed answer with its reason, and nobody else's trouble. */
class HostileServersTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    private static final byte[] JUNK = "x".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);

    private final Net net = new Net();
    private final RecordingSink sink = new RecordingSink();
    private final HttpStatusProbe probe = HttpStatusProbe.create();
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        over.countDown();
        probe.close();
        net.close();
    }

    private void ask(StatusTarget... targets) {
        probe.start(sink);
        probe.targets(List.of(targets));
    }

    /** Writes one byte now and then, for as long as somebody listens. */
    private void drip(Socket socket, String what) throws IOException, InterruptedException {
        for (int i = 0; !over.await(20, TimeUnit.MILLISECONDS); i++) {
            socket.getOutputStream().write(what.charAt(i % what.length()));
            socket.getOutputStream().flush();
        }
    }

    private static void flood(Socket socket) throws IOException {
        while (true) {
            socket.getOutputStream().write(JUNK);
        }
    }

    private Net.Raw silent() {
        return net.raw(Net::untilClosed);
    }

    private Net.Raw slowHead() {
        return net.answering("HTTP/1.1 200 OK\r\nX-Slow: ", socket -> drip(socket, "z"));
    }

    private Net.Raw slowBody() {
        return net.answering(HEAD + "Content-Length: 1000\r\n\r\n{", socket -> drip(socket, " "));
    }

    private Net.Raw endlessBody() {
        return net.answering(HEAD + "Connection: close\r\n\r\n", HostileServersTest::flood);
    }

    private Net.Raw endlessChunks() {
        return net.answering(HEAD + "Transfer-Encoding: chunked\r\n\r\n", socket -> {
            while (true) {
                socket.getOutputStream().write("10000\r\n".getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(JUNK);
                socket.getOutputStream().write("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        });
    }

    private Net.Raw declaredTooLong() {
        return net.answering(HEAD + "Content-Length: 10485760\r\n\r\n", HostileServersTest::flood);
    }

    private Net.Raw endlessHead() {
        return net.answering("HTTP/1.1 200 OK\r\n", socket -> {
            for (int i = 0; ; i++) {
                socket.getOutputStream().write(("X-" + i + ": " + "y".repeat(1_000) + "\r\n").getBytes());
            }
        });
    }

    private Net.Raw cutShort() {
        return net.answering(HEAD + "Content-Length: 1000\r\n\r\n{\"running", socket -> {});
    }

    private Net.Raw resetInBody() {
        return net.answering(HEAD + "Content-Length: 1000\r\n\r\n{\"running", socket -> socket.setSoLinger(true, 0));
    }

    private Net.Raw closesAtOnce() {
        return net.answering("", socket -> {});
    }

    private Net.Raw notHttp() {
        return net.answering("220 mail.example ESMTP secret\r\n\r\n", Net::untilClosed);
    }

    private Net.Raw badLength() {
        return net.answering(HEAD + "Content-Length: many\r\n\r\n" + Net.IDLE, Net::untilClosed);
    }

    private Net.Raw badChunk() {
        return net.answering(HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + Net.IDLE, Net::untilClosed);
    }

    private Net.Raw endlessError() {
        return net.answering("HTTP/1.1 503 Busy\r\nContent-Length: 10485760\r\n\r\n", HostileServersTest::flood);
    }

    /** A kilobyte that says it is 10 MB, and would unpack to it. */
    private Net.Raw gzipBomb() {
        return net.answering(
                HEAD + "Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n",
                socket -> socket.getOutputStream().write(new byte[1_000]));
    }

    private Net.Raw redirectLoop() {
        return net.answering("HTTP/1.1 302 Found\r\nLocation: /status\r\nContent-Length: 0\r\n\r\n", Net::untilClosed);
    }

    private Net.Raw page() {
        String page = "<!DOCTYPE html><html>secret</html>";
        return net.answering(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + page.length() + "\r\n\r\n" + page,
                Net::untilClosed);
    }

    /** It has closed its half of the connection and never takes the other to be at its end. */
    private Net.Raw halfOpen() {
        return net.answering(HEAD + "Content-Length: 1000\r\n\r\n{", socket -> {
            socket.shutdownOutput();
            Net.untilClosed(socket);
        });
    }

    private Map<Net.Raw, String> all() {
        Map<Net.Raw, String> all = new LinkedHashMap<>();
        all.put(silent(), "timed out after 0.5 s");
        all.put(slowHead(), "timed out after 0.5 s");
        all.put(slowBody(), "timed out after 0.5 s");
        all.put(endlessBody(), "answer longer than 256 KiB");
        all.put(endlessChunks(), "answer longer than 256 KiB");
        all.put(declaredTooLong(), "answer longer than 256 KiB");
        all.put(endlessHead(), "not HTTP");
        all.put(cutShort(), "answer cut short");
        all.put(resetInBody(), "reset");
        all.put(closesAtOnce(), "closed without an answer");
        all.put(notHttp(), "not HTTP");
        all.put(badLength(), "not HTTP");
        all.put(badChunk(), "not HTTP");
        all.put(endlessError(), "status 503");
        all.put(gzipBomb(), "content encoding gzip");
        all.put(redirectLoop(), "status 302: more than 3 redirects");
        all.put(page(), "not a status: HTML");
        all.put(halfOpen(), "answer cut short");
        return all;
    }

    private static StatusTarget target(Net.Raw raw, String reason) {
        String id = raw.uri().toString();
        return reason.startsWith("timed out") ? Net.hasty(id, raw.uri()) : Net.target(id, raw.uri());
    }

    @Test
    @DisplayName("each fails with its reason, and a healthy substrate's answers come in time [R7]")
    void eachFailsWithItsReasonAndDelaysNoOther() {
        try (Lateness machine = new Lateness()) {
            eachFailsAndDelaysNoOther(machine);
        }
    }

    private void eachFailsAndDelaysNoOther(Lateness machine) {
        Map<Net.Raw, String> all = all();
        List<StatusTarget> targets = new ArrayList<>();
        targets.add(Net.target("healthy", net.http(200, Net.IDLE)));
        all.forEach((raw, reason) -> targets.add(target(raw, reason)));
        ask(targets.toArray(StatusTarget[]::new));

        all.forEach((raw, reason) -> {
            String told = sink.awaitReason(raw.uri().toString());
            assertThat(told).startsWith(reason).contains("127.0.0.1:").doesNotContain("secret");
        });
        Await.until("answers of the healthy one", () -> sink.answers("healthy") >= 30);
        List<RecordingSink.Asked> asked = sink.of("healthy");
        for (int i = 1; i < asked.size(); i++) {
            assertThat(Duration.ofNanos(asked.get(i).nanos - asked.get(i - 1).nanos))
                    .as("gap before question %d", i)
                    .isLessThan(Duration.ofMillis(100 + 500).plus(machine.most().multipliedBy(2)));
        }
        assertThat(sink.reasons("healthy")).isEmpty();
    }

    /** How late this machine wakes a thread that has nothing to do with the probe: what no poller can make up for. */
    private static final class Lateness implements AutoCloseable {
        private static final long PERIOD_NANOS = Duration.ofMillis(20).toNanos();
        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        private final AtomicLong most = new AtomicLong();
        private final AtomicLong last = new AtomicLong(System.nanoTime());

        Lateness() {
            clock.scheduleAtFixedRate(this::tick, PERIOD_NANOS, PERIOD_NANOS, TimeUnit.NANOSECONDS);
        }

        private void tick() {
            long now = System.nanoTime();
            long late = now - last.getAndSet(now) - PERIOD_NANOS;
            most.accumulateAndGet(late, Math::max);
        }

        Duration most() {
            return Duration.ofNanos(most.get());
        }

        @Override
        public void close() {
            clock.shutdownNow();
        }
    }

    @Test
    void noConnectionOfAHostileServerIsLeftOpen() {
        Map<Net.Raw, String> all = all();
        ask(all.entrySet().stream()
                .map(each -> target(each.getKey(), each.getValue()))
                .toArray(StatusTarget[]::new));
        all.keySet().forEach(raw -> sink.awaitReason(raw.uri().toString()));
        probe.targets(List.of());

        for (Net.Raw raw : all.keySet()) {
            Await.until(
                    "the end of " + raw.connections + " connections after "
                            + sink.reasons(raw.uri().toString()),
                    () -> raw.ended.get() == raw.connections.get());
        }
    }

    @Test
    void neverMoreThanOneConnectionToAHangingServer() {
        Net.Raw raw = silent();
        ask(Net.hasty("a", raw.uri()));
        Await.until("several missed answers", () -> {
            probe.refresh("a");
            return sink.reasons("a").size() >= 4;
        });

        assertThat(raw.connections.get()).isLessThanOrEqualTo(sink.reasons("a").size() + 1);
    }

    @Test
    void aServerWhoseQueueIsFullIsATimeOut() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, Net.loopback().getAddress())) {
            List<Socket> fillers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Socket filler = new Socket();
                fillers.add(filler);
                try {
                    filler.connect(full.getLocalSocketAddress(), 100);
                } catch (IOException isFull) {
                    break;
                }
            }
            ask(Net.hasty("a", Net.uri("http", full.getLocalPort())));

            assertThat(sink.awaitReason("a")).startsWith("timed out after 0.5 s");
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void moreThanTheDeclaredLengthIsNotRead() {
        Net.Raw raw = net.answering(
                HEAD + "Content-Length: " + Net.IDLE.length() + "\r\n\r\n" + Net.IDLE + Net.IDLE, Net::untilClosed);
        ask(Net.target("a", raw.uri()));

        assertThat(sink.awaitStatus("a").runningJobs()).hasValue(0);
    }

    @Test
    void anAnswerOfExactlyTheLimitIsRead() {
        String padded = " ".repeat(StatusFormat.DEFAULT_MAX_BYTES - Net.IDLE.length()) + Net.IDLE;
        ask(Net.target("a", net.http(200, padded)), Net.target("b", net.http(200, padded + " ")));

        assertThat(sink.awaitStatus("a").runningJobs()).hasValue(0);
        assertThat(sink.awaitReason("b")).startsWith("answer longer than 256 KiB");
    }

    @Test
    void lateAnswersOfARemovedSubstrateAreDropped() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Net.Raw late = net.raw(socket -> {
            Net.request(socket);
            asked.countDown();
            go.await();
            socket.getOutputStream()
                    .write((HEAD + "Content-Length: " + Net.IDLE.length() + "\r\n\r\n" + Net.IDLE).getBytes());
            Net.untilClosed(socket);
        });
        ask(Net.target("a", late.uri()));
        assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
        probe.targets(List.of(Net.target("b", net.http(200, Net.IDLE))));
        go.countDown();
        Await.until("the end of the connection", () -> late.ended.get() == 1);
        sink.awaitStatus("b");

        assertThat(sink.of("a")).hasSize(1).noneMatch(RecordingSink.Asked::done);
    }

    @Test
    @DisplayName("lookups that hang hold up names only, each once [R7]")
    void aTokenFileThatHangsDelaysNoOther() throws Exception {
        Path pipe = Files.createTempDirectory("probe").resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        URI url = net.http(200, Net.IDLE);
        StatusAddress hanging = new StatusAddress(url, "substrate", Optional.empty(), Optional.of(pipe.toString()));
        ask(
                Net.hasty("a", hanging),
                Net.target("b", url),
                Net.target("c", URI.create("http://localhost:" + url.getPort())));

        Await.until("several missed answers", () -> sink.reasons("a").size() >= 3);
        assertThat(sink.reasons("a")).allMatch("timed out after 0.5 s before it could be asked"::equals);
        sink.awaitStatus("b");
        sink.awaitStatus("c");
        // Whoever waits when the file can be read at last is sent; a write may come while nobody does.
        Await.until("an answer", () -> {
            write(pipe, "token");
            return sink.answers("a") > 0;
        });
        probe.close();
        write(pipe, ""); // lets a reader go
        Files.delete(pipe);
    }

    /** Opened for both ways, which on a pipe waits for nobody. */
    private static void write(Path pipe, String text) {
        try (RandomAccessFile both = new RandomAccessFile(pipe.toFile(), "rw")) {
            both.writeBytes(text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
