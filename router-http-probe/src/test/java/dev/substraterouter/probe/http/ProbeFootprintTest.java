package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpServer;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a probe costs: processor time, threads and memory, with many substrates and with hostile ones. */
class ProbeFootprintTest {
    private static final String SERVERS = "footprint-server";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /**
     * Of one run: the share of one processor that the probe took, its most threads, those of them that last, and how many answers came. The
     * others are those on which the JDK's client hands an answer over, where there are few processors: how many there are at once depends on
     * how many answers come in a moment.
     */
    private record Cost(double share, int threads, int lasting, long answers) {}

    private static long cpuOfServers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(SERVERS)
                        || thread.getName().startsWith("HTTP-Dispatcher")
                        || thread == Thread.currentThread()
                        || isOfTheVirtualMachine(thread))
                .mapToLong(thread -> Math.max(0, THREADS.getThreadCpuTime(thread.getId())))
                .sum();
    }

    private static boolean isOfTheVirtualMachine(Thread thread) {
        return thread.getName().startsWith("C1 Compiler") || thread.getName().startsWith("C2 Compiler");
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith(SERVERS))
                .collect(Collectors.toSet());
    }

    /**
     * Asks so many substrates, and measures after a while.
     *
     * @param every how often each is asked
     * @param warmUp how many answers come before the measurement
     * @param measured how many answers it takes
     */
    private static Cost cost(int substrates, Duration every, long warmUp, long measured) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(4, Daemons.named(SERVERS));
        HttpServer server = HttpServer.create(Net.loopback(), 0);
        server.setExecutor(pool);
        server.createContext("/", exchange -> Net.reply(exchange, 200, Net.IDLE));
        server.start();
        AtomicLong answers = new AtomicLong();
        Set<Thread> before = threads();
        HttpStatusProbe probe = HttpStatusProbe.create();
        try {
            probe.start((id, source) -> counting(answers));
            List<StatusTarget> targets = new ArrayList<>();
            for (int i = 0; i < substrates; i++) {
                URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/status?" + i);
                targets.add(new StatusTarget("s" + i, List.of(StatusAddress.of(url)), every, Duration.ofSeconds(10)));
            }
            probe.targets(targets);
            Await.until("warm", Duration.ofMinutes(5), () -> answers.get() >= warmUp);
            long start = System.nanoTime();
            long cpu = SYSTEM.getProcessCpuTime() - cpuOfServers();
            int[] most = {0, 0};
            Await.until("measured", Duration.ofMinutes(5), () -> {
                Set<Thread> now = threads();
                now.removeAll(before);
                most[0] = Math.max(most[0], now.size());
                now.removeIf(thread -> thread.getName().matches("Thread-\\d+"));
                most[1] = Math.max(most[1], now.size());
                return answers.get() >= warmUp + measured;
            });
            double spent = SYSTEM.getProcessCpuTime() - cpuOfServers() - cpu;
            return new Cost(spent / (System.nanoTime() - start), most[0], most[1], answers.get());
        } finally {
            probe.close();
            server.stop(0);
            pool.shutdownNow();
        }
    }

    private static StatusTicket counting(AtomicLong answers) {
        return new StatusTicket() {
            @Override
            public void answered(SubstrateStatus status) {
                answers.incrementAndGet();
            }

            @Override
            public void failed(String reason) {
                throw new AssertionError(reason);
            }
        };
    }

    @Test
    @DisplayName("200 substrates, asked every half a second: what one answer costs is less than every 5 s may cost")
    void anAnswerIsCheap() throws IOException {
        Duration every = Duration.ofMillis(500);
        Cost cost = cost(200, every, 2_000, 1_200);
        double shareAtFiveSeconds = cost.share * every.toMillis() / 5_000;
        System.getLogger(ProbeFootprintTest.class.getName())
                .log(System.Logger.Level.INFO, cost + " at 5 s: " + shareAtFiveSeconds);
        assertThat(shareAtFiveSeconds).isLessThan(0.20);
        assertThat(cost.lasting).isLessThanOrEqualTo(8);
    }

    @Test
    @Tag("soak")
    @DisplayName("200 substrates every 5 s: less than 20 % of one processor after warm-up, at most 8 threads")
    void twoHundred() throws IOException {
        Cost cost = cost(200, Duration.ofSeconds(5), 1_200, 1_600);
        System.getLogger(ProbeFootprintTest.class.getName()).log(System.Logger.Level.INFO, "200: " + cost);
        assertThat(cost.share).isLessThan(0.20);
        assertThat(cost.threads).isLessThanOrEqualTo(8);
    }

    @Test
    @Tag("soak")
    @DisplayName("1,000 substrates every 5 s: less than 45 % of one processor after warm-up")
    void aThousand() throws IOException {
        Cost cost = cost(1_000, Duration.ofSeconds(5), 6_000, 8_000);
        System.getLogger(ProbeFootprintTest.class.getName()).log(System.Logger.Level.INFO, "1000: " + cost);
        assertThat(cost.share).isLessThan(0.45);
    }

    private static long heapAfterCollection() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    @Test
    @DisplayName("a server that floods, asked a thousand times: memory stays flat and threads do not grow")
    void hostileServersCostNoMemory() throws IOException {
        Net net = new Net();
        byte[] junk = new byte[64 * 1024];
        Set<String> reasons = ConcurrentHashMap.newKeySet();
        AtomicLong failures = new AtomicLong();
        HttpStatusProbe probe = HttpStatusProbe.create();
        try {
            probe.start((id, source) -> new StatusTicket() {
                @Override
                public void answered(SubstrateStatus status) {
                    throw new AssertionError("an answer");
                }

                @Override
                public void failed(String reason) {
                    reasons.add(reason.replaceAll(":\\d+", ""));
                    failures.incrementAndGet();
                }
            });
            List<StatusTarget> targets = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                boolean declared = i % 2 == 0;
                Net.Raw flood = net.answering(
                        "HTTP/1.1 200 OK\r\n" + (declared ? "Content-Length: 10485760\r\n" : "")
                                + "Connection: close\r\n\r\n",
                        socket -> {
                            for (int n = 0; n < 160; n++) {
                                socket.getOutputStream().write(junk);
                            }
                        });
                targets.add(new StatusTarget(
                        "s" + i,
                        List.of(StatusAddress.of(flood.uri())),
                        Duration.ofMillis(10),
                        Duration.ofSeconds(10)));
            }
            probe.targets(targets);
            Await.until("warm", Duration.ofMinutes(1), () -> failures.get() >= 200);
            int threadsBefore = probeThreads();
            long before = heapAfterCollection();
            Await.until("a thousand", Duration.ofMinutes(1), () -> failures.get() >= 1_000);
            assertThat(heapAfterCollection() - before).isLessThan(16 << 20);
            assertThat(probeThreads()).isLessThanOrEqualTo(Math.max(8, threadsBefore));
            assertThat(reasons).allMatch(reason -> reason.equals("answer longer than 256 KiB (127.0.0.1)"));
        } finally {
            probe.close();
            net.close();
        }
    }

    private static int probeThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("substrate-probe"))
                .count();
    }
}
