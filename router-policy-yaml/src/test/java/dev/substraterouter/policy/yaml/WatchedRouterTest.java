package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.RouterEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A router that runs while its policy file changes. */
@Timeout(120)
class WatchedRouterTest {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final RouteRequest SDXL = RouteRequest.workload("sdxl");

    private static final String TWO = """
            version: 1
            substrates:
              mirrorforge: { vram_gb: 64, max_concurrent_jobs: 1 }
              legion: { vram_gb: 32, max_concurrent_jobs: 1 }
            workloads:
              sdxl: { vram_gb: 8, route: [mirrorforge, legion] }
            """;
    private static final String THREE = TWO.replace(
                    "workloads:", "  titan: { vram_gb: 24, max_concurrent_jobs: 1 }\nworkloads:")
            .replace("route: [", "route: [titan, ");
    private static final String BAD = THREE.replace("max_concurrent_jobs: 1", "max_concurrent_jobs: 0");

    @TempDir
    Path folder;

    private final List<RouterEvent> heard = new CopyOnWriteArrayList<>();
    private final Lines lines = new Lines();
    private final Logger log = Logger.getLogger("dev.substraterouter");
    private Path file;
    private SubstrateRouter router;

    /** Keeps the log, quietly. */
    private static final class Lines extends Handler {
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord told) {
            all.add(told.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void begin() throws IOException {
        log.addHandler(lines);
        log.setUseParentHandlers(false);
        file = Files.writeString(folder.resolve("policy.yaml"), TWO);
        router = SubstrateRouter.builder()
                .policySource(YamlPolicy.watch(file, POLL))
                .executor(Runnable::run)
                .listener(heard::add)
                .build();
        reportIdle("mirrorforge", "legion");
    }

    @AfterEach
    void end() {
        router.close();
        log.setUseParentHandlers(true);
        log.removeHandler(lines);
        Await.until("the watch ends with the router", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("policy-watch-")));
    }

    private void reportIdle(String... substrates) {
        for (String substrate : substrates) {
            router.reportStatus(substrate, Statuses.idle(64));
        }
    }

    private void write(String policy) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), policy);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void awaitRevision(long revision) {
        Await.until("revision " + revision, () -> router.policy().revision() == revision);
    }

    @Test
    @DisplayName("a second router on the same source is not built, and takes nothing from the first")
    void second() throws IOException {
        PolicySource shared = YamlPolicy.watch(file, POLL);
        try (SubstrateRouter first =
                SubstrateRouter.builder().policySource(shared).build()) {
            SubstrateRouter.Builder again = SubstrateRouter.builder().policySource(shared);
            assertThatThrownBy(again::build).isInstanceOf(IllegalStateException.class);

            write(THREE);

            Await.until("the first still follows", () -> first.policy().revision() == 2);
        }
    }

    @Test
    @DisplayName("a router that could not be built leaves its source to the next try")
    void retried() {
        PolicySource source = YamlPolicy.watch(file, POLL);
        SubstrateRouter.Builder failing =
                SubstrateRouter.builder().policySource(source).statusSource(new NoPort());
        assertThatThrownBy(failing::build).hasMessage("port in use");

        SubstrateRouter.builder().policySource(source).build().close();
    }

    /** A source that cannot start. */
    private static final class NoPort implements StatusSource {
        @Override
        public void start(StatusSink sink) {
            throw new IllegalStateException("port in use");
        }

        @Override
        public void targets(List<StatusTarget> targets) {}

        @Override
        public void refresh(String substrateId) {}

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("a third substrate in the file of a running router takes its first matching request within one poll")
    void third() throws Exception {
        long start = System.nanoTime();
        write(THREE);
        awaitRevision(2);
        reportIdle("titan");
        try (Placement placement = router.place(SDXL)) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(POLL);
            assertThat(placement.substrateId()).isEqualTo("titan");
            assertThat(placement.trace().attempts().get(0).revision()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName(
            "a substrate that is taken out of the file drains: its lease stays, nothing new comes, then it is forgotten [R83]")
    void removed() throws Exception {
        Placement onFirst = router.place(SDXL);
        assertThat(onFirst.substrateId()).isEqualTo("mirrorforge");
        onFirst.close();
        Placement open = router.place(SDXL);
        write(TWO.replaceAll("(?m)^  mirrorforge:.*\\R", "").replace("mirrorforge, ", ""));
        awaitRevision(2);
        assertThat(router.substrates()).singleElement().satisfies(left -> assertThat(left.id())
                .isEqualTo("legion"));
        try (Placement next = router.place(SDXL)) {
            assertThat(next.substrateId()).isEqualTo("legion");
            assertThat(router.tryPlace(SDXL))
                    .as("nothing new on the removed one")
                    .isEmpty();
        }
        assertThat(open.candidate().on()).isEqualTo("mirrorforge");
        open.succeed();
        open.close();
        assertThat(router.shutdown(Duration.ofSeconds(5)))
                .as("every lease came back")
                .isTrue();
    }

    @Test
    @DisplayName(
            "a bad file changes nothing and is seen in state, event and log with its problems; the next good one applies [R85] [J70]")
    void rejected() throws Exception {
        write(BAD);
        Await.until("rejected", () -> router.rejectedPolicy().isPresent());
        assertThat(router.policy().revision()).isEqualTo(1);
        assertThat(router.rejectedPolicy().orElseThrow()).hasMessageStartingWith(file + " has 3 problems:");
        assertThat(router.rejectedPolicy().orElseThrow().problems())
                .extracting(PolicyProblem::line)
                .containsExactly(3, 4, 5);
        Await.until("told in the log", () -> !lines.all.isEmpty());
        assertThat(lines.all)
                .singleElement()
                .asString()
                .contains("policy rejected, revision 1 stays in force: 3:", "max_concurrent_jobs: 0 (expected: >= 1)");
        Await.until("told to listeners", () -> heard.stream().anyMatch(RouterEvent.ReloadRejected.class::isInstance));
        assertThat(heard)
                .filteredOn(RouterEvent.ReloadRejected.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(RouterEvent.ReloadRejected.class, told -> assertThat(told.problems())
                        .hasSize(3)
                        .allMatch(problem -> problem.contains("max_concurrent_jobs: 0")));
        try (Placement placement = router.place(SDXL)) {
            assertThat(placement.substrateId()).isEqualTo("mirrorforge");
        }
        write(THREE);
        awaitRevision(2);
        assertThat(router.rejectedPolicy()).isEmpty();
    }

    @Test
    @DisplayName("going back to the policy in force after a bad file, or after none, is told as a good one")
    void recovered() throws Exception {
        write(BAD);
        Await.until("rejected", () -> router.rejectedPolicy().isPresent());
        write(TWO);
        awaitRevision(2);
        assertThat(router.rejectedPolicy()).isEmpty();
        Files.delete(file);
        Await.until("gone", () -> router.rejectedPolicy().isPresent());
        assertThat(router.rejectedPolicy().orElseThrow().problems())
                .extracting(PolicyProblem::code)
                .containsExactly("unreadable");
        write(TWO);
        awaitRevision(3);
        assertThat(router.rejectedPolicy()).isEmpty();
    }

    @Test
    @DisplayName(
            "a file whose keys read well but whose scopes make no sense is rejected as well, and the next good one applies")
    void scopesThatMakeNoSense() throws Exception {
        write(TWO + "network: { data: [192.0.2.1/24] }\n");
        Await.until("rejected", () -> router.rejectedPolicy().isPresent());
        assertThat(router.policy().revision()).isEqualTo(1);
        write(TWO);
        awaitRevision(2);
        assertThat(router.rejectedPolicy()).isEmpty();
    }

    @Test
    @DisplayName("names that nobody declared turn the file down: substrates, workloads and roles [R89]")
    void unknownNames() throws Exception {
        write(TWO.replace("route: [mirrorforge", "route: [mirrorfroge")
                        .replace("legion: { ", "legion: { accepts_roles: [nobody], ")
                + "roles: { r: { identities: [x], workloads: [sdlx] } }\n");
        Await.until("rejected", () -> router.rejectedPolicy().isPresent());
        assertThat(router.rejectedPolicy().orElseThrow().problems())
                .extracting(PolicyProblem::code)
                .containsExactly("unknown-role", "unknown-substrate", "unknown-workload");
        assertThat(router.policy().revision()).isEqualTo(1);
    }

    @Test
    @DisplayName("the same substrate twice in a watched file: both lines are named and nothing is applied [J5]")
    void sameTwice() throws Exception {
        write(TWO.replace("workloads:", "  legion: { vram_gb: 32, max_concurrent_jobs: 2 }\nworkloads:"));
        Await.until("rejected", () -> router.rejectedPolicy().isPresent());
        assertThat(router.rejectedPolicy().orElseThrow()).hasMessageContaining("in line 4 and in line 5");
        assertThat(router.substrates())
                .allSatisfy(view -> assertThat(view.maxConcurrentJobs()).isEqualTo(1));
    }

    @Test
    @DisplayName("a router whose file is bad at first is not built, and no thread is left")
    void badAtFirst() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.yaml"), BAD);
        assertThatThrownBy(() -> SubstrateRouter.builder()
                        .policySource(YamlPolicy.watch(bad))
                        .build())
                .isInstanceOf(PolicyException.class)
                .hasMessageStartingWith(bad + " has 3 problems:");
        assertThat(Optional.of(router.policy().revision())).contains(1L);
    }
}
