package dev.substraterouter.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.testkit.Policies;
import dev.substraterouter.testkit.Statuses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One router, many threads, everything at once; see {@link Turmoil} for what must hold during and afterwards. */
class StressTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final int THREADS = 16;
    private static final int REQUESTS = 210_000;
    private Level before;

    @BeforeEach
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        LOG.setLevel(before);
    }

    @Test
    void holdsWhatItPromisesOnPlatformThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            turmoil(threads, 1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void holdsWhatItPromisesOnVirtualThreads(@TempDir Path folder) throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "no virtual threads here");
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withStackTrace().withThreshold(Duration.ZERO);
            recording.start();
            turmoil(threads, 1);
            recording.stop();
            Path file = Files.createTempFile(folder, "pinned", ".jfr");
            recording.dump(file);
            assertThat(pinnedByTheRouter(file)).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Tag("soak")
    @Test
    void holdsWhatItPromisesForLong() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            turmoil(threads, 20);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Nothing but requests that wait: each release must reach somebody, since nobody looks by himself for a minute. */
    @Test
    void losesNoWakeUp() throws Exception {
        int threads = THREADS;
        int each = 2_500;
        Policy policy = Policies.smallestBuilder()
                .queue(QueueLimits.builder()
                        .capacity(threads)
                        .retryEvery(Duration.ofMinutes(1))
                        .maxWait(Duration.ofMinutes(1))
                        .build())
                .build();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (SubstrateRouter router =
                SubstrateRouter.builder().policy(policy).name("ping-pong").build()) {
            router.reportStatus("mirrorforge", Statuses.idle(64));
            router.reportStatus("legion", Statuses.idle(32));
            List<Callable<Duration>> tasks = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                String workload = thread % 2 == 0 ? "flux-fill" : "sdxl";
                tasks.add(() -> longestWait(router, workload, each));
            }
            for (Future<Duration> longest : pool.invokeAll(tasks, 40, TimeUnit.SECONDS)) {
                assertThat(longest.get()).isLessThan(Duration.ofSeconds(10));
            }
            assertThat(router.shutdown(Duration.ofSeconds(1))).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }

    private static Duration longestWait(SubstrateRouter router, String workload, int requests) throws Exception {
        Duration longest = Duration.ZERO;
        for (int request = 0; request < requests; request++) {
            if (request % 500 == 0) {
                router.reportStatus("mirrorforge", Statuses.idle(64)); // keeps the status fresh
                router.reportStatus("legion", Statuses.idle(32));
            }
            try (var placement = router.place(RouteRequest.workload(workload))) {
                Duration waited = placement.trace().waited();
                longest = waited.compareTo(longest) > 0 ? waited : longest;
            }
        }
        return longest;
    }

    private static void turmoil(ExecutorService threads, int times) throws Exception {
        long seed = System.nanoTime();
        System.out.println("StressTest: seed " + seed);
        try (Turmoil turmoil = new Turmoil(threads, THREADS, seed)) {
            long began = System.nanoTime();
            for (int batch = 0; batch < 3 * times; batch++) {
                turmoil.batch(REQUESTS / 3);
            }
            System.out.printf("StressTest: %s in %.1f s%n", turmoil.summary(), (System.nanoTime() - began) / 1e9);
            turmoil.checkAtTheEnd();
        }
    }

    private static List<String> pinnedByTheRouter(Path file) throws IOException {
        List<String> events = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            boolean pinned = event.getEventType().getName().equals("jdk.VirtualThreadPinned");
            if (pinned && event.getStackTrace() != null && !byItsOwnInterruption(event)) {
                for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                    String type = frame.getMethod().getType().getName();
                    if (type.startsWith("dev.substraterouter.") && !type.startsWith("dev.substraterouter.stress.")) {
                        events.add(event.toString());
                    }
                }
            }
        }
        return events;
    }

    /** The JDK's own lock inside {@code Thread.interrupted()}, met by the one who interrupts: nothing a library could avoid. */
    private static boolean byItsOwnInterruption(RecordedEvent event) {
        var top = event.getStackTrace().getFrames().get(0).getMethod();
        return top.getType().getName().equals("java.lang.VirtualThread")
                && top.getName().toLowerCase(java.util.Locale.ROOT).contains("interrupt");
    }
}
