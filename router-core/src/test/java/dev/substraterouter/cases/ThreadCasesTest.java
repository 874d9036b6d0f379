package dev.substraterouter.cases;

import static dev.substraterouter.cases.Rig.SECOND;
import static dev.substraterouter.cases.Rig.WORK;
import static dev.substraterouter.cases.Rig.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.UnknownWorkloadException;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.testkit.HandDrivenTime;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the section "Threads, memory, metrics, interrupts, virtual threads". */
@ExtendWith(QuietLog.class)
@Timeout(120)
class ThreadCasesTest {

    // J71

    @Test
    @DisplayName("a thousand routers that are created and closed leave no thread behind [J71]")
    void closedRoutersLeaveNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        for (int i = 0; i < 1_000; i++) {
            SubstrateRouter router = onRealTime("j71-closed", pool(1, "v100"));
            assertThat(router.tryPlace(WORK)).isPresent();
            CompletableFuture<Placement> waiter = router.placeAsync(WORK);
            router.close();
            assertThat(waiter).isCompletedExceptionally();
        }
        assertThat(alive("j71-closed")).isEmpty();
        Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
        after.removeAll(before);
        assertThat(after)
                .filteredOn(thread -> thread.getName().contains("router"))
                .isEmpty();
    }

    @Test
    @DisplayName("a router has one thread, however many calls wait or run [J71]")
    void aRouterHasOneThread() throws Exception {
        Policy.Builder policy = pool(1, "v100", "legion")
                .queue(QueueLimits.builder().capacity(500).build());
        try (SubstrateRouter router = onRealTime("j71-open", policy)) {
            for (int i = 0; i < 300; i++) {
                router.callAsync(WORK, placement -> new CompletableFuture<>());
            }
            assertThat(threads("j71-open")).hasSize(1).allMatch(Thread::isDaemon);
        }
        assertThat(alive("j71-open")).isEmpty();
    }

    private enum Trouble {
        STATUS_SOURCE_STARTS,
        POLICY_SOURCE_STARTS,
        STATUS_SOURCE_CLOSES,
        POLICY_SOURCE_CLOSES
    }

    /** A status source and a policy source that throw when they are told to. */
    private static final class Troubled implements StatusSource, PolicySource {
        private final Trouble trouble;
        int closed;

        Troubled(Trouble trouble) {
            this.trouble = trouble;
        }

        @Override
        public void start(StatusSink sink) {
            throwOn(Trouble.STATUS_SOURCE_STARTS);
        }

        @Override
        public void targets(List<StatusTarget> targets) {}

        @Override
        public void refresh(String substrateId) {}

        @Override
        public Policy current() {
            return pool(1, "v100").build();
        }

        @Override
        public void start(PolicySink sink) {
            throwOn(Trouble.POLICY_SOURCE_STARTS);
        }

        @Override
        public void close() {
            closed++;
            throwOn(Trouble.STATUS_SOURCE_CLOSES);
            throwOn(Trouble.POLICY_SOURCE_CLOSES);
        }

        private void throwOn(Trouble when) {
            if (when == trouble) {
                throw new IllegalStateException(when.name());
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Trouble.class)
    @DisplayName("a source that throws when it starts or closes leaves no thread and no other source running [J71]")
    void troubleAtTheEndsLeavesNothingBehind(Trouble trouble) throws Exception {
        String name = "j71-" + trouble;
        boolean policySource = trouble.name().startsWith("POLICY");
        Troubled troubled = new Troubled(trouble);
        Troubled other = new Troubled(null);
        SubstrateRouter.Builder builder = SubstrateRouter.builder().name(name).executor(Runnable::run);
        builder.statusSource(policySource ? other : troubled).statusSource(other);
        if (policySource) {
            builder.policySource(troubled);
        } else {
            builder.policy(pool(1, "v100").build());
        }
        if (trouble.name().endsWith("STARTS")) {
            assertThatThrownBy(builder::build).hasMessage(trouble.name());
        } else {
            builder.build().close();
        }
        boolean neverStarted = trouble == Trouble.POLICY_SOURCE_STARTS; // perhaps since it is another router's
        assertThat(troubled.closed).isEqualTo(neverStarted ? 0 : 1);
        assertThat(other.closed).isPositive();
        assertThat(alive(name)).isEmpty();
    }

    @Test
    @DisplayName("a program that never closes its router ends when its main method does [J71]")
    void anOpenRouterKeepsNoJvmAlive(@TempDir Path dir) throws Exception {
        File output = dir.resolve("output").toFile();
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Embedded.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(program.waitFor(60, TimeUnit.SECONDS))
                    .as("ended by itself")
                    .isTrue();
            assertThat(program.exitValue())
                    .as(Files.readString(output.toPath()))
                    .isZero();
            assertThat(Files.readString(output.toPath())).contains("placed on legion");
        } finally {
            program.destroyForcibly();
        }
    }

    private static SubstrateRouter onRealTime(String name, Policy.Builder policy) {
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(policy.build())
                .name(name)
                .executor(Runnable::run)
                .build();
        router.policy().substrates().forEach(one -> router.reportStatus(one.id(), Statuses.idle(24)));
        return router;
    }

    private static List<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .toList();
    }

    /** The threads of a name that do not end. */
    private static List<Thread> alive(String name) throws InterruptedException {
        for (Thread thread : threads(name)) {
            thread.join(10_000);
        }
        return threads(name);
    }

    // J73

    @Test
    @DisplayName("the library has no monitor, no thread-local and no loop that yields [J73, J77]")
    void noMonitorsAndNoThreadLocals() throws Exception {
        Path root = Path.of(SubstrateRouter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.map(Path::toString)
                    .filter(file -> file.endsWith(".class"))
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(50);
        StringWriter code = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("-c", "-p"));
        arguments.addAll(files);
        int result = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(new PrintWriter(code), new PrintWriter(code), arguments.toArray(String[]::new));
        assertThat(result).isZero();
        Pattern forbidden = Pattern.compile("^ +\\d+: monitorenter"
                + "|^  (?! ).*\\bsynchronized\\b.*\\("
                + "|java/lang/(Inheritable)?ThreadLocal"
                + "|java/lang/Thread\\.(yield|onSpinWait|sleep)"
                + "|java/lang/Object\\.(wait|notify)");
        assertThat(code.toString()
                        .lines()
                        .filter(line -> forbidden.matcher(line).find()))
                .isEmpty();
        assertThat(code.toString()).as("it did read the code").contains("LockSupport.parkNanos");
    }

    // J74

    @Test
    @DisplayName("100,000 requests with names, ids, attributes and failures of their own leave nothing behind [J74]")
    void nothingGrowsWithWhatCallersMakeUp() throws Exception {
        nothingGrowsWithWhatCallersMakeUp(100_000);
    }

    @Tag("soak")
    @Timeout(900)
    @Test
    @DisplayName("1,000,000 requests with names, ids, attributes and failures of their own leave nothing behind [J74]")
    void nothingGrowsWithWhatCallersMakeUpForLong() throws Exception {
        nothingGrowsWithWhatCallersMakeUp(1_000_000);
    }

    private static void nothingGrowsWithWhatCallersMakeUp(int requests) throws Exception {
        SubstrateRouter router = SubstrateRouter.builder()
                .policy(pool(1, "v100", "legion").build())
                .timeSource(new HandDrivenTime())
                .executor(Runnable::run)
                .recentTraces(100)
                .listener(event -> {})
                .traceSink(trace -> {})
                .build();
        try (router) {
            router.reportStatus("v100", Statuses.idle(24));
            router.reportStatus("legion", Statuses.idle(24));
            int warm = 5_000;
            for (int i = 0; i < warm; i++) {
                useOnce(router, i);
            }
            long before = usedHeap();
            for (int i = warm; i < requests; i++) {
                useOnce(router, i);
            }
            long grown = usedHeap() - before;
            // each request made up more than a kilobyte
            assertThat(grown).as("bytes").isLessThan(requests * 100L);
            assertThat(router.recentTraces()).hasSize(100);
            assertThat(router.substrates()).hasSize(2).allMatch(view -> view.leases() == 0);
            assertThat(router.routes()).singleElement().matches(view -> view.waiting() == 0);
        }
    }

    private static void useOnce(SubstrateRouter router, int number) throws Exception {
        String own = number + "-" + "x".repeat(240);
        RouteRequest request = WORK.requestId("id" + own)
                .identity("who" + own)
                .attribute("key" + number, own)
                .attribute("tenant", own)
                .prefer("substrate" + own)
                .avoid("nowhere" + own);
        switch (number % 8) {
            case 0 -> router.tryPlace(request).orElseThrow().close();
            case 1 -> router.call(request, placement -> own);
            case 2 -> {
                try {
                    router.call(request, placement -> {
                        throw new IllegalArgumentException(own);
                    });
                } catch (IllegalArgumentException expected) {
                    assertThat(expected).hasMessage(own);
                }
            }
            case 3 -> {
                try {
                    router.tryPlace(RouteRequest.workload("workload" + own));
                } catch (UnknownWorkloadException expected) {
                    assertThat(expected.retryAfter()).isEmpty();
                }
            }
            case 4 -> {
                try (Placement one = router.tryPlace(request).orElseThrow();
                        Placement two = router.tryPlace(request).orElseThrow()) {
                    router.placeAsync(request).cancel(true);
                    assertThat(router.tryPlace(request)).isEmpty();
                    one.served("model" + own, own);
                    two.busy(Duration.ofNanos(1));
                }
                router.reportStatus("v100", Statuses.idle(24));
                router.reportStatus("legion", Statuses.idle(24));
            }
            case 5 -> router.recommend(request);
            case 6 ->
                router.reportStatus(
                        "v100",
                        Statuses.healthy(24)
                                .attribute("key" + number, own)
                                .loadedModels("model" + own)
                                .build());
            default -> {
                try {
                    router.reportStatus("substrate" + own, Statuses.idle(24));
                } catch (IllegalArgumentException expected) {
                    assertThat(expected).hasMessageContaining("no substrate");
                }
            }
        }
    }

    private static long usedHeap() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            used = Math.min(
                    used,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    // J76

    @Test
    @DisplayName("an interrupt before a blocking call ends it at once, with nothing held [J76]")
    void anInterruptBeforeACallEndsIt() {
        try (Rig rig = new Rig(pool(1, "v100"))) {
            List<Blocking> calls = List.of(
                    () -> rig.router.place(WORK),
                    () -> rig.router.call(WORK, placement -> "never"),
                    () -> rig.router.awaitReady(Duration.ofSeconds(20)),
                    () -> rig.router.shutdown(Duration.ofSeconds(20)));
            for (Blocking call : calls) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(call::run).isInstanceOf(InterruptedException.class);
                assertThat(Thread.interrupted())
                        .as("the exception stands for the flag")
                        .isFalse();
                assertThat(rig.leases()).isZero();
            }
        } finally {
            Thread.interrupted();
        }
    }

    @FunctionalInterface
    private interface Blocking {
        void run() throws Exception;
    }

    @Test
    @DisplayName("methods that cannot throw it leave the interrupt flag set, and work [J76]")
    void whatCannotThrowKeepsTheFlag() {
        try (Rig rig = new Rig(pool(1, "v100"))) {
            Thread.currentThread().interrupt();
            Placement placement = rig.place();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK);
            placement.close();
            waiter.join().close();
            rig.router.cordon("v100");
            rig.router.uncordon("v100");
            rig.router.reload(rig.router.policy());
            rig.healthy("v100");
            assertThat(rig.router.recommend(WORK).best()).isPresent();
            assertThat(Thread.interrupted()).isTrue();
            CompletableFuture<Object> call = rig.router.callAsync(WORK, at -> {
                throw new InterruptedException();
            });
            assertThat(call).isCompletedExceptionally();
            assertThat(Thread.interrupted())
                    .as("swallowed by a stage, so the flag tells")
                    .isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    @DisplayName("an interrupted waiter leaves at once, and those behind it are looked at [J76]")
    void anInterruptedWaiterLeaves() throws Exception {
        try (Rig rig = new Rig(pool(1, "v100"))) {
            Placement holder = rig.place();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    rig.router.call(WORK, placement -> "never");
                } catch (Throwable t) {
                    thrown.set(t);
                }
            });
            thread.start();
            rig.awaitQueued(1);
            CompletableFuture<Placement> behind = rig.router.placeAsync(WORK);
            thread.interrupt();
            thread.join(20_000);
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(rig.waiting()).isEqualTo(1);
            holder.close();
            assertThat(behind).isCompleted();
        }
    }

    @Test
    @DisplayName("a grant that meets an interrupt is used or handed on, never lost [J76]")
    void aGrantThatMeetsAnInterruptIsHandedOn() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Rig rig = new Rig(pool(1, "v100"))) {
            for (int round = 0; round < 2_000; round++) {
                Placement holder = rig.place();
                AtomicReference<Thread> waiter = new AtomicReference<>();
                CountDownLatch go = new CountDownLatch(1);
                Future<Optional<Placement>> first = threads.submit(() -> {
                    waiter.set(Thread.currentThread());
                    try {
                        return Optional.of(rig.router.place(WORK));
                    } catch (InterruptedException interrupted) {
                        return Optional.empty();
                    } finally {
                        Thread.interrupted();
                    }
                });
                rig.awaitQueued(1);
                CompletableFuture<Placement> second = rig.router.placeAsync(WORK);
                Future<?> closing = threads.submit(() -> {
                    go.await();
                    holder.close();
                    return null;
                });
                go.countDown();
                waiter.get().interrupt();
                closing.get(20, TimeUnit.SECONDS);
                first.get(20, TimeUnit.SECONDS).ifPresent(Placement::close);
                // whoever of the two got the place first, it is the second one's now
                assertThat(second.get(20, TimeUnit.SECONDS).substrateId()).isEqualTo("v100");
                assertThat(rig.leases()).isEqualTo(1);
                assertThat(rig.waiting()).isZero();
                second.join().close();
                rig.awaitQueued(1);
                rig.forgetEvents();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("a restart hook that is interrupted fails the restart and keeps its thread's flag [J76]")
    void anInterruptedRestartKeepsTheFlag() {
        try (Rig rig = new Rig(
                pool(1, "v100"),
                builder -> builder.operator(id -> {
                    throw new InterruptedException();
                }))) {
            CompletableFuture<Void> kick = rig.router.kick("v100");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(kick).isCompletedExceptionally();
            assertThat(rig.view("v100").cordoned()).isFalse();
        } finally {
            Thread.interrupted();
        }
    }

    // J77

    @Test
    @DisplayName("10,000 virtual threads that place, wait and call never pin their carrier in the library [J77]")
    void virtualThreadsAreNotPinned(@TempDir Path dir) throws Exception {
        assumeTrue(Runtime.version().feature() >= 25, "the event and the threads are those of JDK 25");
        Path file = dir.resolve("pinned.jfr");
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        Policy.Builder policy = pool(32, "v100", "legion")
                .queue(QueueLimits.builder().capacity(1_000).build());
        Semaphore atOnce = new Semaphore(500);
        AtomicInteger served = new AtomicInteger();
        AtomicInteger waited = new AtomicInteger();
        try (Recording recording = new Recording();
                SubstrateRouter router = SubstrateRouter.builder()
                        .policy(policy.build())
                        .executor(virtual)
                        .listener(event -> {
                            if (event instanceof RouterEvent.Queued) {
                                waited.incrementAndGet();
                            }
                        })
                        .build()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            router.reportStatus("v100", Statuses.idle(24));
            router.reportStatus("legion", Statuses.idle(24));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                all.add(virtual.submit(() -> {
                    atOnce.acquire();
                    try {
                        try (Placement placement = router.place(WORK)) {
                            LockSupport.parkNanos(100_000);
                            placement.succeed();
                        }
                        router.call(WORK, placement -> {
                            LockSupport.parkNanos(100_000);
                            return placement.substrateId();
                        });
                        served.incrementAndGet();
                    } finally {
                        atOnce.release();
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
            assertThat(virtual.submit(() -> Pinning.WAITED).get(20, TimeUnit.SECONDS))
                    .isTrue();
            recording.stop();
            recording.dump(file);
        } finally {
            virtual.shutdownNow();
        }
        assertThat(served).hasValue(10_000);
        assertThat(waited).hasPositiveValue();
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events).filteredOn(ThreadCasesTest::inTheLibrary).isEmpty();
        assertThat(events).as("one that pins on purpose was seen").isNotEmpty();
    }

    /** Pins its carrier: it waits while it is initialised. */
    private static final class Pinning {
        static final boolean WAITED;

        static {
            LockSupport.parkNanos(1_000_000);
            WAITED = true;
        }
    }

    private static boolean inTheLibrary(RecordedEvent event) {
        String tests = ThreadCasesTest.class.getPackageName();
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .map(frame -> frame.getMethod().getType().getName())
                        .anyMatch(name -> name.startsWith("dev.substraterouter.") && !name.startsWith(tests));
    }

    private static final class StuckAppender extends Handler {
        final CountDownLatch stuck = new CountDownLatch(1);

        @Override
        public void publish(LogRecord record) {
            try {
                stuck.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    @DisplayName(
            "a listener, a sink and a log appender that are stuck stall no pick, and what they miss is bounded [J77]")
    void stuckObserversStallNoPick() throws Exception {
        StuckAppender appender = new StuckAppender();
        QuietLog.LOG.addHandler(appender);
        ExecutorService executor = Executors.newFixedThreadPool(3);
        AtomicInteger heard = new AtomicInteger();
        AtomicInteger traces = new AtomicInteger();
        try (Rig rig = new Rig(pool(1, "v100", "legion"), builder -> builder.executor(executor)
                        .listener(event -> {
                            await(appender.stuck);
                            heard.incrementAndGet();
                        })
                        .traceSink(trace -> {
                            await(appender.stuck);
                            traces.incrementAndGet();
                        }));
                Crew crew = new Crew(4)) {
            crew.rounds(
                    500,
                    4,
                    round -> {
                        for (int i = 0; i < 4; i++) {
                            rig.router.place(WORK).close(); // falls back and waits, of which the log wants to know
                        }
                    },
                    round -> assertThat(rig.leases()).isZero());
            appender.stuck.countDown();
            executor.shutdown();
            assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertThat(heard.get()).isBetween(1, 1_100);
            assertThat(traces.get()).isBetween(1, 1_100);
        } finally {
            appender.stuck.countDown();
            executor.shutdownNow();
            QuietLog.LOG.removeHandler(appender);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    // J79

    private static Policy.Builder ejecting(int slots, String... ids) {
        return pool(slots, ids)
                .ejection(EjectionLimits.builder()
                        .consecutiveFaults(3)
                        .window(Duration.ofSeconds(10))
                        .maxWindow(Duration.ofSeconds(10))
                        .ramp(Duration.ZERO)
                        .build());
    }

    @Test
    @DisplayName("under contention there is one event for each change of state, in order, for each substrate [J79]")
    void oneEventForEachChange() throws Exception {
        int cycles = 300;
        try (Rig rig = new Rig(ejecting(8, "v100"));
                Crew crew = new Crew(8)) {
            List<Placement> held = Collections.synchronizedList(new ArrayList<>());
            // three rounds a cycle: everybody fails at once; everybody grasps for the trial; the trial succeeds for all
            // to race
            for (int i = 0; i < 8; i++) {
                held.add(rig.place());
            }
            AtomicInteger nth = new AtomicInteger();
            crew.rounds(
                    cycles * 2,
                    8,
                    round -> {
                        if (round % 2 == 0) {
                            held.get(nth.getAndIncrement()).nodeFault(new IOException("boom"));
                        } else {
                            rig.router.tryPlace(WORK).ifPresent(held::add);
                        }
                    },
                    round -> {
                        nth.set(0);
                        if (round % 2 == 0) {
                            held.clear();
                            rig.time.advance(rig.outFor("v100"));
                            rig.freshen();
                        } else {
                            assertThat(held).as("one trial").hasSize(1);
                            held.remove(0).succeed();
                            for (int i = 0; i < 8; i++) {
                                held.add(rig.place());
                            }
                        }
                    });
            List<String> changes = rig.events().stream()
                    .filter(event -> event instanceof RouterEvent.Ejected
                            || event instanceof RouterEvent.TrialStarted
                            || event instanceof RouterEvent.Returned)
                    .map(event -> event.getClass().getSimpleName())
                    .toList();
            List<String> expected = new ArrayList<>();
            for (int cycle = 0; cycle < cycles; cycle++) {
                expected.addAll(List.of("Ejected", "TrialStarted", "Returned"));
            }
            assertThat(changes).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("a listener that acts on the router hears the events in their order all the same [J79]")
    void aListenerThatActsHearsTheOrder() {
        Deque<Runnable> later = new ArrayDeque<>();
        AtomicReference<Executor> executor = new AtomicReference<>(Runnable::run);
        List<String> heard = new ArrayList<>();
        AtomicReference<Runnable> onTrial = new AtomicReference<>(() -> {});
        try (Rig rig = new Rig(ejecting(8, "v100"), builder -> builder.executor(
                        task -> executor.get().execute(task))
                .listener(event -> {
                    heard.add(event.getClass().getSimpleName());
                    if (event instanceof RouterEvent.TrialStarted) {
                        onTrial.getAndSet(() -> {}).run();
                    }
                }))) {
            rig.eject("v100");
            CompletableFuture<Placement> waiter = rig.router.placeAsync(WORK.maxWait(Duration.ofMinutes(1)));
            heard.clear();
            executor.set(later::add);
            rig.time.advance(rig.outFor("v100")); // the waiter gets the trial, which nobody has told yet
            executor.set(Runnable::run);
            onTrial.set(() -> {
                for (int fault = 0; fault < 3; fault++) {
                    rig.place().nodeFault(new IOException("boom"));
                }
            });
            rig.router.reset("v100");
            assertThat(heard)
                    .filteredOn(name -> !name.equals("Placed") && !name.equals("Failed"))
                    .containsExactly("TrialStarted", "Returned", "Ejected");
            while (!later.isEmpty()) {
                later.poll().run();
            }
            waiter.join().close();
        }
    }

    @Test
    @DisplayName("a reset of a substrate that is back already tells nothing; of one that is out, once [J79]")
    void aResetTellsOnlyAChange() {
        try (Rig rig = new Rig(ejecting(8, "v100"))) {
            rig.router.reset("v100");
            assertThat(rig.heard(RouterEvent.Returned.class)).isEmpty();
            rig.eject("v100");
            rig.time.advance(rig.outFor("v100"));
            rig.place().succeed();
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
            rig.router.reset("v100");
            rig.time.advance(Duration.ofMinutes(1));
            rig.router.reset("v100");
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(1);
            rig.eject("v100");
            rig.router.reset("v100");
            rig.router.reset("v100");
            assertThat(rig.heard(RouterEvent.Returned.class)).hasSize(2);
        }
    }

    @Test
    @DisplayName("a trial that stays silent is told as an ejection without anybody asking [J79]")
    void aSilentTrialIsTold() {
        try (Rig rig = new Rig(ejecting(8, "v100"))) {
            rig.eject("v100");
            rig.time.advance(rig.outFor("v100"));
            rig.place();
            assertThat(rig.heard(RouterEvent.TrialStarted.class)).hasSize(1);
            rig.time.advance(Duration.ofSeconds(70));
            assertThat(rig.heard(RouterEvent.Ejected.class)).hasSize(2);
        }
    }

    // J80

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"consecutive faults", "faults of the last 10", "trial failed", "trial stayed silent"})
    @DisplayName(
            "every ejection tells the substrate, the rule, what was counted, the limit, for how long and the last error [J80]")
    void everyEjectionTellsWhy(String rule) {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Handler appender = new Handler() {
            @Override
            public void publish(LogRecord record) {
                lines.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        QuietLog.LOG.addHandler(appender);
        try (Rig rig = new Rig(ejecting(8, "v100", "legion"))) {
            switch (rule) {
                case "consecutive faults" -> {
                    for (int fault = 0; fault < 3; fault++) {
                        rig.fault();
                    }
                }
                case "faults of the last 10" -> {
                    for (int fault = 0; fault < 5; fault++) {
                        rig.fault();
                        rig.freshen();
                        rig.router.tryPlace(WORK).ifPresent(Placement::succeed);
                    }
                }
                default -> {
                    rig.eject("v100");
                    rig.time.advance(rig.outFor("v100").plus(SECOND));
                    Placement trial = rig.place();
                    assertThat(trial.substrateId()).isEqualTo("v100");
                    if (rule.equals("trial failed")) {
                        trial.nodeFault(new IOException("boom again"));
                    } else {
                        rig.time.advance(Duration.ofSeconds(65));
                    }
                }
            }
            List<RouterEvent.Ejected> ejections = rig.heard(RouterEvent.Ejected.class);
            RouterEvent.Ejected last = ejections.get(ejections.size() - 1);
            assertThat(last.substrateId()).isEqualTo("v100");
            assertThat(last.rule()).isEqualTo(rule);
            assertThat(last.limit()).isPositive();
            assertThat(last.observed()).isGreaterThanOrEqualTo(last.limit());
            assertThat(last.window()).isBetween(Duration.ofMillis(8_500), Duration.ofSeconds(10));
            if (rule.equals("trial stayed silent")) {
                assertThat(last.error()).as("it said nothing").isEmpty();
            } else {
                assertThat(last.error()).as("its sort, not its text").contains("java.io.IOException");
            }
            assertThat(lines)
                    .filteredOn(line -> line.contains("v100 ejected for"))
                    .hasSameSizeAs(ejections)
                    .last()
                    .asString()
                    .contains(rule);
            assertThat(rig.view("v100").ejectedUntil()).isPresent();
            assertThat(rig.view("v100").verdict().reason()).contains("ejected for another");
            assertThat(rig.router.recommend(WORK).explain()).contains("v100: not now: ejected for another");
        } finally {
            QuietLog.LOG.removeHandler(appender);
        }
    }
}
