package dev.substraterouter.examples.quickstart.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchFullException;
import dev.substraterouter.batch.InMemoryBatchQueue;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.PathReport;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.ServingPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the README says of constraints, orders and paths, tried on the policy that it shows, in the words that it shows. */
@Timeout(60)
class CapabilitiesTest {
    private static final byte[] IMAGE = {1, 2, 3};
    private static final Path README = Path.of("..", "..", "README.md");

    @TempDir
    Path folder;

    private String readme;
    private Policy policy;
    private SubstrateRouter router;
    private Capabilities capabilities;

    @BeforeEach
    void start() throws IOException {
        readme = Files.readString(README);
        policy = ReadmeTest.blocks("yaml", readme).stream()
                .filter(block -> block.contains("\nroles:"))
                .map(YamlPolicy::parse)
                .findFirst()
                .orElseThrow();
        router = SubstrateRouter.builder().policy(policy).build();
        capabilities = new Capabilities(router, (endpoint, prompt) -> IMAGE);
        idle();
    }

    @AfterEach
    void stop() {
        router.close();
    }

    private void idle() {
        report("mirrorforge", 64, 1, 3);
        report("legion", 32, 1, 3);
    }

    private void memoryShort() {
        report("mirrorforge", 64, 41, 3);
        report("legion", 32, 21, 3);
    }

    private void report(String id, double total, double used, double util) {
        router.reportStatus(
                id,
                SubstrateStatus.builder()
                        .gpuUtilPct(util)
                        .vramUsedGb(used)
                        .vramTotalGb(total)
                        .gpuTempC(40)
                        .runningJobs(0)
                        .build());
    }

    private static RouteRequest workload(String name) {
        return RouteRequest.workload(name).identity("studio-7");
    }

    private static RouteRequest need(Need.Builder need) {
        return RouteRequest.need(need.build()).identity("studio-7");
    }

    private RoutingException refusal(RouteRequest request) {
        RoutingException refused =
                catchThrowableOfType(RoutingException.class, () -> router.place(request.maxWait(Duration.ZERO)));
        assertThat(refused).as("a refusal of %s", request).isNotNull();
        return refused;
    }

    /** The refusal says it, and so does the README. */
    private void refused(RouteRequest request, RefusalReason reason, String... texts) {
        RoutingException refused = refusal(request);
        assertThat(refused.reason()).isEqualTo(reason);
        assertThat(refused).hasMessageContainingAll(texts);
        for (String text : texts) {
            assertThat(said(text)).as("the README says: %s", text).isTrue();
        }
    }

    private boolean said(String text) {
        return readme.replaceAll("\\s+", " ").contains(text.replaceAll("\\s+", " "));
    }

    private String served(RouteRequest request) throws InterruptedException {
        try (Placement placement = router.place(request.maxWait(Duration.ZERO))) {
            return placement.substrateId();
        }
    }

