package dev.substraterouter.examples.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinksTest {
    private static final Caller ME = Caller.of("me");
    private static final Caller YOU = Caller.of("you");

    private final HandTime time = new HandTime();
    private Links links = links(new LinkLimits(3, 100, 250, Duration.ofMinutes(10)));

    private Links links(LinkLimits limits) {
        try {
            return new Links(() -> "http://gateway", limits, time);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void quiet() {
        assertThat(links.waiting()).isZero();
    }

    @AfterEach
    void close() throws IOException {
        links.close();
    }

    @Test
    void theLinkTellsWhatItIs() throws IOException {
        Link link = keep(ME, "hello");
        assertThat(link.url()).startsWith("http://gateway/v1/links/");
        assertThat(token(link)).hasSizeGreaterThanOrEqualTo(22); // 128 bits and more in Base64
        assertThat(link.size()).isEqualTo(5);
        assertThat(link.contentType()).isEqualTo("text/plain");
        assertThat(link.expiresInSeconds()).isEqualTo(600);
    }

    @Test
    void itWorksOnce() throws IOException {
        Link link = keep(ME, "hello");
        assertThat(fetch(ME, link)).contains("hello");
        assertThat(fetch(ME, link)).isEmpty();
        assertThat(links).hasToString("Links[0/3, bytes 0/250]");
    }

    @Test
    void nobodyElseFetchesItOrTakesItAway() throws IOException {
        Link link = keep(ME, "hello");
        assertThat(fetch(YOU, link)).isEmpty();
        assertThat(fetch(Caller.ANYBODY, link)).isEmpty();
        assertThat(fetch(ME, link)).contains("hello");
    }

    @Test
    void itExpires() throws IOException {
        Link link = keep(ME, "hello");
        time.advance(Duration.ofMinutes(10).minusNanos(1));
        assertThat(links.waiting()).isOne();
        time.advance(Duration.ofNanos(1));
        assertThat(links.waiting()).isZero();
        assertThat(fetch(ME, link)).isEmpty();
        assertThat(links).hasToString("Links[0/3, bytes 0/250]");
    }

    @Test
    void theOldestGoesWhenThereAreTooMany() throws IOException {
        List<Link> all = List.of(keep(ME, "1"), keep(ME, "2"), keep(ME, "3"), keep(ME, "4"));
        assertThat(fetch(ME, all.get(0))).isEmpty();
        assertThat(fetch(ME, all.get(1))).contains("2");
        assertThat(fetch(ME, all.get(3))).contains("4");
    }

    @Test
    void theOldestGoesWhenThereAreTooManyBytes() throws IOException {
        List<Link> all = List.of(keep(ME, "a".repeat(100)), keep(ME, "b".repeat(100)), keep(ME, "c".repeat(90)));
        assertThat(fetch(ME, all.get(0))).isEmpty();
        assertThat(fetch(ME, all.get(1))).isPresent();
        assertThat(fetch(ME, all.get(2))).isPresent();
    }

    @Test
    void whatIsBeingReadTakesRoomAndIsNotEvicted() throws IOException {
        Link first = keep(ME, "a".repeat(100));
        try (Links.Claimed reading = links.claim(ME, token(first)).orElseThrow()) {
            keep(ME, "b".repeat(100));
            keep(ME, "c".repeat(100)); // for which b goes
            assertThat(links.waiting()).isOne();
            assertThat(text(reading.body())).hasSize(100);
        }
        assertThat(links).hasToString("Links[1/3, bytes 100/250]");
    }

    @Test
    void nothingRemainsOfWhatIsTooLargeOrCut() {
        assertThatThrownBy(() -> keep(ME, "a".repeat(101)))
                .isInstanceOf(LinksFullException.class)
                .hasMessage("the answer is larger than 100 bytes");
        assertThatThrownBy(() -> links.keep(ME, "text/plain", new byte[10], cut()))
                .isInstanceOf(IOException.class)
                .hasMessage("cut");
        assertThat(links).hasToString("Links[0/3, bytes 0/250]");
    }

    @Test
    void closedKeepsNothing() throws IOException {
        Link link = keep(ME, "hello");
        links.close();
        assertThat(fetch(ME, link)).isEmpty();
        assertThatThrownBy(() -> keep(ME, "more"))
                .isInstanceOf(LinksFullException.class)
                .hasMessage("the links are closed");
    }

    @Test
    void ofManyWhoClaimAtOnceOneGetsIt() throws Exception {
        int many = 8;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            for (int round = 0; round < 20; round++) {
                Link link = keep(ME, "hello");
                CyclicBarrier start = new CyclicBarrier(many);
                List<Callable<Boolean>> claims = new ArrayList<>();
                for (int n = 0; n < many; n++) {
                    claims.add(() -> {
                        start.await();
                        return fetch(ME, link).isPresent();
                    });
                }
                int got = 0;
                for (Future<Boolean> each : threads.invokeAll(claims)) {
                    got += each.get() ? 1 : 0;
                }
                assertThat(got).isOne();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(links).hasToString("Links[0/3, bytes 0/250]");
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> new LinkLimits(0, 1, 1, Duration.ofSeconds(1)))
                .hasMessage("count: 0 (expected: >= 1)");
        assertThatThrownBy(() -> new LinkLimits(1, 5, 4, Duration.ofSeconds(1))).hasMessage("all: 4 (expected: >= 5)");
        assertThatThrownBy(() -> new LinkLimits(1, 1, 1, Duration.ZERO)).hasMessage("keep: PT0S (expected: above 0)");
    }

    private Link keep(Caller owner, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int half = bytes.length / 2;
        return links.keep(
                owner,
                "text/plain",
                Arrays.copyOf(bytes, half),
                new ByteArrayInputStream(bytes, half, bytes.length - half));
    }

    private Optional<String> fetch(Caller caller, Link link) throws IOException {
        Optional<Links.Claimed> claimed = links.claim(caller, token(link));
        if (claimed.isEmpty()) {
            return Optional.empty();
        }
        try (Links.Claimed answer = claimed.get()) {
            return Optional.of(text(answer.body()));
        }
    }

    private static String text(InputStream body) throws IOException {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String token(Link link) {
        return link.url().substring(link.url().lastIndexOf('/') + 1);
    }

    private static InputStream cut() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("cut");
            }
        };
    }

    /** Time that goes on when it is told to. */
    private static final class HandTime implements TimeSource {
        private final List<Task> tasks = new ArrayList<>();
        private long now;

        private record Task(long due, Runnable run) {}

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(now);
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable run) {
            Task task = new Task(now + delay.toNanos(), run);
            tasks.add(task);
            return () -> tasks.remove(task);
        }

        void advance(Duration by) {
            now += by.toNanos();
            List<Task> due =
                    tasks.stream().filter(task -> task.due() - now <= 0).toList();
            tasks.removeAll(due);
            due.forEach(task -> task.run().run());
        }
    }
}
