package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.status.SubstrateStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader against a fake tool that plays the fixtures, hangs, floods and fails. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the fake tool is a shell script")
class NvidiaSmiTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    private Path tool(String script) throws IOException {
        Path tool = dir.resolve("nvidia-smi");
        Files.writeString(tool, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
        return tool;
    }

    private NvidiaSmi smi(String script, Duration deadline) throws IOException {
        return NvidiaSmi.builder().executable(tool(script)).deadline(deadline).build();
    }

    private static String card(SubstrateStatus status) {
        assertThat(status.reachable()).isTrue();
        return String.valueOf(status.attributes().get("card"));
    }

    private String playing(String fixture) throws IOException {
        Path file = dir.resolve(fixture);
        Files.writeString(file, NvidiaSmiTextTest.fixture(fixture));
        return "cat '" + file + "'";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia-smi-normal.csv",
                "nvidia-smi-multi-noheader-nounits.csv",
                "nvidia-smi-unknown-error.csv",
                "nvidia-smi-no-devices.txt"
            })
    void readsWhatTheToolPrints(String fixture) throws IOException {
        assertThat(smi(playing(fixture), LONG).read())
                .isEqualTo(NvidiaSmiText.read(0, NvidiaSmiTextTest.fixture(fixture)));
    }

    @Test
    void asksForItsColumns() throws IOException {
        Path asked = dir.resolve("asked");
        smi("echo \"$*\" > '" + asked + "'", LONG).read();
        assertThat(asked)
                .hasContent("--query-gpu=index,uuid,name,utilization.gpu,memory.used,memory.total,temperature.gpu"
                        + " --format=csv\n");
    }

    @Test
    void wordsBeforeTheQuestion() throws IOException {
        NvidiaSmi smi = NvidiaSmi.builder()
                .command("/bin/sh", tool("echo \"first $1\"").toString(), "exec")
                .build();
        assertThat(card(smi.read())).contains("first exec");
        assertThatThrownBy(() -> NvidiaSmi.builder().command()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NvidiaSmi.builder().deadline(Duration.ZERO))
                .hasMessageContaining("deadline: PT0S (expected: > 0");
    }

    @Test
    void aDriverMismatch() throws IOException {
        SubstrateStatus status = smi(playing("nvidia-smi-driver-mismatch.txt") + "; exit 18", LONG)
                .read();
        assertThat(card(status)).contains("ended with 18", "different versions", "Driver/library version mismatch");
    }

    @Test
    void noTool() {
        NvidiaSmi smi = NvidiaSmi.builder().executable(dir.resolve("absent")).build();
        assertThat(card(smi.read())).startsWith("no nvidia-smi: ");
        assertThat(smi.read().gpus()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sleep 600", "trap '' TERM INT HUP; while :; do sleep 600; done", "echo 0, GPU-a; exec sleep 600"
            })
    void aToolThatHangsIsKilledWithItsChildren(String script) throws IOException {
        NvidiaSmi smi = smi(script, SHORT);
        long start = System.nanoTime();
        assertThat(card(smi.read())).isEqualTo("nvidia-smi did not end within 0.3 s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, LONG);
        Await.until("no child is left", () -> children().noneMatch(ProcessHandle::isAlive));
        assertThat(card(smi(playing("nvidia-smi-normal.csv"), LONG).read())).isEqualTo("ok");
    }

    private static Stream<ProcessHandle> children() {
        return ProcessHandle.current().descendants().filter(NvidiaSmiTest::isFake);
    }

    private static boolean isFake(ProcessHandle child) {
        return child.info().commandLine().orElse("").matches(".*(sleep 600|nvidia-smi|yes).*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec yes", "yes & wait", "exec yes >&2", "while :; do echo x; done"})
    void aFloodIsCutOff(String script) throws IOException {
        assertThat(card(smi(script, LONG).read())).isEqualTo("nvidia-smi printed more than 256 KiB");
        Await.until("no child is left", () -> children().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void moreThanAPipeHoldsIsNotTooMuch() throws IOException {
        String noise =
                "i=0; while [ $i -lt 3000 ]; do echo 'WARNING: nothing to see here, but long'; i=$((i+1)); done; ";
        SubstrateStatus status = smi(noise + noise.replace("done", "done >&2") + playing("nvidia-smi-normal.csv"), LONG)
                .read();
        assertThat(card(status)).isEqualTo("ok");
        assertThat(status.gpus()).hasSize(1);
        assertThat(status.oddities()).hasSize(16);
    }

    @Test
    void whoAsksMeanwhileSharesTheAnswer() throws Exception {
        Path count = dir.resolve("count");
        Path go = dir.resolve("go");
        NvidiaSmi smi = smi(
                "echo x >> '" + count + "'; while [ ! -e '" + go + "' ]; do sleep 0.01; done; "
                        + playing("nvidia-smi-normal.csv"),
                LONG);
        ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("test-smi"));
        List<Thread> asking = new CopyOnWriteArrayList<>();
        List<Future<SubstrateStatus>> answers = IntStream.range(0, 8)
                .mapToObj(i -> threads.submit(() -> {
                    asking.add(Thread.currentThread());
                    return smi.read();
                }))
                .toList();
        Await.until("all wait", () -> asking.size() == 8 && asking.stream().allMatch(NvidiaSmiTest::isWaiting));
        Files.createFile(go);
        for (Future<SubstrateStatus> answer : answers) {
            assertThat(card(answer.get(20, TimeUnit.SECONDS))).isEqualTo("ok");
        }
        assertThat(Files.readAllLines(count)).hasSize(1);
        threads.shutdown();
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void anInterruptEndsIt() throws Exception {
        NvidiaSmi smi = smi("exec sleep 600", LONG);
        ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("test-smi"));
        CompletableFuture<Thread> asking = new CompletableFuture<>();
        Future<SubstrateStatus> answer = threads.submit(() -> {
            asking.complete(Thread.currentThread());
            SubstrateStatus status = smi.read();
            assertThat(Thread.interrupted()).isTrue();
            return status;
        });
        Await.until("the tool runs", () -> children().anyMatch(ProcessHandle::isAlive));
        asking.get().interrupt();
        assertThat(card(answer.get(20, TimeUnit.SECONDS))).isEqualTo("interrupted while nvidia-smi ran");
        Await.until("no child is left", () -> children().noneMatch(ProcessHandle::isAlive));
        threads.shutdown();
    }

    @Test
    void whoIsInterruptedBeforeStartsNothing() throws IOException {
        NvidiaSmi smi = smi("exec sleep 600", LONG);
        Thread.currentThread().interrupt();
        assertThat(card(smi.read())).isEqualTo("interrupted before nvidia-smi was started");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void noneIsStartedBesideOneThatCannotBeKilled() {
        AtomicInteger started = new AtomicInteger();
        AtomicLong now = new AtomicLong();
        Unkillable child = new Unkillable(now);
        NvidiaSmi smi = NvidiaSmi.builder()
                .nanos(now::get)
                .starter(command -> {
                    started.incrementAndGet();
                    return child;
                })
                .build();
        assertThat(card(smi.read())).isEqualTo("nvidia-smi did not end within 5.0 s");
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        assertThat(card(smi.read()))
                .startsWith("nvidia-smi still runs after 65")
                .endsWith("s and cannot be killed");
        assertThat(card(smi.read())).contains("cannot be killed");
        assertThat(started).hasValue(1);
        child.alive.set(false);
        assertThat(card(smi.read())).isEqualTo("ok");
        assertThat(started).hasValue(2);
    }

    /** A child in the kernel's hands: no signal ends it, and each wait takes its time. */
    private static final class Unkillable extends Process {
        final AtomicBoolean alive = new AtomicBoolean(true);
        private final AtomicLong now;

        Unkillable(AtomicLong now) {
            this.now = now;
        }

        @Override
        public boolean waitFor(long timeout, TimeUnit unit) {
            now.addAndGet(unit.toNanos(timeout));
            return !alive.get();
        }

        @Override
        public InputStream getInputStream() {
            return alive.get()
                    ? InputStream.nullInputStream()
                    : new ByteArrayInputStream("0, GPU-a, Acme, 5, 1, 1024, 40\n".getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public boolean isAlive() {
            return alive.get();
        }

        @Override
        public Stream<ProcessHandle> descendants() {
            return Stream.empty();
        }

        @Override
        public Process destroyForcibly() {
            return this;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            throw new UnsupportedOperationException("without a limit");
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {
            throw new UnsupportedOperationException("politely");
        }
    }
}
