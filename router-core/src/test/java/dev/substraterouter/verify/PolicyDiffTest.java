package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Policies;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PolicyDiffTest {
    private static final Policy BASE = Policies.smallest();

    @Test
    void nothingChangesWithoutAChange() {
        assertThat(PolicyDiff.between(BASE, BASE)).isEmpty();
    }

    @Test
    void aSwappedRouteIsTold() {
        Policy swapped = with(Workload.builder("flux-fill").vramGb(24).route("mirrorforge", "legion"));

        List<PlacementChange> changes = PolicyDiff.between(BASE, swapped);

        assertThat(changes).singleElement().satisfies(change -> {
            assertThat(change.subject()).isEqualTo("flux-fill");
            assertThat(change.before().substrateId()).contains("legion");
            assertThat(change.after().substrateId()).contains("mirrorforge");
            assertThat(change.situation().standings().values()).allMatch(Standing::free);
            assertThat(change.toString())
                    .startsWith("flux-fill: placed on legion -> placed on mirrorforge")
                    .contains("mirrorforge    free", "legion         free");
        });
    }

    @Test
    void aWorkloadThatIsGoneIsTold() {
        Policy without = Policy.builder()
                .substrates(BASE.substrates().toArray(Substrate[]::new))
                .workloads(
                        BASE.workload("sdxl").orElseThrow(),
                        BASE.workload("flux-dev").orElseThrow())
                .build();

        assertThat(PolicyDiff.between(BASE, without))
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.subject()).isEqualTo("flux-fill"))
                .anySatisfy(change ->
                        assertThat(change.toString()).contains("placed on legion -> refused: unknown workload"));
    }

    @Test
    void aLimitIsTriedAtJustItsValue() {
        Policy looser = BASE.toBuilder()
                .health(HealthLimits.builder().maxGpuUtilPct(71).build())
                .build();

        assertThat(PolicyDiff.between(BASE, looser)).anySatisfy(change -> {
            assertThat(change.subject()).isEqualTo("flux-fill");
            assertThat(change.before().substrateId()).contains("mirrorforge");
            assertThat(change.after().substrateId()).contains("legion");
            assertThat(change.situation().standings().get("legion").words()).isEqualTo("gpu util 70.0");
        });
    }

    @Test
    void anEqualLimitIsNot() {
        Policy same = BASE.toBuilder()
                .health(HealthLimits.builder().maxGpuUtilPct(70).build())
                .build();

        assertThat(PolicyDiff.between(BASE, same)).isEmpty();
    }

    @Test
    void anotherSubstrateIsTold() {
        Policy.Builder more = Policy.builder();
        BASE.substrates().forEach(more::substrate);
        more.substrate(
                Substrate.builder("third").vramGb(48).maxConcurrentJobs(1).build());
        more.workload(Workload.builder("flux-dev")
                .vramGb(12)
                .route("third", "mirrorforge", "legion")
                .build());
        more.workload(BASE.workload("flux-fill").orElseThrow());
        more.workload(BASE.workload("sdxl").orElseThrow());

        assertThat(PolicyDiff.between(BASE, more.build()))
                .filteredOn(change -> change.subject().equals("flux-dev"))
                .anySatisfy(change -> {
                    assertThat(change.before().substrateId()).contains("mirrorforge");
                    assertThat(change.after().substrateId()).contains("third");
                });
    }

    @Test
    void whoMayAskIsTold() {
        Role operator = Role.builder("operator")
                .identities("ops-*")
                .workloads("*")
                .capabilities("*")
                .build();
        Policy closed = BASE.toBuilder().role(operator).build();

        assertThat(PolicyDiff.between(BASE, closed)).anySatisfy(change -> {
            assertThat(change.situation().request().identity()).isEqualTo(Optional.empty());
            assertThat(change.after()).hasToString("refused: not authorized");
        });
    }

    @Test
    void whoGainedOrLostAccessIsTold() {
        Policy before = roles("agent-*");
        Policy after = roles("agent-*", "svc-*");

        assertThat(PolicyDiff.between(before, after)).isNotEmpty().allSatisfy(change -> {
            assertThat(change.situation().request().identity().orElseThrow()).startsWith("svc-");
            assertThat(change.roles()).containsExactly("agent");
            assertThat(change.before()).hasToString("refused: not authorized");
        });
        assertThat(PolicyDiff.between(after, before)).isNotEmpty().allSatisfy(change -> {
            assertThat(change.roles()).isEmpty();
            assertThat(change.after()).hasToString("refused: not authorized");
        });
    }

    @Test
    void whoMovedFromOneRoleToAnotherIsTold() {
        Role.Builder agent = Role.builder("agent").workloads("sdxl");
        Role.Builder guest = Role.builder("guest").workloads("flux-dev");
        Policy before = BASE.toBuilder()
                .role(agent.identities("agent-*", "svc-*").build())
                .role(guest.identities("guest-*").build())
                .build();
        Policy after = BASE.toBuilder()
                .role(agent.identities("agent-*").build())
                .role(guest.identities("guest-*", "svc-*").build())
                .build();

        assertThat(PolicyDiff.between(before, after))
                .extracting(PlacementChange::subject)
                .contains("sdxl", "flux-dev");
    }

    @Test
    void aGateThatIsLoosenedIsTold() {
        loosened("no gpu temp", limits -> limits.ignore(Measure.GPU_TEMP), "gpu temp 80.0", "GPU_TEMP unknown");
        loosened("no gpu util", limits -> limits.ignore(Measure.GPU_UTIL), "gpu util 70.0", "GPU_UTIL unknown");
        loosened("no jobs", limits -> limits.ignore(Measure.RUNNING_JOBS), "jobs of others 1", "RUNNING_JOBS unknown");
        loosened("no vram", limits -> limits.ignore(Measure.VRAM), "gpu memory used 32.0", "VRAM unknown");
        loosened(
                "nothing required",
                HealthLimits.Builder::require,
                "GPU_UTIL unknown",
                "VRAM unknown",
                "GPU_TEMP unknown",
                "RUNNING_JOBS unknown",
                "never said anything",
                "its status is 15001 ms old");
        loosened("hold", limits -> limits.onStale(OnStale.HOLD), "its status is 15001 ms old");
        loosened("stale", limits -> limits.staleAfter(Duration.ofSeconds(20)), "its status is 15001 ms old");
        loosened("warmer", limits -> limits.maxGpuTempC(85), "gpu temp 80.0");
    }

    private static void loosened(String what, UnaryOperator<HealthLimits.Builder> change, String... words) {
        told(
                what,
                BASE,
                legion(legion ->
                        legion.health(change.apply(HealthLimits.builder()).build())),
                words);
    }

    /** In each of some situations legion is not taken for flux-fill before, and taken after. */
    private static void told(String what, Policy before, Policy after, String... words) {
        for (String word : words) {
            assertThat(PolicyDiff.between(before, after)).as(what + ": " + word).anySatisfy(change -> {
                assertThat(change.subject()).isEqualTo("flux-fill");
                assertThat(change.before().substrateId()).isNotEqualTo(Optional.of("legion"));
                assertThat(change.after().substrateId()).contains("legion");
            });
            assertThat(scenes(before, after)).as(what).contains(word);
        }
    }

    /** What legion says in the probes that both policies answer in different ways. */
    private static Set<String> scenes(Policy before, Policy after) {
        Side old = new Side(before);
        Side now = new Side(after);
        RouteRequest request = RouteRequest.workload("flux-fill");
        Side.Seen was = old.seen(Case.of(old.stage, request, List.of(), Duration.ZERO));
        Side.Seen is = now.seen(Case.of(now.stage, request, List.of(), Duration.ZERO));
        return Probes.between(old, now, "legion", Set.of()).stream()
                .filter(probe -> Scene.of(probe).stream()
                        .allMatch(scene -> !old.answer(was, scene).equals(now.answer(is, scene))
                                && now.answer(is, scene).substrateId().equals(Optional.of("legion"))))
                .map(probe -> probe.standing().words())
                .collect(Collectors.toSet());
    }

    @Test
    void droppedOrChangedAttributesAreTold() {
        Policy before = legion(legion -> legion.health(HealthLimits.builder()
                .requireAttributes(Map.of("owner_busy", "false", "zone", "a"))
                .build()));
        told(
                "dropped",
                before,
                BASE,
                "without the attributes that it must have",
                "without attribute owner_busy",
                "without attribute zone",
                "attribute zone with another value");
        Policy after = legion(legion -> legion.health(HealthLimits.builder()
                .requireAttributes(Map.of("owner_busy", "false", "zone", "b"))
                .build()));
        told("changed", before, after, "attributes as required now");
        Policy fewer = legion(legion -> legion.health(
                HealthLimits.builder().requireAttributes(Map.of("zone", "a")).build()));
        told("fewer", before, fewer, "without attribute owner_busy", "attribute owner_busy with another value");
    }

    @Test
    void aLimitOfJobsThatIsGoneIsTold() {
        Policy before = external(Substrate.builder("cloud").maxConcurrentJobs(2));
        Policy after = external(Substrate.builder("cloud"));

        assertThat(PolicyDiff.between(before, after)).isNotEmpty().anySatisfy(change -> {
            assertThat(change.situation().standings().get("cloud").words()).isEqualTo("jobs of others 2");
            assertThat(change.after()).hasToString("placed on cloud, outside");
        });
    }

    private static Policy external(Substrate.Builder cloud) {
        return BASE.toBuilder()
                .substrate(cloud.kind(SubstrateKind.EXTERNAL)
                        .endpoint("https://gpu.example.com")
                        .vramGb(80)
                        .build())
                .workload(Workload.builder("far")
                        .vramGb(8)
                        .privacy(Trust.PUBLIC)
                        .route("cloud")
                        .build())
                .build();
    }

    @Test
    void anotherGateOfAPinIsTold() {
        Policy facts = with(Workload.builder("flux-fill").vramGb(24).pin("legion"));
        Policy full =
                with(Workload.builder("flux-fill").vramGb(24).pin("legion").pinGate(PinGate.FULL));
        Policy route = with(Workload.builder("flux-fill").vramGb(24).route("legion"));

        for (Policy gated : List.of(full, route)) {
            told("facts", gated, facts, "gpu util 70.0", "gpu temp 80.0", "GPU_UTIL unknown", "GPU_TEMP unknown");
            assertThat(PolicyDiff.between(facts, gated)).isNotEmpty();
        }
        assertThat(PolicyDiff.between(full, route)).isEmpty();
    }

    @Test
    void aNeedForMoreMemoryIsTold() {
        Policy less = with(Workload.builder("flux-fill")
                .route(Candidate.builder("legion").vramGb(8).build(), Candidate.on("mirrorforge")));
        Policy more = with(Workload.builder("flux-fill")
                .route(Candidate.builder("legion").vramGb(32).build(), Candidate.on("mirrorforge")));
        Policy unknown = with(Workload.builder("flux-fill").route("legion", "mirrorforge"));

        told("less", more, less, "gpu memory used 24.0");
        told("unknown", more, unknown, "gpu memory used 32.0");
        told("kept free", legion(legion -> legion.keepFreeGb(4)), BASE, "gpu memory used 8.0");
        assertThat(PolicyDiff.between(less, more)).isNotEmpty();
    }

    @Test
    void ofSeveralGpusEachMustGiveTheMemory() {
        Policy less = with(Workload.builder("sdxl").vramGb(8).route("mirrorforge"));
        Policy more = with(Workload.builder("sdxl").vramGb(16).route("mirrorforge"));

        assertThat(PolicyDiff.between(less, more)).isNotEmpty().allSatisfy(change -> assertThat(
                        change.situation().standings().get("mirrorforge").words())
                .isEqualTo("gpu memory used 48.0"));
    }

    @Test
    void probesAreMadeOnlyForWhatDiffers() {
        Side same = new Side(BASE);
        Side other = new Side(with(Workload.builder("flux-fill").vramGb(24).route("mirrorforge", "legion")));

        assertThat(Probes.between(same, new Side(BASE), "legion", Set.of(8.0))).isEmpty();
        assertThat(Probes.between(same, other, "legion", Set.of(8.0, 32.0))).isEmpty();
    }

    @Test
    void whatIsOutsideNowIsTold() {
        Policy inside = cloud(SubstrateKind.POOL);
        Policy outside = cloud(SubstrateKind.EXTERNAL);

        assertThat(PolicyDiff.between(inside, outside))
                .extracting(PlacementChange::toString)
                .anySatisfy(story -> assertThat(story).startsWith("far: placed on cloud -> placed on cloud, outside"));
    }

    private static Policy cloud(SubstrateKind kind) {
        return BASE.toBuilder()
                .substrate(Substrate.builder("cloud")
                        .kind(kind)
                        .endpoint("https://gpu.example.com")
                        .vramGb(80)
                        .maxConcurrentJobs(4)
                        .build())
                .workload(Workload.builder("far")
                        .vramGb(8)
                        .privacy(Trust.PUBLIC)
                        .route("cloud")
                        .build())
                .build();
    }

    @Test
    void anotherBatchPathIsTold() {
        Policy night = batch("night");
        Policy archive = batch("archive");

        List<PlacementChange> changes = PolicyDiff.between(night, archive);

        assertThat(changes)
                .extracting(change -> change.situation().request().mode())
                .contains(PlacementMode.BATCH);
        assertThat(changes).first().satisfies(change -> {
            assertThat(change.before()).hasToString("placed on night by the batch path");
            assertThat(change.after()).hasToString("placed on archive by the batch path");
        });
        assertThat(PolicyDiff.between(night, batch(null)))
                .anySatisfy(change -> assertThat(change.after()).hasToString("refused: no eligible substrate"));
    }

    private static Policy batch(@Nullable String on) {
        Workload.Builder later = Workload.builder("later").vramGb(8).route("mirrorforge", "legion");
        if (on != null) {
            later.batch(Candidate.on(on));
        }
        return BASE.toBuilder()
                .substrates(queue("night"), queue("archive"))
                .workload(later.build())
                .build();
    }

    private static Substrate queue(String id, String... capabilities) {
        return Substrate.builder(id)
                .kind(SubstrateKind.BATCH)
                .capabilities(capabilities)
                .build();
    }

    @Test
    void aBatchQueueIsFollowedWhereNothingServesLive() {
        Workload later = Workload.builder("later").capabilities("cpu").build();
        Policy night = BASE.toBuilder()
                .substrates(queue("night", "cpu"), queue("archive"))
                .workload(later)
                .build();
        Policy archive = BASE.toBuilder()
                .substrates(queue("night"), queue("archive", "cpu"))
                .workload(later)
                .build();

        assertThat(PolicyDiff.between(night, archive))
                .filteredOn(change -> change.subject().equals("later"))
                .first()
                .satisfies(change -> {
                    assertThat(change.before()).hasToString("placed on night by the batch path");
                    assertThat(change.after()).hasToString("placed on archive by the batch path");
                    assertThat(change.situations())
                            .as("mode BATCH thrice, and LOW in mode EITHER")
                            .isEqualTo(4);
                });
    }

    @Test
    void manySubstratesTakeABoundedTime() {
        Policy many = many(3_000, HealthLimits.builder().build(), "s1", "s0");
        long started = cpuNanos();

        assertThat(PolicyDiff.between(many, many(3_000, HealthLimits.builder().build(), "s1", "s0")))
                .isEmpty();
        assertThat(PolicyDiff.between(many, many(3_000, HealthLimits.builder().build(), "s0", "s1")))
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.subject()).isEqualTo("some"));
        assertThat(PolicyDiff.between(
                        many,
                        many(3_000, HealthLimits.builder().maxGpuUtilPct(80).build(), "s1", "s0")))
                .anySatisfy(change -> {
                    assertThat(change.subject()).isEqualTo("any");
                    assertThat(change.toString()).contains("gpu util 70.0", Scene.REST);
                });

        long took = cpuNanos() - started;
        System.out.println(
                "PolicyDiffTest: 3,000 substrates in " + Duration.ofNanos(took).toMillis() + " ms");
        assertThat(Duration.ofNanos(took)).isLessThan(Duration.ofSeconds(60));
    }

    @Test
    void ofManySubstratesThoseThatAreTakenAreFollowed() {
        Policy many = many(400, HealthLimits.builder().build(), "s1", "s2", "s3", "s4");
        Policy swapped = many(400, HealthLimits.builder().build(), "s1", "s2", "s4", "s3");

        assertThat(PolicyDiff.between(many, swapped)).anySatisfy(change -> {
            assertThat(change.before()).hasToString("placed on s3");
            assertThat(change.after()).hasToString("placed on s4");
            assertThat(change.situation().standings().keySet()).contains("s1", "s2", "s3", "s4");
        });
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Some substrates, a workload that any of them serves, and one whose route starts as given and goes on with 20 others. */
    private static Policy many(int count, HealthLimits limits, String... first) {
        Policy.Builder policy = Policy.builder().health(limits);
        for (int n = 0; n < count; n++) {
            policy.substrate(Substrate.builder("s" + n)
                    .vramGb(32)
                    .capabilities("c" + n % 8)
                    .maxConcurrentJobs(1)
                    .build());
        }
        List<String> route = new ArrayList<>(List.of(first));
        IntStream.range(100, 120).forEach(n -> route.add("s" + n));
        return policy.workload(Workload.builder("any").vramGb(8).build())
                .workload(Workload.builder("some")
                        .vramGb(8)
                        .route(route.toArray(String[]::new))
                        .build())
                .build();
    }

    private static Policy roles(String... identities) {
        return BASE.toBuilder()
                .role(Role.builder("agent")
                        .identities(identities)
                        .workloads("*")
                        .build())
                .build();
    }

    /** The base with another legion. */
    private static Policy legion(UnaryOperator<Substrate.Builder> change) {
        Policy.Builder policy = Policy.builder();
        for (Substrate substrate : BASE.substrates()) {
            boolean it = substrate.id().equals("legion");
            policy.substrate(
                    it
                            ? change.apply(Substrate.builder("legion")
                                            .endpoint(substrate.endpoint().orElseThrow())
                                            .vramGb(substrate.vramGb().orElseThrow())
                                            .maxConcurrentJobs(1))
                                    .build()
                            : substrate);
        }
        BASE.workloads().forEach(policy::workload);
        return policy.build();
    }

    private static Policy with(Workload.Builder changed) {
        Workload workload = changed.build();
        Policy.Builder policy = Policy.builder();
        BASE.substrates().forEach(policy::substrate);
        BASE.workloads().forEach(one -> policy.workload(one.name().equals(workload.name()) ? workload : one));
        return policy.build();
    }
}
