package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.testkit.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyLintTest {

    /**
     * The smallest policy that has a problem and nothing else, and its nearest neighbour that has none.
     *
     * @param path where the problem is
     * @param text what the message says, among other things
     * @param also what else is found, where one cannot be without the other
     */
    private record Case(LintCode code, String path, String text, Policy bad, Policy good, List<LintCode> also) {
        Case(LintCode code, String path, String text, Policy.Builder bad, Policy.Builder good, LintCode... also) {
            this(code, path, text, bad.build(), good.build(), List.of(also));
        }

        @Override
        public String toString() {
            return code.id() + " at " + path;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(settings(), substrates(), workloads(), candidates(), orders(), roles())
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsTheProblemAndNothingInItsNearestNeighbour(Case one) {
        List<PolicyProblem> found = PolicyLint.lint(one.bad);

        List<String> expected = new ArrayList<>(List.of(one.code.id()));
        one.also.forEach(code -> expected.add(code.id()));
        assertThat(found).extracting(PolicyProblem::code).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(found)
                .filteredOn(problem -> problem.code().equals(one.code.id()))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.path()).isEqualTo(one.path);
                    assertThat(problem.message()).contains(one.text).contains(" (expected: ");
                });
        assertThat(PolicyLint.lint(one.good)).isEmpty();
    }

    @Test
    void everyCodeHasACase() {
        assertThat(cases().map(Case::code)).contains(LintCode.values());
    }

    @Test
    void theDocumentationListsEveryCodeWithItsSeverityInOrder() throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/substraterouter/verify/PolicyLint.java"));

        Stream<String> documented = Pattern.compile("<td>\\{@code ([a-z-]+)}</td><td>(error|warning)</td>")
                .matcher(source)
                .results()
                .map(PolicyLintTest::codeAndSeverity);

        assertThat(documented)
                .containsExactlyElementsOf(Arrays.stream(LintCode.values())
                        .map(code -> code.id() + " " + severity(code))
                        .toList());
    }

    private static String codeAndSeverity(MatchResult row) {
        return row.group(1) + " " + row.group(2);
    }

    private static String severity(LintCode code) {
        return code.at("", "").severity().name().toLowerCase(Locale.ROOT);
    }

    // settings

    private static List<Case> settings() {
        HealthLimits both = HealthLimits.builder()
                .require(Measure.VRAM, Measure.GPU_TEMP)
                .ignore(Measure.GPU_TEMP)
                .build();
        HealthLimits apart = HealthLimits.builder()
                .require(Measure.VRAM)
                .ignore(Measure.GPU_TEMP)
                .build();
        return List.of(
                new Case(
                        LintCode.REQUIRED_AND_IGNORED,
                        "health.ignore[0]",
                        "ignore: gpu_temp",
                        two().health(both),
                        two().health(apart)),
                new Case(
                        LintCode.REQUIRED_AND_IGNORED,
                        "substrates.c.health.ignore[0]",
                        "ignore: gpu_temp",
                        two().substrate(local("c").health(both).build()),
                        two().substrate(local("c").health(apart).build())),
                new Case(
                        LintCode.REQUIRED_AND_IGNORED,
                        "substrates.c.health.require[0]",
                        "require: gpu_temp, which is under the policy's health.ignore",
                        cold().substrate(local("c")
                                .health(HealthLimits.builder()
                                        .require(Measure.GPU_TEMP)
                                        .build())
                                .build()),
                        cold().substrate(local("c")
                                .health(HealthLimits.builder()
                                        .require(Measure.GPU_TEMP)
                                        .ignore()
                                        .build())
                                .build())),
                new Case(
                        LintCode.RECOVERY_BELOW_ROOM,
                        "health.gpu_temp_margin_c",
                        "gpu_temp_margin_c: 60.5 under max_gpu_temp_c: 80, so healthy again only below 19.5",
                        two().health(margin(60.5)),
                        two().health(margin(60))),
                new Case(
                        LintCode.RECOVERY_BELOW_ROOM,
                        "substrates.c.health.max_gpu_temp_c",
                        "under max_gpu_temp_c: 21",
                        two().substrate(local("c")
                                .health(HealthLimits.builder().maxGpuTempC(21).build())
                                .build()),
                        two().substrate(local("c")
                                .health(HealthLimits.builder().maxGpuTempC(22).build())
                                .build())),
                new Case(
                        LintCode.WAIT_WITHOUT_PLACES,
                        "queue.max_wait",
                        "max_wait: 60s beside capacity: 0",
                        two().queue(QueueLimits.builder()
                                .capacity(0)
                                .maxWait(seconds(60))
                                .build()),
                        two().queue(QueueLimits.builder()
                                .capacity(0)
                                .maxWait(seconds(30))
                                .build())),
                new Case(
                        LintCode.WAIT_WITHOUT_PLACES,
                        "queue.hold_after",
                        "hold_after: 500ms",
                        two().queue(QueueLimits.builder()
                                .capacity(0)
                                .holdAfter(Duration.ofMillis(500))
                                .build()),
                        two().queue(QueueLimits.builder()
                                        .capacity(0)
                                        .holdAfter(Duration.ofMillis(500))
                                        .build())
                                .workload(served().queue(places(1)).build())),
                new Case(
                        LintCode.WAIT_WITHOUT_PLACES,
                        "workloads.w.queue.max_wait",
                        "max_wait: 60s where capacity is 0",
                        two().workload(served().queue(places(0, 60)).build()),
                        two().workload(served().queue(places(1, 60)).build())),
                new Case(
                        LintCode.WEIGHTS_WITHOUT_ORDER,
                        "queue.weights",
                        "weights: normal 3, low 11 beside order: arrival",
                        two().queue(QueueLimits.builder().weights(3, 11).build()),
                        two().queue(QueueLimits.builder()
                                .weights(3, 11)
                                .order(QueueOrder.DEADLINE)
                                .build())),
                new Case(
                        LintCode.FINISH_MARGIN_WITHOUT_USE,
                        "strategy.finish_margin",
                        "finish_margin: 2",
                        two().strategy(StrategySettings.builder()
                                .finishMargin(2)
                                .build()),
                        two().strategy(StrategySettings.builder()
                                        .finishMargin(2)
                                        .build())
                                .workload(served().strategy(StrategyKind.EARLIEST_FINISH)
                                        .build())));
    }

    // substrates

    private static List<Case> substrates() {
        return List.of(
                new Case(
                        LintCode.EXTERNAL_WITHOUT_ROLES,
                        "substrates.x.kind",
                        "kind: external, and roles is absent",
                        two().substrate(external("x").build()),
                        two().substrate(external("x").build())
                                .role(role("r").external(true).build())),
                new Case(
                        LintCode.ACCEPTS_ROLES_WITHOUT_ROLES,
                        "substrates.c.accepts_roles",
                        "accepts_roles: []",
                        two().substrate(local("c").acceptsRoles().build()),
                        two().substrate(local("c").build())),
                new Case(
                        LintCode.UNREACHABLE_SUBSTRATE,
                        "substrates.c.accepts_roles",
                        "accepts_roles: []",
                        two().substrate(local("c").acceptsRoles().build())
                                .role(role("r").build()),
                        two().substrate(local("c").acceptsRoles("r").build())
                                .role(role("r").build())),
                new Case(
                        LintCode.UNREACHABLE_SUBSTRATE,
                        "substrates.b",
                        "ever placed on 'b'",
                        two().workload(served().build())
                                .workload(Workload.builder("v").pin("a").build())
                                .role(role("r").adhoc(false).workloads("v").build()),
                        two().workload(served().build())
                                .workload(Workload.builder("v").pin("a").build())
                                .role(role("r").adhoc(false).workloads("v", "w").build()),
                        LintCode.WORKLOAD_FOR_NOBODY),
                new Case(
                        LintCode.RESERVE_LEAVES_NOTHING,
                        "substrates.c.reserve_for_high",
                        "reserve_for_high: 2 of max_concurrent_jobs: 2",
                        two().substrate(local("c").reserveForHigh(2).build()),
                        two().substrate(local("c").reserveForHigh(1).build())),
                new Case(
                        LintCode.RESERVE_FOR_NOBODY,
                        "substrates.c.reserve_for_high",
                        "reserve_for_high: 1",
                        two().substrate(local("c").reserveForHigh(1).build())
                                .role(role("r").build()),
                        two().substrate(local("c").reserveForHigh(1).build())
                                .role(role("r").maxPriority(Priority.HIGH).build())),
                new Case(
                        LintCode.RESERVE_WITHOUT_LIMIT,
                        "substrates.p.reserve_for_high",
                        "without max_concurrent_jobs",
                        two().substrate(batch("p").reserveForHigh(1).build()),
                        two().substrate(batch("p")
                                .reserveForHigh(1)
                                .maxConcurrentJobs(2)
                                .build())),
                new Case(
                        LintCode.KEEP_FREE_LEAVES_NOTHING,
                        "substrates.c.keep_free_gb",
                        "keep_free_gb: 32 of vram_gb: 32",
                        two().substrate(local("c").keepFreeGb(32).build()),
                        two().substrate(local("c").keepFreeGb(31).build())),
                new Case(
                        LintCode.VIRTUAL_WITHOUT_MCP_URL,
                        "substrates.c.virtual",
                        "virtual: true",
                        two().substrate(local("c").virtual(true).build()),
                        two().substrate(local("c")
                                .virtual(true)
                                .mcpUrl("http://10.0.0.1/mcp")
                                .build())),
                new Case(
                        LintCode.ROUTER_ON_SUBSTRATE,
                        "substrates.c.endpoint",
                        "host localhost",
                        two().substrate(local("c")
                                .endpoint("http://LocalHost:8188")
                                .status("http://127.0.0.1:9100/status")
                                .build()),
                        two().substrate(local("c")
                                .endpoint("http://localhost.example:8188")
                                .build())),
                new Case(
                        LintCode.ROUTER_ON_SUBSTRATE,
                        "substrates.c.status[1].url",
                        "url: host ::1",
                        two().substrate(local("c")
                                .status("http://10.0.0.1:9100/status")
                                .status("http://[::1]:9100/status")
                                .build()),
                        two().substrate(local("c")
                                .status("http://10.0.0.1:9100/status")
                                .status("http://[fd00::1]:9100/status")
                                .build())),
                new Case(
                        LintCode.ROUTER_ON_SUBSTRATE,
                        "workloads.w.route[1].endpoint",
                        "host 127.0.1.1",
                        two().workload(Workload.builder("w")
                                .route(
                                        Candidate.on("a"),
                                        Candidate.builder("b")
                                                .endpoint("http://127.0.1.1")
                                                .build())
                                .build()),
                        two().workload(Workload.builder("w")
                                .route(
                                        Candidate.on("a"),
                                        Candidate.builder("b")
                                                .endpoint("http://128.0.1.1")
                                                .build())
                                .build())));
    }

    // workloads

    private static List<Case> workloads() {
        Substrate big = local("big").vramGb(48).gpus(2).build();
        return List.of(
                new Case(
                        LintCode.UNSERVABLE_WORKLOAD,
                        "workloads.w",
                        "route: a quality 0.5 < 0.8; b no quality declared, needs 0.8",
                        two().workload(Workload.builder("w")
                                .minQuality(0.8)
                                .route(quality("a", 0.5), Candidate.on("b"))
                                .build()),
                        two().workload(Workload.builder("w")
                                .minQuality(0.8)
                                .route(quality("a", 0.8), quality("b", 0.8))
                                .build())),
                new Case(
                        LintCode.UNSERVABLE_WORKLOAD,
                        "workloads.w",
                        "pin: a trust partner, needs controlled",
                        Policy.builder()
                                .substrate(local("a").trust(Trust.PARTNER).build())
                                .workload(Workload.builder("w").pin("a").build()),
                        Policy.builder()
                                .substrate(local("a").trust(Trust.PARTNER).build())
                                .workload(Workload.builder("w")
                                        .privacy(Trust.PARTNER)
                                        .pin("a")
                                        .build())),
                new Case(
                        LintCode.UNSERVABLE_WORKLOAD,
                        "workloads.w",
                        "substrates: a lacks cuda (has volta); b lacks cuda (has none); batch path p lacks cuda (has none)",
                        Policy.builder()
                                .substrate(local("a").capabilities("volta").build())
                                .substrate(local("b").build())
                                .substrate(batch("p").build())
                                .substrate(batch("q").capabilities("rocm").build())
                                .workload(Workload.builder("w")
                                        .capabilities("cuda")
                                        .batch(Candidate.on("p"))
                                        .build()),
                        Policy.builder()
                                .substrate(local("a").capabilities("volta").build())
                                .substrate(local("b").build())
                                .substrate(batch("p").build())
                                .substrate(batch("q").capabilities("CUDA").build())
                                .workload(Workload.builder("w")
                                        .capabilities("cuda")
                                        .batch(Candidate.on("q"))
                                        .build()),
                        LintCode.UNOFFERED_CAPABILITY),
                new Case(
                        LintCode.WORKLOAD_FOR_NOBODY,
                        "workloads.w",
                        "workload: 'w'",
                        two().workload(served().build())
                                .role(role("r").workloads().build()),
                        two().workload(served().build())
                                .role(role("r").workloads("w").build())),
                new Case(
                        LintCode.UNOFFERED_CAPABILITY,
                        "workloads.w.capabilities[1]",
                        "capabilities: 'larg_bar', which no substrate has (expected: did you mean 'large-bar'?)",
                        Policy.builder()
                                .substrate(local("a")
                                        .capabilities("cuda", "Large Bar")
                                        .build())
                                .workload(Workload.builder("w")
                                        .capabilities("CUDA", "larg_bar")
                                        .build()),
                        Policy.builder()
                                .substrate(local("a")
                                        .capabilities("cuda", "Large Bar")
                                        .build())
                                .workload(Workload.builder("w")
                                        .capabilities("CUDA", "large_bar")
                                        .build()),
                        LintCode.UNSERVABLE_WORKLOAD),
                new Case(
                        LintCode.UNOFFERED_CAPABILITY,
                        "roles.r.capabilities[0]",
                        "capabilities: 'quantum', which no substrate has (expected: one that a substrate has)",
                        two().substrate(local("c").capabilities("cuda").build())
                                .role(role("r").capabilities("quantum").build()),
                        two().substrate(local("c").capabilities("cuda").build())
                                .role(role("r").capabilities("CUDA").build())),
                new Case(
                        LintCode.VRAM_ABOVE_EVERY_GPU,
                        "workloads.w.vram_gb",
                        "vram_gb: 33, 1 more than there is anywhere (expected: at most 32, the largest GPU, on 'a')",
                        two().substrate(big)
                                .workload(Workload.builder("w")
                                        .vramGb(33)
                                        .route(Candidate.on("a"), spanning("big"))
                                        .build()),
                        two().substrate(big)
                                .workload(Workload.builder("w")
                                        .vramGb(32)
                                        .route(Candidate.on("a"), spanning("big"))
                                        .build())),
                new Case(
                        LintCode.VRAM_ABOVE_EVERY_GPU,
                        "workloads.w.route[1].vram_gb",
                        "vram_gb: 32.5, 0.5 more than there is anywhere (expected: at most 32, the largest GPU, on 'a')",
                        two().workload(Workload.builder("w")
                                .route(needing("a", 32), needing("b", 32.5))
                                .build()),
                        two().workload(Workload.builder("w")
                                .route(needing("a", 32), needing("b", 32))
                                .build())),
                new Case(
                        LintCode.PIN_TO_OVERFLOW,
                        "workloads.w.pin",
                        "pin: 'c', which has overflow: true",
                        two().substrate(local("c").overflow(true).build())
                                .workload(Workload.builder("w").pin("c").build()),
                        two().substrate(local("c").build())
                                .workload(Workload.builder("w").pin("c").build())),
                new Case(
                        LintCode.ROUTE_OF_ONE,
                        "workloads.w.route",
                        "route: 'a' alone, where b would fit",
                        two().workload(Workload.builder("w").route("a").build()),
                        two().workload(Workload.builder("w").pin("a").build())),
                new Case(
                        LintCode.ROUTE_OF_ONE,
                        "workloads.w.route",
                        "where big would fit",
                        Policy.builder()
                                .substrates(local("a").build(), big)
                                .workload(Workload.builder("w")
                                        .vramGb(24)
                                        .route("a")
                                        .build()),
                        Policy.builder()
                                .substrates(local("a").build(), big)
                                .workload(Workload.builder("w")
                                        .vramGb(24.5)
                                        .route("a")
                                        .build())),
                new Case(
                        LintCode.ROUTE_OF_ONE,
                        "workloads.w.route",
                        "where b would fit",
                        two().workload(Workload.builder("w")
                                .minQuality(0.8)
                                .route(quality("a", 0.9))
                                .build()),
                        two().workload(Workload.builder("w")
                                .minQuality(0.8)
                                .pin(quality("a", 0.9))
                                .build())),
                new Case(
                        LintCode.ROUTE_OF_ONE,
                        "workloads.w.route",
                        "where other would fit",
                        Policy.builder()
                                .substrates(
                                        big, local("other").vramGb(64).gpus(2).build())
                                .workload(Workload.builder("w")
                                        .route(spanning("big"))
                                        .build()),
                        Policy.builder()
                                .substrates(
                                        big, local("other").vramGb(46).gpus(2).build())
                                .workload(Workload.builder("w")
                                        .route(spanning("big"))
                                        .build())),
                new Case(
                        LintCode.UNREACHABLE_BATCH,
                        "workloads.w.batch",
                        "batch: p no latency declared, limit 60.0 s",
                        two().substrate(batch("p").build())
                                .workload(quick().batch(Candidate.on("p")).build()),
                        two().substrate(batch("p").build())
                                .workload(quick().batch(taking("p", 60)).build())),
                new Case(
                        LintCode.UNREACHABLE_BATCH,
                        "workloads.w.batch",
                        "batch: 'p', which no role that may ask for 'w' may use",
                        two().substrate(batch("p").acceptsRoles("s").build())
                                .workload(served().batch(Candidate.on("p")).build())
                                .role(role("r").build())
                                .role(role("s").workloads().build()),
                        two().substrate(batch("p").acceptsRoles("r").build())
                                .workload(served().batch(Candidate.on("p")).build())
                                .role(role("r").build())
                                .role(role("s").workloads().build())));
    }

    // candidates

    private static List<Case> candidates() {
        Substrate partner = local("c").trust(Trust.PARTNER).build();
        return List.of(
                new Case(
                        LintCode.CANDIDATE_BATCH_ONLY,
                        "workloads.w.route[2]",
                        "on: 'p' kind batch",
                        two().substrate(batch("p").build())
                                .workload(Workload.builder("w")
                                        .route("a", "b", "p")
                                        .build()),
                        two().substrate(batch("p").build())
                                .workload(served().batch(Candidate.on("p")).build())),
                new Case(
                        LintCode.CANDIDATE_BREAKS_PRIVACY,
                        "workloads.w.route[2]",
                        "on: 'c' trust partner, needs controlled",
                        two().substrate(partner)
                                .workload(Workload.builder("w")
                                        .route("a", "b", "c")
                                        .build()),
                        two().substrate(partner)
                                .workload(Workload.builder("w")
                                        .privacy(Trust.PARTNER)
                                        .route("a", "b", "c")
                                        .build())),
                new Case(
                        LintCode.CANDIDATE_BREAKS_CAPABILITY,
                        "workloads.w.route[0]",
                        "on: 'a' lacks cuda",
                        Policy.builder()
                                .substrates(
                                        local("a").build(),
                                        local("b").capabilities("cuda").build())
                                .workload(Workload.builder("w")
                                        .capabilities("cuda")
                                        .route("a", "b")
                                        .build()),
                        Policy.builder()
                                .substrates(
                                        local("a").capabilities("Cuda").build(),
                                        local("b").capabilities("cuda").build())
                                .workload(Workload.builder("w")
                                        .capabilities("cuda")
                                        .route("a", "b")
                                        .build())),
                new Case(
                        LintCode.CANDIDATE_BREAKS_MEMORY,
                        "workloads.w.route[1]",
                        "on: 'c' needs 16.5 GB, could get at most 16.0 GB",
                        two().substrate(local("c").vramGb(16).build())
                                .workload(Workload.builder("w")
                                        .vramGb(16.5)
                                        .route("a", "c")
                                        .build()),
                        two().substrate(local("c").vramGb(16).build())
                                .workload(Workload.builder("w")
                                        .vramGb(16)
                                        .route("a", "c")
                                        .build())),
                new Case(
                        LintCode.CANDIDATE_BREAKS_QUALITY,
                        "workloads.w.route[1]",
                        "on: 'b' quality 0.7 < 0.8",
                        two().workload(Workload.builder("w")
                                .minQuality(0.8)
                                .route(quality("a", 0.8), quality("b", 0.7))
                                .build()),
                        two().workload(Workload.builder("w")
                                .minQuality(0.7)
                                .route(quality("a", 0.8), quality("b", 0.7))
                                .build())),
                new Case(
                        LintCode.CANDIDATE_BREAKS_LATENCY,
                        "workloads.w.route[1]",
                        "on: 'b' takes 61.0 s",
                        two().workload(Workload.builder("w")
                                .maxLatency(seconds(60))
                                .route(taking("a", 60), taking("b", 61))
                                .build()),
                        two().workload(quick().build())),
                new Case(
                        LintCode.CANDIDATE_BREAKS_COST,
                        "workloads.w.route[1]",
                        "on: 'b' no cost basis declared, limit 0.5000",
                        two().workload(Workload.builder("w")
                                .maxCost(0.5)
                                .route(costing("a", 0.5), Candidate.on("b"))
                                .build()),
                        two().workload(Workload.builder("w")
                                .maxCost(0.5)
                                .route(costing("a", 0.5), costing("b", 0.5))
                                .build())),
                new Case(
                        LintCode.CANDIDATE_FOR_NOBODY,
                        "workloads.w.route[1]",
                        "on: 'x', which no role that may ask for 'w' may use",
                        two().substrate(external("x").build())
                                .workload(anywhere())
                                .role(role("r").build())
                                .role(role("s").workloads().external(true).build()),
                        two().substrate(external("x").build())
                                .workload(anywhere())
                                .role(role("r").build())
                                .role(role("s").workloads("w").external(true).build())),
                new Case(
                        LintCode.SHADOWED_CANDIDATE,
                        "workloads.w.route[2]",
                        "on: 'a' once more, after one that needs 8 GB",
                        two().workload(Workload.builder("w")
                                .route(needing("a", 8), needing("b", 8), needing("a", 9))
                                .build()),
                        two().workload(Workload.builder("w")
                                .route(needing("a", 8), needing("b", 8), needing("a", 7))
                                .build())),
                new Case(
                        LintCode.SHADOWED_CANDIDATE,
                        "workloads.w.route[1]",
                        "on: 'a' once more, after one that needs no memory",
                        two().workload(Workload.builder("w")
                                .route(model("a", "m"), model("a", "n"))
                                .build()),
                        two().workload(Workload.builder("w")
                                .vramGb(8)
                                .route(model("a", "m"), model("a", "n"))
                                .build())),
                new Case(
                        LintCode.JOB_VRAM_WITHOUT_MODEL,
                        "workloads.w.pin.job_vram_gb",
                        "job_vram_gb: 3 without model (expected: the model that must be loaded for it; the job always takes 8",
                        two().workload(Workload.builder("w")
                                .vramGb(8)
                                .pin(Candidate.builder("a").jobVramGb(3).build())
                                .build()),
                        two().workload(Workload.builder("w")
                                .vramGb(8)
                                .pin(Candidate.builder("a").jobVramGb(8).build())
                                .build())));
    }

    // the order of candidates

    private static List<Case> orders() {
        return List.of(
                new Case(
                        LintCode.OVERFLOW_AFTER_WITHOUT_OVERFLOW,
                        "workloads.w.overflow_after",
                        "overflow_after: 5s",
                        two().substrate(local("c").overflow(true).build())
                                .workload(served().overflowAfter(seconds(5)).build()),
                        two().substrate(local("c").overflow(true).build())
                                .workload(Workload.builder("w")
                                        .overflowAfter(seconds(5))
                                        .route("a", "c")
                                        .build())),
                new Case(
                        LintCode.LOAD_TIME_WITHOUT_MODEL,
                        "workloads.w.route[1].load_time",
                        "load_time: 8s without model under earliest-finish",
                        two().workload(loading(StrategyKind.EARLIEST_FINISH)),
                        two().workload(loading(StrategyKind.HEALTHIEST))),
                new Case(
                        LintCode.STRATEGY_FOR_ONE,
                        "workloads.w.strategy",
                        "strategy: healthiest of one candidate",
                        two().workload(Workload.builder("w")
                                .strategy(StrategyKind.HEALTHIEST)
                                .pin("a")
                                .build()),
                        two().strategy(StrategySettings.builder()
                                        .defaultKind(StrategyKind.HEALTHIEST)
                                        .build())
                                .workload(Workload.builder("w")
                                        .strategy(StrategyKind.HEALTHIEST)
                                        .pin("a")
                                        .build())),
                new Case(
                        LintCode.STRATEGY_WITHOUT_FIGURES,
                        "workloads.w.strategy",
                        "strategy: outcome-cost, and of none of 2 candidates the cost will ever be known",
                        two().workload(served().strategy(StrategyKind.OUTCOME_COST)
                                .build()),
                        two().workload(Workload.builder("w")
                                .strategy(StrategyKind.OUTCOME_COST)
                                .route(costing("a", 1), Candidate.on("b"))
                                .build())),
                new Case(
                        LintCode.STRATEGY_WITHOUT_FIGURES,
                        "workloads.w",
                        "strategy: earliest-finish, and of none of 2 candidates the latency will ever be known",
                        two().strategy(StrategySettings.builder()
                                        .defaultKind(StrategyKind.EARLIEST_FINISH)
                                        .learn(false)
                                        .build())
                                .workload(served().build()),
                        two().strategy(StrategySettings.builder()
                                        .defaultKind(StrategyKind.EARLIEST_FINISH)
                                        .build())
                                .workload(served().build())));
    }

    // roles

    private static List<Case> roles() {
        return List.of(
                new Case(
                        LintCode.ROLE_WITHOUT_USE,
                        "roles.s",
                        "workloads: [], adhoc: false and operate: []",
                        two().role(role("r").build())
                                .role(Role.builder("s").identities("s").build()),
                        two().role(role("r").build())
                                .role(Role.builder("s")
                                        .identities("s")
                                        .operate(Operation.VIEW)
                                        .build())),
                new Case(
                        LintCode.ROLE_WITHOUT_USE,
                        "roles.s",
                        "workloads: [*], adhoc: true, and nothing of it can be served under role 's'",
                        Policy.builder()
                                .substrate(local("a")
                                        .reserveForHigh(1)
                                        .acceptsRoles("r")
                                        .build())
                                .role(role("r").maxPriority(Priority.HIGH).build())
                                .role(role("s").build()),
                        Policy.builder()
                                .substrate(local("a")
                                        .reserveForHigh(1)
                                        .acceptsRoles("r", "s")
                                        .build())
                                .role(role("r").maxPriority(Priority.HIGH).build())
                                .role(role("s").build())),
                new Case(
                        LintCode.ROLE_WORKLOAD_OUT_OF_REACH,
                        "roles.s.workloads[0]",
                        "workloads: 'w', whose capabilities role 's' may not ask for",
                        able().role(role("r").capabilities("*").build())
                                .role(role("s").workloads("w").build()),
                        able().role(role("r").capabilities("*").build())
                                .role(role("s")
                                        .workloads("w")
                                        .capabilities("Cuda")
                                        .build())),
                new Case(
                        LintCode.ROLE_WORKLOAD_OUT_OF_REACH,
                        "roles.s.workloads[1]",
                        "workloads: 'v', and no substrate that could serve it may be used under role 's'",
                        two().substrate(local("c").acceptsRoles("r").build())
                                .workload(served().build())
                                .workload(Workload.builder("v").pin("c").build())
                                .role(role("r").build())
                                .role(role("s").workloads("w", "v").build()),
                        two().substrate(local("c").acceptsRoles("r", "s").build())
                                .workload(served().build())
                                .workload(Workload.builder("v").pin("c").build())
                                .role(role("r").build())
                                .role(role("s").workloads("w", "v").build())));
    }

    // beyond the table

    @Test
    void anOverflowThatCanNeverServeIsNone() {
        Policy policy = two().substrate(
                        local("c").trust(Trust.PUBLIC).overflow(true).build())
                .workload(Workload.builder("w")
                        .overflowAfter(seconds(5))
                        .route("a", "b", "c")
                        .build())
                .build();

        assertThat(PolicyLint.lint(policy))
                .extracting(PolicyProblem::code)
                .containsExactly("candidate-breaks-privacy", "overflow-after-without-overflow");
    }

    @Test
    void aSubstrateOfUnknownSizeIsNoPlaceForAJobThatSaysHowMuchItTakes() {
        Policy policy = Policy.builder()
                .substrates(
                        local("a").build(),
                        Substrate.builder("unknown").maxConcurrentJobs(1).build())
                .workload(Workload.builder("w").vramGb(8).route("a").build())
                .build();

        assertThat(PolicyLint.lint(policy)).isEmpty();
    }

    @Test
    void anAddressIsTheSameHoweverItIsWritten() {
        for (String host :
                List.of("[fd00:0:0::1]", "[FD00::0001]", "[::ffff:10.0.0.1]", "[::ffff:a00:1]", "10.0.0.1")) {
            Policy policy = two().substrate(
                            local("c").endpoint("http://" + host + ":1").build())
                    .build();

            assertThat(PolicyLint.lint(policy, Set.of("fd00::1", "10.0.0.1")))
                    .as(host)
                    .extracting(PolicyProblem::code)
                    .containsExactly("router-on-substrate");
            assertThat(PolicyLint.lint(policy, Set.of("fd00::2", "10.0.0.2", "::ffff:x", "256.0.0.1")))
                    .as(host)
                    .isEmpty();
        }
    }

    @Test
    void manyRolesThatAllowTheSameAreLookedAtOnce() {
        Policy.Builder policy = two().workload(
                        Workload.builder("x").capabilities("y").route("a", "b").build());
        String[] names = new String[500];
        for (int at = 0; at < names.length; at++) {
            names[at] = "w" + at;
            policy.workload(Workload.builder(names[at]).route("a", "b").build());
        }
        for (int at = 0; at < 200; at++) {
            policy.role(role("r" + at).workloads(names).adhoc(false).build());
        }
        policy.substrate(local("c").acceptsRoles("r7").build());

        assertThat(PolicyLint.lint(policy.build()))
                .extracting(PolicyProblem::code)
                .containsExactly("unreachable-substrate", "unservable-workload", "unoffered-capability");
    }

    @Test
    void fiveHundredWorkloadsAndTwoHundredRolesTakeNoTime() {
        assertThat(fastest(3, many(20, 500, 200))).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void theSmallestPolicyIsClean() {
        assertThat(PolicyLint.lint(Policies.smallest())).isEmpty();
    }

    @Test
    void aSlotThatIsKeptForThoseWhoMayAskForItMakesARoleOfOthersUseless() {
        Policy policy = Policy.builder()
                .substrate(local("a").reserveForHigh(2).build())
                .role(role("r").maxPriority(Priority.HIGH).build())
                .role(role("s").build())
                .build();

        assertThat(PolicyLint.lint(policy))
                .extracting(PolicyProblem::code)
                .containsExactly("reserve-leaves-nothing", "role-without-use");
    }

    @Test
    void problemsComeInTheOrderOfThePolicy() {
        Policy policy = two().queue(QueueLimits.builder().weights(1, 1).build())
                .substrate(external("x").build())
                .workload(Workload.builder("late").route("b").build())
                .workload(Workload.builder("early").route("a").build())
                .build();

        assertThat(PolicyLint.lint(policy))
                .extracting(PolicyProblem::path)
                .containsExactly("queue.weights", "substrates.x.kind", "workloads.late.route", "workloads.early.route");
    }

    @Test
    void aHostThatIsNamedIsTheRoutersOwnWhateverItsKind() {
        Policy policy = two().substrate(
                        external("x").endpoint("https://GPU.example.com./v1").build())
                .role(role("r").external(true).build())
                .build();

        assertThat(PolicyLint.lint(policy)).isEmpty();
        assertThat(PolicyLint.lint(policy, Set.of("gpu.EXAMPLE.com")))
                .singleElement()
                .satisfies(problem -> assertThat(problem.path()).isEqualTo("substrates.x.endpoint"));
    }

    @Test
    void theLoopbackOfAnExternalSubstrateIsAWayToIt() {
        Policy policy = two().substrate(
                        external("x").endpoint("http://127.0.0.1:4000").build())
                .role(role("r").external(true).build())
                .build();

        assertThat(PolicyLint.lint(policy)).isEmpty();
    }

    @Test
    void addressesThatMeanEveryHostMeanTheOwnOne() {
        for (String host : List.of(
                "0.0.0.0", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "gpu.localhost")) {
            Policy policy = two().substrate(
                            local("c").endpoint("http://" + host + ":1").build())
                    .build();

            assertThat(PolicyLint.lint(policy))
                    .as(host)
                    .extracting(PolicyProblem::code)
                    .containsExactly("router-on-substrate");
        }
    }

    @Test
    void anUnknownSizeMaySuffice() {
        Policy policy = two().substrate(external("x").trust(Trust.CONTROLLED).build())
                .workload(Workload.builder("w").vramGb(500).route("x", "a").build())
                .role(role("r").external(true).build())
                .build();

        assertThat(PolicyLint.lint(policy)).extracting(PolicyProblem::code).containsExactly("candidate-breaks-memory");
    }

    @Test
    void whatFitsOnSeveralGpusTogetherIsNotAboveEvery() {
        Policy policy = two().substrate(local("big").vramGb(48).gpus(2).build())
                .workload(Workload.builder("w")
                        .vramGb(40)
                        .route(
                                Candidate.on("a"),
                                Candidate.builder("big").spansGpus(true).build())
                        .build())
                .build();

        assertThat(PolicyLint.lint(policy)).extracting(PolicyProblem::code).containsExactly("candidate-breaks-memory");
    }

    @Test
    void aWorkloadThatIsMeantForTheBatchPathIsClean() {
        Policy policy = two().substrate(batch("p").capabilities("cuda").build())
                .workload(Workload.builder("w").capabilities("cuda").vramGb(500).build())
                .build();

        assertThat(PolicyLint.lint(policy)).isEmpty();
    }

    @Test
    void aPolicyOfTheSizeThatIsMeantTakesNoTime() {
        Policy policy = many(20, 50, 4);

        assertThat(fastest(50, policy)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void tenThousandSubstratesAreNoTrouble() {
        Policy policy = many(10_000, 50, 4);

        assertThat(fastest(2, policy)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aMessageNamesTheFirstOfManyCandidates() {
        Policy.Builder policy = Policy.builder();
        IntStream.range(0, 5_000).forEach(at -> policy.substrate(local("s" + at).build()));
        policy.workload(Workload.builder("w").vramGb(33).build());

        PolicyProblem problem = PolicyLint.lint(policy.build()).get(0);

        assertThat(problem.message()).contains("... (5000)").hasSizeLessThan(1_000);
    }

    /** Substrates that differ, workloads of each sort, and roles. */
    private static Policy many(int substrates, int workloads, int roles) {
        Policy.Builder policy = Policy.builder();
        for (int at = 0; at < substrates; at++) {
            policy.substrate(local("s" + at).capabilities("cuda", "c" + at % 7).build());
        }
        for (int at = 0; at < workloads; at++) {
            Workload.Builder workload =
                    Workload.builder("w" + at).vramGb(1 + at % 32).capabilities("cuba" + at);
            switch (at % 3) {
                case 0 -> workload.route("s" + at % substrates);
                case 1 -> workload.capabilities("c" + at % 7);
                default -> workload.capabilities().route("s" + at % substrates, "s" + (at + 1) % substrates);
            }
            policy.workload(workload.build());
        }
        for (int at = 0; at < roles; at++) {
            policy.role(role("r" + at).adhoc(at % 2 == 0).capabilities("*").build());
        }
        return policy.build();
    }

    private static Duration fastest(int rounds, Policy policy) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            long begun = System.nanoTime();
            PolicyLint.lint(policy);
            best = Math.min(best, System.nanoTime() - begun);
        }
        return Duration.ofNanos(best);
    }

    // parts

    private static Policy.Builder two() {
        return Policy.builder().substrates(local("a").build(), local("b").build());
    }

    private static Policy.Builder cold() {
        return two().health(HealthLimits.builder().ignore(Measure.GPU_TEMP).build());
    }

    private static Policy.Builder able() {
        return Policy.builder()
                .substrate(local("a").capabilities("cuda").build())
                .workload(Workload.builder("w").capabilities("cuda").build());
    }

    private static Substrate.Builder local(String id) {
        return Substrate.builder(id).vramGb(32).maxConcurrentJobs(2);
    }

    private static Substrate.Builder external(String id) {
        return Substrate.builder(id).kind(SubstrateKind.EXTERNAL);
    }

    private static Substrate.Builder batch(String id) {
        return Substrate.builder(id).kind(SubstrateKind.BATCH);
    }

    private static Role.Builder role(String name) {
        return Role.builder(name).identities(name + "-*").workloads("*").adhoc(true);
    }

    private static Workload.Builder served() {
        return Workload.builder("w").route("a", "b");
    }

    private static Workload.Builder quick() {
        return Workload.builder("w").maxLatency(seconds(60)).route(taking("a", 60), taking("b", 60));
    }

    private static Workload anywhere() {
        return Workload.builder("w").privacy(Trust.PUBLIC).route("a", "x").build();
    }

    private static Workload loading(StrategyKind strategy) {
        return Workload.builder("w")
                .strategy(strategy)
                .route(
                        Candidate.on("a"),
                        Candidate.builder("b").loadTime(seconds(8)).build())
                .build();
    }

    private static Candidate quality(String on, double quality) {
        return Candidate.builder(on).quality(quality).build();
    }

    private static Candidate taking(String on, int seconds) {
        return Candidate.builder(on).expectedLatency(seconds(seconds)).build();
    }

    private static Candidate costing(String on, double cost) {
        return Candidate.builder(on).costPerJob(cost).build();
    }

    private static Candidate needing(String on, double gb) {
        return Candidate.builder(on).vramGb(gb).build();
    }

    private static Candidate spanning(String on) {
        return Candidate.builder(on).vramGb(48).spansGpus(true).build();
    }

    private static Candidate model(String on, String model) {
        return Candidate.builder(on).model(model).build();
    }

    private static HealthLimits margin(double celsius) {
        return HealthLimits.builder().gpuTempMarginC(celsius).build();
    }

    private static WorkloadQueue places(int capacity) {
        return WorkloadQueue.builder().capacity(capacity).build();
    }

    private static WorkloadQueue places(int capacity, int maxWait) {
        return WorkloadQueue.builder()
                .capacity(capacity)
                .maxWait(seconds(maxWait))
                .build();
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
