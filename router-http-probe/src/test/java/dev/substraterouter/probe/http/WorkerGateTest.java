package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.probe.http.WorkerGate.Pass;
import dev.substraterouter.status.SubstrateStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The worker's door: how many are in, who is refused, and with what. */
class WorkerGateTest {
    private final WorkerGate gate = WorkerGate.limit(2);

    @Test
    void letsInUpToItsLimit() {
        Pass first = gate.tryEnter().orElseThrow();
        Pass second = gate.tryEnter().orElseThrow();
        assertThat(gate.tryEnter()).isEmpty();
        assertThat(gate.running()).isEqualTo(2);
        first.close();
        first.close();
        assertThat(gate.running()).isEqualTo(1);
        assertThat(gate.tryEnter()).isPresent();
        second.close();
        assertThat(gate).hasToString("WorkerGate[1/2]");
        assertThat(gate.limit()).isEqualTo(2);
    }

    @Test
    void limitsOutOfRange() {
        assertThatThrownBy(() -> WorkerGate.limit(0)).hasMessage("limit: 0 (expected: >= 1)");
        assertThatThrownBy(() -> WorkerGate.limit(1, Duration.ZERO)).hasMessageContaining("retryAfter: PT0S");
        assertThatThrownBy(() -> WorkerGate.limit(1, Duration.ofHours(2))).hasMessageContaining("at most PT1H");
    }

    @Test
    void neverMoreUnderLoad() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8, Daemons.named("test-gate"));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(threads.submit(() -> {
                for (int j = 0; j < 20_000; j++) {
                    Optional<Pass> pass = gate.tryEnter();
                    if (pass.isPresent()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        pass.get().close();
                        pass.get().close();
                    }
                }
            }));
        }
        for (Future<?> one : all) {
            one.get(20, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(most.get()).isBetween(1, 2);
        assertThat(gate.running()).isZero();
    }

    @Test
    void itsStatusCountsJobs() {
        SubstrateStatus card =
                SubstrateStatus.builder().runningJobs(7).gpuUtilPct(5).build();
        try (Pass pass = gate.tryEnter().orElseThrow()) {
            assertThat(pass).isNotNull();
            SubstrateStatus told = gate.status(() -> card).get();
            assertThat(told.runningJobs()).hasValue(1);
            assertThat(told.gpuUtilPct()).hasValue(5);
        }
    }

    @Test
    void refusesWithItsStatus() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        SubstrateStatus card = SubstrateStatus.builder().gpuUtilPct(88).build();
        try (Net net = new Net();
                Pass other = gate.tryEnter().orElseThrow()) {
            assertThat(other).isNotNull();
            URI work = net.http(gate.guard(
                    exchange -> {
                        await(end);
                        Net.reply(exchange, 200, "done");
                    },
                    () -> card));
            HttpClient http = HttpClient.newHttpClient();
            HttpRequest job = HttpRequest.newBuilder(work)
                    .POST(HttpRequest.BodyPublishers.ofString("a picture"))
                    .build();
            var served = http.sendAsync(job, BodyHandlers.ofString());
            Await.until("it runs", () -> gate.running() == 2);
            HttpResponse<byte[]> refused = http.send(job, BodyHandlers.ofByteArray());
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            BackpressureException full = Backpressure.of(refused).orElseThrow();
            assertThat(full.retryAfter()).isEqualTo(Duration.ofSeconds(1));
            assertThat(full.status())
                    .contains(SubstrateStatus.builder()
                            .gpuUtilPct(88)
                            .runningJobs(2)
                            .build());
            end.countDown();
            assertThat(served.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
            Await.until("it is out", () -> gate.running() == 1);
        }
    }

    @Test
    void aRefusalDoesNotWaitForItsCard() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Net net = new Net();
                Pass one = gate.tryEnter().orElseThrow();
                Pass two = gate.tryEnter().orElseThrow()) {
            assertThat(one).isNotSameAs(two);
            URI work = net.http(gate.guard(exchange -> Net.reply(exchange, 200, ""), () -> {
                await(end);
                return SubstrateStatus.builder().build();
            }));
            HttpResponse<byte[]> refused =
                    HttpClient.newHttpClient().send(HttpRequest.newBuilder(work).build(), BodyHandlers.ofByteArray());
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(Backpressure.of(refused)
                            .orElseThrow()
                            .status()
                            .orElseThrow()
                            .runningJobs())
                    .hasValue(2);
        } finally {
            end.countDown();
        }
    }

    @Test
    void workThatThrowsGivesItsPlaceBack() throws Exception {
        try (Net net = new Net()) {
            URI work = net.http(gate.guard(exchange -> {
                exchange.close();
                throw new IllegalStateException("broken work");
            }));
            assertThatThrownBy(() -> HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(work).build(), BodyHandlers.ofByteArray()))
                    .isInstanceOf(java.io.IOException.class);
            Await.until("it is out", () -> gate.running() == 0);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLargeRequestIsRefusedWithAnAnswerAndNotWithABrokenConnection() throws Exception {
        WorkerGate full = WorkerGate.limit(1);
        try (Net net = new Net();
                WorkerGate.Pass held = full.tryEnter().orElseThrow()) {
            URI work = net.http(full.guard(exchange -> Net.reply(exchange, 200, "")));
            java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient();
            for (int megabytes : new int[] {1, 4, 1, 4, 1, 4}) {
                java.net.http.HttpRequest request = java.net.http.HttpRequest.newBuilder(work)
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(new byte[megabytes << 20]))
                        .build();
                assertThat(client.send(request, java.net.http.HttpResponse.BodyHandlers.ofByteArray())
                                .statusCode())
                        .isEqualTo(429);
            }
            assertThat(held).isNotNull();
        }
    }
}
