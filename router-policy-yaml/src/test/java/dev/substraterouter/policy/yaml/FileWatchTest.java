package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that watches a policy file: it tells, it survives, it ends. */
@Timeout(120)
class FileWatchTest {
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration HARDLY_EVER = Duration.ofHours(1);
    private static final String OTHER = Examples.SMALLEST.replace("vram_gb: 64", "vram_gb: 65");
    private static final String BAD = Examples.SMALLEST.replace("version: 1", "version: 2");
    private static final Logger LOG = Logger.getLogger("dev.substraterouter.policy");

    @TempDir
    Path folder;

    private final Told told = new Told();
    private final List<PolicySource> sources = new ArrayList<>();
    private Path file;

    @BeforeEach
    void begin() throws IOException {
        file = Files.writeString(folder.resolve("policy.yaml"), Examples.SMALLEST);
    }

    @AfterEach
    void end() {
        sources.forEach(PolicySource::close);
        Await.until("the threads have ended", () -> watching() == 0);
    }

    /** What a sink was told. */
    private static class Told implements PolicySink {
        final List<Policy> policies = new CopyOnWriteArrayList<>();
        final List<PolicyException> rejected = new CopyOnWriteArrayList<>();

        @Override
        public void changed(Policy policy) {
            policies.add(policy);
        }

        @Override
        public void rejected(PolicyException problem) {
            rejected.add(problem);
        }
    }