    @Test
    void whoMayAsk() {
        RouteRequest agent = RouteRequest.workload("embed").identity("agent-3");
        refused(RouteRequest.workload("embed"), RefusalReason.NOT_AUTHORIZED, "names no identity");
        refused(RouteRequest.workload("embed").identity("guest"), RefusalReason.NOT_AUTHORIZED, "'guest' has no role");
        refused(
                RouteRequest.workload("portrait").identity("agent-3"),
                RefusalReason.NOT_AUTHORIZED,
                "not authorized to ask for 'portrait': 'agent-3', role agent, may not ask for workload 'portrait'");
        refused(
                RouteRequest.need(Need.builder().capabilities("blackwell").build())
                        .identity("agent-3"),
                RefusalReason.NOT_AUTHORIZED,
                "may not ask for capability blackwell");
        refused(
                agent.priority(Priority.HIGH),
                RefusalReason.NOT_AUTHORIZED,
                "asks for priority HIGH, may ask for at most NORMAL");
        memoryShort();
        refused(
                RouteRequest.workload("flux-fill").identity("agent-3"),
                RefusalReason.NO_WAIT,
                "role agent may not use external substrates");
        assertThat(HttpAnswers.code(refusal(RouteRequest.workload("embed")))).isEqualTo(403);
        assertThatThrownBy(() -> capabilities.drain("agent-3", "legion")).isInstanceOf(SecurityException.class);
        assertThat(capabilities.drain("studio-7", "legion")).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void theHostsOwnWord() {
        try (SubstrateRouter own = Capabilities.withOwnWord(policy, () -> true)) {
            assertThatThrownBy(() -> own.place(workload("embed").priority(Priority.HIGH)))
                    .isInstanceOf(NotAuthorizedException.class)
                    .hasMessageContaining("no HIGH during the holidays");
        }
    }

    @Test
    void whatAPlaceMustBe() throws Exception {
        refused(
                need(Need.builder().capabilities("cuda", "hopper")),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "lacks hopper (has cuda, volta)");
        refused(
                need(Need.builder().codebase("atlas")),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "does not hold atlas (has mirage)");
        refused(
                need(Need.builder().reaches("mcp:atlas")),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "cannot reach mcp:atlas (has mcp:mirage)");
        refused(
                need(Need.builder().vramGb(48)),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "needs 48.0 GB, could get at most 32.0 GB",
                "trust public, needs controlled");
        assertThat(served(need(Need.builder().vramGb(48).spansGpus(true)))).isEqualTo("mirrorforge");
        assertThat(served(need(Need.builder().vramGb(48).privacy(Trust.PUBLIC))))
                .isEqualTo("rented");
        assertThat(served(need(Need.builder().codebase("mirage").reaches("mcp:mirage"))))
                .isEqualTo("mirrorforge");
        refused(
                workload("portrait").avoid("legion", "mirrorforge"),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "to be avoided by the request");
    }

    @Test
    void figures() throws Exception {
        Need.Builder forty = Need.builder().duration(Duration.ofSeconds(40));
        refused(
                need(forty.maxLatency(Duration.ofSeconds(30))),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "takes 40.0 s (0.0 s of it to load) > 30.0 s");
        refused(
                need(Need.builder().duration(Duration.ofSeconds(40)).maxCost(0.001)),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "costs 0.0033 > 0.0010");
        assertThat(served(need(Need.builder().duration(Duration.ofSeconds(40)).maxCost(0.002))))
                .isEqualTo("mirrorforge");
        refused(
                need(Need.builder().maxLatency(Duration.ofSeconds(30))),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "no latency declared, limit 30.0 s");
        refused(
                need(Need.builder().minQuality(0.8)),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "no quality declared, needs 0.8");
        assertThat(capabilities.need("a lighthouse")).isEqualTo(IMAGE);
    }

    @Test
    void inWords() throws Exception {
        List<String> told = new ArrayList<>();
        String words = "Confidential: a Blackwell card, 24 GB of VRAM, takes 40 s, ideally quiet";
        RouteRequest request = Capabilities.inWords(words, told::add).identity("studio-7");
        assertThat(said(words)).isTrue();
        assertThat(readme.contains(told.get(0))).as(told.get(0)).isTrue();
        assertThat(served(request)).isEqualTo("legion");
    }

    @Test
    void outside() throws Exception {
        memoryShort();
        try (Placement placement = router.place(workload("flux-fill"))) {
            assertThat(placement.substrateId()).isEqualTo("rented");
            assertThat(placement.trace().overflow()).isTrue();
        }
        refused(
                workload("portrait"),
                RefusalReason.NO_WAIT,
                "vram free 11.0 < 12.0 GB",
                "vram free on one of 2 gpus 11.5 < 12.0 GB");
    }

    @Test
    void theOwnerHasAPrice() throws Exception {
        assertThat(served(workload("flux-fill"))).isEqualTo("legion");
        report("legion", 32, 1, 20);
        assertThat(served(workload("flux-fill"))).isEqualTo("mirrorforge");
    }

    @Test
    void waitsForAnEarlierFinish() throws Exception {
        Placement first = router.place(workload("upscale"));
        assertThat(first.substrateId()).isEqualTo("legion");
        CompletableFuture<Placement> second = router.placeAsync(workload("upscale"));
        assertThat(second).isNotDone();
        Optional<Placement> third = router.tryPlace(workload("upscale"));
        assertThat(third.orElseThrow().substrateId()).isEqualTo("mirrorforge");
        first.succeed();
        report("legion", 32, 1, 3);
        assertThat(second.get().substrateId()).isEqualTo("legion");
    }

    @Test
    void prefersAndAvoids() throws Exception {
        assertThat(served(workload("portrait"))).isEqualTo("mirrorforge");
        assertThat(served(Capabilities.preferred())).isEqualTo("legion");
        assertThat(served(Capabilities.urgent())).isEqualTo("legion");
    }

    @Test
    void laterByTheBatchPath() throws Exception {
        List<String> kept = new ArrayList<>();
        assertThat(capabilities.nowOrLater("a lighthouse", kept::add)).contains(IMAGE);
        memoryShort();
        assertThat(capabilities.nowOrLater("a harbour", kept::add)).isEmpty();
        assertThat(kept).containsExactly("a harbour");
        assertThat(router.recentTraces().get(0).lastAttempt().orElseThrow().path())
                .isEqualTo(ServingPath.BATCH);
        refused(
                workload("flux-fill").mode(PlacementMode.BATCH),
                RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                "it has no batch path, and mode is BATCH");
        assertThat(served(workload("embed").mode(PlacementMode.BATCH))).isEqualTo("archive");
    }

    @Test
    void laterByTheDispatcher() throws Exception {
        InMemoryBatchQueue store = InMemoryBatchQueue.create();
        assertThat(capabilities.inBatch(store, workload("upscale"), "a lighthouse"))
                .isEqualTo(IMAGE);
        InMemoryBatchQueue full = InMemoryBatchQueue.builder().capacityBytes(4).build();
        assertThatThrownBy(() -> capabilities.inBatch(full, workload("upscale"), "a lighthouse"))
                .isInstanceOf(BatchFullException.class);
        assertThatThrownBy(
                        () -> capabilities.inBatch(store, workload("portrait").avoid("legion", "mirrorforge"), ""))
                .isInstanceOf(NoEligibleSubstrateException.class);
        assertThatThrownBy(() -> capabilities.inBatch(
                        store, RouteRequest.workload("portrait").identity("agent-3"), ""))
                .isInstanceOf(NotAuthorizedException.class);
    }

    @Test
    void everywhereAtOnce() throws Exception {
        assertThat(capabilities.everywhere()).isEqualTo(2);
        Capabilities failing = new Capabilities(router, (endpoint, prompt) -> {
            throw new IOException("broken pipe");
        });
        assertThatThrownBy(failing::everywhere).isInstanceOf(IOException.class);
        assertThat(router.substrates())
                .allSatisfy(view -> assertThat(view.leases()).isZero());
    }

    @Test
    void whatBecameOfIt() throws Exception {
        served(workload("embed").requestId("r-1"));
        List<String> log = new ArrayList<>();
        capabilities.reviewed("r-1", log::add);
        assertThat(log).hasSize(1);
        PathReport report = Capabilities.report(policy, folder, Executors.newSingleThreadExecutor(), other -> {
            other.tryPlace(workload("embed").mode(PlacementMode.BATCH)).ifPresent(Placement::succeed);
        });
        assertThat(report.byPath())
                .singleElement()
                .satisfies(row -> assertThat(row.key().path()).contains(ServingPath.BATCH));
    }

    /** Reasons for which the README's own policy has no occasion. */
    @Test
    void theOtherWordsOfTheTable() throws Exception {
        Policy others = YamlPolicy.parse("""
                version: 1
                substrates:
                  a: { max_concurrent_jobs: 2, reserve_for_high: 1, accepts_roles: [studio] }
                  b: { kind: external, overflow: true }
                  c: { kind: batch }
                workloads:
                  low:  { min_quality: 0.8, route: [ { on: a, quality: 0.7 } ] }
                  keep: { privacy: public, min_availability: 0.9, overflow_after: 30s, route: [a, b, c] }
                roles:
                  studio: { identities: [studio-7], workloads: ["*"], external: true }
                  agent:  { identities: [agent-3], workloads: ["*"] }
                """);
        try (SubstrateRouter other = SubstrateRouter.builder().policy(others).build()) {
            router = other;
            refused(workload("low"), RefusalReason.NO_ELIGIBLE_SUBSTRATE, "quality 0.7 < 0.8");
            refused(
                    RouteRequest.workload("keep").identity("agent-3"),
                    RefusalReason.NO_ELIGIBLE_SUBSTRATE,
                    "role agent is not accepted");
            jobs("a", 93, 1);
            refused(workload("keep"), RefusalReason.NO_WAIT, "gpu util 93 >= 70");
            jobs("a", 93, 1); // what is between two statuses has been watched
            refused(
                    workload("keep"),
                    RefusalReason.NO_WAIT,
                    "of the time < 0.900",
                    "overflow after 30.0 s of waiting",
                    "kind batch, which only the batch path uses");
        }
        try (SubstrateRouter other =
                SubstrateRouter.builder().policy(YamlPolicy.parse("""
                        version: 1
                        substrates:
                          a: { max_concurrent_jobs: 2, reserve_for_high: 1 }
                          b: { max_concurrent_jobs: 1 }
                        workloads: { keep: { route: [a, b] } }
                        """)).build()) {
            router = other;
            jobs("a", 3, 1);
            jobs("b", 3, 1);
            refused(
                    workload("keep"),
                    RefusalReason.NO_WAIT,
                    "jobs 1/2 (1 of others), 1 kept for HIGH",
                    "jobs 1/1 (1 of others)");
        }
    }

    private void jobs(String id, double util, int jobs) {
        router.reportStatus(
                id,
                SubstrateStatus.builder()
                        .gpuUtilPct(util)
                        .vramUsedGb(1)
                        .vramTotalGb(32)
                        .gpuTempC(40)
                        .runningJobs(jobs)
                        .build());
    }

    @Test
    void anAddressOutOfScopeIsRefusedAndANameWaitsUntilItIsResolved() {
        String text = """
                version: 1
                network: { data: [10.40.10.0/29] }
                substrates: { a: { endpoint: "http://legion.lan:8188", max_concurrent_jobs: 1 } }
                workloads: { keep: { pin: a } }
                """;
        assertThatThrownBy(() -> YamlPolicy.parse(text.replace("legion.lan", "10.50.0.9")))
                .isInstanceOfSatisfying(PolicyException.class, refused -> assertThat(refused.problems())
                        .singleElement()
                        .satisfies(problem -> assertThat(problem.code()).isEqualTo("out-of-scope")));
        try (SubstrateRouter scoped =
                SubstrateRouter.builder().policy(YamlPolicy.parse(text)).build()) {
            assertThatThrownBy(() -> scoped.place(RouteRequest.workload("keep").maxWait(Duration.ZERO)))
                    .isInstanceOf(RoutingException.class)
                    .hasMessageContaining("legion.lan is not resolved yet");
        }
        assertThat(readme).contains("legion.lan is not resolved yet");
    }
}
