package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.StatusTarget;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads, start and close. */
class LifecycleTest {
    private static final String NAME = "lifecycle";
    private static final int JDK_THAT_CAN_END_A_CLIENT = 21;

    private final Net net = new Net();
    private final RecordingSink sink = new RecordingSink();
    private final HttpStatusProbe probe = HttpStatusProbe.builder().name(NAME).build();

    @AfterEach
    void close() throws Exception {
        probe.close();
        net.close();
    }

    /** Threads of probes that were there before: the client of another test may not have been collected yet. */
    private final Set<Thread> before = all();

    private static Set<Thread> all() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getName().startsWith(NAME) || thread.getName().startsWith("HttpClient-"))
                .collect(Collectors.toSet());
    }

    private List<String> threads() {
        return all().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .toList();
    }

    private void awaitNoThreads() {
        Await.until("the end of all threads of the probe", () -> {
            if (Runtime.version().feature() < JDK_THAT_CAN_END_A_CLIENT) {
                System.gc();
            }
            return threads().isEmpty();
        });
    }

    private static StatusTarget[] targets(int count, URI url, Duration every) {
        return IntStream.range(0, count)
                .mapToObj(i -> new StatusTarget(
                        "s" + i, List.of(StatusAddress.of(URI.create(url + "?" + i))), every, Duration.ofSeconds(15)))
                .toArray(StatusTarget[]::new);
    }

    @Test
    void aProbeHasNoThreadBeforeItsStartAndNoneAfterItsEnd() throws Exception {
        HttpStatusProbe own = HttpStatusProbe.builder().name(NAME).build();
        assertThat(threads()).isEmpty();
        URI url = net.http(200, Net.IDLE);
        Net.Raw silent = net.raw(Net::untilClosed);
        own.start(sink);
        own.targets(List.of(
                Net.target("a", url),
                Net.target("b", URI.create("http://localhost:" + url.getPort())),
                Net.target("c", silent.uri())));
        sink.awaitStatus("a");
        sink.awaitStatus("b");
        Await.until("a hanging question", () -> silent.connections.get() > 0);
        assertThat(threads()).isNotEmpty();
        own.close();

        awaitNoThreads();
        Await.until("the end of the hanging connection", () -> silent.ended.get() == silent.connections.get());
        assertThat(sink.of("c")).noneMatch(RecordingSink.Asked::done);
    }

    @Test
    void twoHundredSubstratesNeedNoMoreThreadsThanOne() {
        URI url = net.http(200, Net.IDLE);
        probe.start(sink);
        probe.targets(List.of(targets(200, url, Duration.ofMillis(500))));
        int[] most = {0};
        Await.until("answers of all", () -> {
            most[0] = Math.max(most[0], threads().size());
            return IntStream.range(0, 200).allMatch(i -> sink.answers("s" + i) >= 3);
        });

        assertThat(most[0]).isBetween(1, 8);
    }

    @Test
    void noAnswerComesAfterTheEnd() {
        URI url = net.http(200, Net.IDLE);
        probe.start(sink);
        probe.targets(List.of(targets(20, url, Duration.ofMillis(10))));
        Await.until("answers", () -> sink.asked.size() > 100);
        probe.close();
        awaitNoThreads(); // an answer that was being told at the end has been told
        long told = sink.asked.stream().filter(RecordingSink.Asked::done).count();
        int asked = sink.asked.size();
        probe.targets(List.of(targets(20, url, Duration.ofMillis(10))));
        probe.refresh("s1");
        probe.start(sink);

        assertThat(threads()).isEmpty();
        assertThat(sink.asked).hasSize(asked);
        assertThat(sink.asked.stream().filter(RecordingSink.Asked::done).count())
                .isEqualTo(told);
    }

    @Test
    void startTargetsRefreshAndCloseMayRace() throws Exception {
        URI url = net.http(200, Net.IDLE);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 40; round++) {
                HttpStatusProbe raced = HttpStatusProbe.builder().name(NAME).build();
                RecordingSink told = new RecordingSink();
                CyclicBarrier barrier = new CyclicBarrier(4);
                List<Runnable> actions = List.of(
                        () -> raced.start(told),
                        () -> raced.targets(List.of(targets(5, url, Duration.ofMillis(10)))),
                        () -> IntStream.range(0, 20).forEach(i -> raced.refresh("s" + i % 5)),
                        raced::close);
                List<Future<?>> all = new ArrayList<>();
                for (Runnable action : actions) {
                    all.add(pool.submit(() -> {
                        barrier.await();
                        action.run();
                        return null;
                    }));
                }
                for (Future<?> each : all) {
                    each.get(20, TimeUnit.SECONDS);
                }
                assertThat(raced.toString()).contains("0 addresses", "CLOSED");
            }
        } finally {
            pool.shutdown();
        }
        awaitNoThreads();
    }

    @Test
    void targetsRefreshesAndAnswersMayRace() {
        URI url = net.http(200, Net.IDLE);
        probe.start(sink);
        StatusTarget[] all = targets(10, url, Duration.ofMillis(10));
        for (int i = 0; i < 300; i++) {
            probe.targets(List.of(all).subList(i % 5, 5 + i % 6));
            probe.refresh("s" + i % 10);
        }
        probe.targets(List.of(all[3]));
        long before = sink.answers("s3");
        Await.until("answers of the one that stayed", () -> sink.answers("s3") > before + 3);
        long others = sink.asked.size() - sink.of("s3").size();
        Await.until("more answers of it", () -> sink.answers("s3") > before + 10);

        assertThat((long) sink.asked.size() - sink.of("s3").size()).isEqualTo(others);
    }

    @Test
    void aGivenExecutorAndTimeAreUsedAndLeftAlone() {
        ExecutorService mine = Executors.newFixedThreadPool(1, Daemons.named("mine"));
        var time = new dev.substraterouter.time.SystemTimeSource("mine-timer");
        HttpStatusProbe own = HttpStatusProbe.builder()
                .name(NAME)
                .executor(mine)
                .timeSource(time)
                .seed(1)
                .build();
        own.start(sink);
        own.targets(List.of(Net.target("a", net.http(200, Net.IDLE))));
        sink.awaitStatus("a");
        assertThat(sink.of("a").get(0).thread).startsWith("mine-");
        assertThat(threads()).allMatch(name -> name.startsWith("HttpClient-"));
        own.close();

        assertThat(mine.isShutdown()).isFalse();
        mine.shutdown();
        time.close();
    }

    @Test
    @Tag("soak")
    void twoHundredSubstratesAtFiveSecondsCostLittle() {
        URI url = net.http(200, Net.IDLE);
        probe.start(sink);
        probe.targets(List.of(targets(200, url, Duration.ofSeconds(5))));
        Await.until("the warm-up", () -> IntStream.range(0, 200).allMatch(i -> sink.answers("s" + i) >= 1));
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        int asked = sink.asked.size();
        int[] most = {0};
        Await.until("a measure", () -> {
            most[0] = Math.max(most[0], Thread.activeCount());
            return System.nanoTime() - start > Duration.ofSeconds(15).toNanos();
        });
        double share = (double) (system.getProcessCpuTime() - cpu) / (System.nanoTime() - start);
        System.out.printf(
                "200 substrates at 5 s: %.1f %% of one core (the servers included), %d answers in 15 s, threads %s, with those of the servers and the test at most %d%n",
                100 * share, sink.asked.size() - asked, threads(), most[0]);

        assertThat(share).isLessThan(0.2);
    }
}