    private static long watching() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("policy-watch-"))
                .count();
    }

    private PolicySource watch(Path path, Duration every, PolicySink sink) {
        PolicySource source = YamlPolicy.watch(path, every);
        sources.add(source);
        source.current();
        source.start(sink);
        return source;
    }

    private void replace(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("policy.yaml~"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whoever has the older of two that were given before the start is told of the newer. */
    @Test
    void whatWasGivenTwiceBeforeTheStartIsTold() throws IOException {
        PolicySource source = YamlPolicy.watch(file, OFTEN);
        sources.add(source);
        source.current();
        Files.writeString(file, OTHER);
        Policy newer = source.current();

        source.start(told);

        Await.until("the newer is told", () -> told.policies.equals(List.of(newer)));
    }

    /** Asking for the policy between a bad and a good content does not keep the good one from being told. */
    @Test
    void askingDoesNotKeepTheSinkFromBeingTold() throws IOException {
        Files.writeString(file, BAD);
        PolicySource source = YamlPolicy.watch(file, OFTEN);
        sources.add(source);
        source.start(told);
        Await.until("the bad one is told", () -> told.rejected.size() == 1);

        Files.writeString(file, OTHER);
        Await.until("it is given", () -> {
            try {
                return source.current() != null;
            } catch (PolicyException stillBad) {
                return false;
            }
        });

        Await.until("and told", () -> told.policies.size() == 1);
    }

    @Test
    @DisplayName("every change is told, whether the file is written over, replaced, deleted or made anew")
    void everyChange() throws IOException {
        PolicySource source = watch(file, OFTEN, told);
        Files.writeString(file, OTHER);
        Await.until("written over", () -> told.policies.size() == 1);
        replace(Examples.SMALLEST);
        Await.until("replaced", () -> told.policies.size() == 2);
        replace(BAD);
        Await.until("bad", () -> told.rejected.size() == 1);
        assertThat(source.current()).isEqualTo(YamlPolicy.parse(Examples.SMALLEST));
        Files.delete(file);
        Await.until("deleted", () -> told.rejected.size() == 2);
        Files.writeString(file, Examples.SMALLEST);
        Await.until("made anew", () -> told.policies.size() == 3);
        assertThat(told.policies)
                .containsExactly(
                        YamlPolicy.parse(OTHER),
                        YamlPolicy.parse(Examples.SMALLEST),
                        YamlPolicy.parse(Examples.SMALLEST));
        assertThat(told.rejected)
                .extracting(rejected -> rejected.problems().get(0).code())
                .containsExactly("version", "unreadable");
    }

    @Test
    @DisplayName("a watcher of the system tells long before the next look is due")
    void hint() throws IOException {
        watch(file, HARDLY_EVER, told);
        Files.writeString(folder.resolve("another.yaml"), "not ours");
        replace(OTHER);
        Await.until("told by the hint", () -> told.policies.size() == 1);
        Files.writeString(file, BAD);
        Await.until("told by the second hint", () -> told.rejected.size() == 1);
    }

    @Test
    @DisplayName("what no watcher sees is found by looking: a file behind a link to another folder")
    void noHint() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path real = Files.writeString(elsewhere.resolve("real.yaml"), Examples.SMALLEST);
        Path links = Files.createDirectory(folder.resolve("links"));
        watch(Files.createSymbolicLink(links.resolve("policy.yaml"), real), OFTEN, told);
        Files.writeString(real, OTHER);
        Await.until("found", () -> told.policies.size() == 1);
    }

    @Test
    @DisplayName("a folder that goes and comes back is watched again")
    void folderReturns() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Path policy = Files.writeString(inner.resolve("policy.yaml"), Examples.SMALLEST);
        watch(policy, OFTEN, told);
        Files.move(inner, folder.resolve("away"));
        Await.until("gone", () -> told.rejected.size() == 1);
        Files.createDirectory(inner);
        Files.writeString(policy, OTHER);
        Await.until("back", () -> told.policies.size() == 1);
    }

    @Test
    @DisplayName("a sink that throws, or interrupts the thread, ends nothing")
    void rudeSink() throws IOException {
        Level before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
        try {
            watch(file, OFTEN, new Told() {
                @Override
                public void changed(Policy policy) {
                    told.changed(policy);
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("rude");
                }

                @Override
                public void rejected(PolicyException problem) {
                    told.rejected(problem);
                    throw new AssertionError("rude");
                }
            });
            Files.writeString(file, OTHER);
            Await.until("changed", () -> told.policies.size() == 1);
            Files.writeString(file, BAD);
            Await.until("rejected", () -> told.rejected.size() == 1);
            Files.writeString(file, Examples.SMALLEST);
            Await.until("changed again", () -> told.policies.size() == 2);
        } finally {
            LOG.setLevel(before);
        }
    }

    @Test
    @DisplayName("closing ends the thread, may be done again and before the start, and waits for nobody")
    void close() throws Exception {
        CountDownLatch inSink = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        PolicySource source = watch(file, OFTEN, new Told() {
            @Override
            public void changed(Policy policy) {
                inSink.countDown();
                awaitUninterrupted(release);
            }
        });
        Files.writeString(file, OTHER);
        inSink.await();
        source.close();
        source.close();
        assertThat(watching()).as("still telling").isEqualTo(1);
        release.countDown();
        Await.until("ended", () -> watching() == 0);
        assertThat(source).hasToString("FileWatch[" + file + ", closed]");
        PolicySource never = YamlPolicy.watch(file);
        never.close();
        assertThatThrownBy(() -> never.start(told)).isInstanceOf(IllegalStateException.class);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("starting twice is refused")
    void twice() {
        PolicySource source = watch(file, HARDLY_EVER, told);
        assertThatThrownBy(() -> source.start(told))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(file + " was started or closed before");
    }

    @Test
    @DisplayName("watches that were closed, or never started, leave no thread and no handle")
    void noLeak() throws IOException {
        for (int count = 0; count < 20; count++) {
            YamlPolicy.watch(file, HARDLY_EVER).current();
            watch(file, HARDLY_EVER, told).close();
        }
        Await.until("the threads have ended", () -> watching() == 0);
        long handles = handles();
        for (int count = 0; count < 100; count++) {
            YamlPolicy.watch(file, HARDLY_EVER).current();
            watch(file, HARDLY_EVER, told).close();
        }
        Await.until("the threads have ended", () -> watching() == 0);
        Await.until("the handles are closed", () -> handles() <= handles + 5);
    }

    /** How many handles this process holds, where the system tells. */
    private static long handles() {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isDirectory(own)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(own)) {
            return all.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
