package dev.substraterouter.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.substraterouter.model.Measure;
import dev.substraterouter.testkit.Policies;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTest {
    private static Substrate.Builder node(String id) {
        return Substrate.builder(id).maxConcurrentJobs(1).vramGb(32);
    }

    private static Arguments bad(String path, String message, UnaryOperator<Policy.Builder> change) {
        return arguments(path, message, change);
    }

    static Stream<Arguments> badPolicies() {
        return Stream.of(
                bad(
                        "substrates.x.max_concurrent_jobs",
                        "max_concurrent_jobs: -1 (expected: >= 1)",
                        p -> p.substrate(
                                Substrate.builder("x").maxConcurrentJobs(-1).build())),
                bad(
                        "substrates.x.max_concurrent_jobs",
                        "absent (expected: >= 1 on a local substrate)",
                        p -> p.substrate(Substrate.builder("x").build())),
                bad(
                        "substrates.x.max_concurrent_jobs",
                        "on a pool substrate",
                        p -> p.substrate(
                                Substrate.builder("x").kind(SubstrateKind.POOL).build())),
                bad(
                        "substrates.legion",
                        "declared twice",
                        p -> p.substrate(node("legion").build())),
                bad(
                        "substrates.x.vram_gb",
                        "vram_gb: NaN",
                        p -> p.substrate(node("x").vramGb(Double.NaN).build())),
                bad(
                        "substrates.x.keep_free_gb",
                        "at most vram_gb 32",
                        p -> p.substrate(node("x").keepFreeGb(33).build())),
                bad(
                        "substrates.x.gpus",
                        "gpus: 0 (expected: 1 to 64)",
                        p -> p.substrate(node("x").gpus(0).build())),
                bad(
                        "substrates.x.reserve_for_high",
                        "reserve_for_high: 2 (expected: 0 to 1)",
                        p -> p.substrate(node("x").reserveForHigh(2).build())),
                bad(
                        "substrates.x.util_per_job_pct",
                        "101 (expected: 0 to 100)",
                        p -> p.substrate(node("x").utilPerJobPct(101).build())),
                bad(
                        "substrates.x.cost_per_hour",
                        "cost_per_hour: -1",
                        p -> p.substrate(node("x").costPerHour(-1).build())),
                bad(
                        "substrates.x.owner.background_util_pct",
                        "120",
                        p -> p.substrate(node("x").owner(120, 1).build())),
                bad(
                        "substrates.x.endpoint",
                        "an http or https address",
                        p -> p.substrate(node("x").endpoint("ftp://a/b").build())),
                bad(
                        "substrates.x.endpoint",
                        "no credentials in the address",
                        p -> p.substrate(
                                node("x").endpoint("http://user:secret@a/b").build())),
                bad(
                        "substrates.x.status[0].url",
                        "an http or https address",
                        p -> p.substrate(node("x").status("file:/x").build())),
                bad(
                        "substrates.x.health.stale_after",
                        "at least 2 x poll.every = 10s",
                        p -> p.substrate(node("x")
                                .health(HealthLimits.builder()
                                        .staleAfter(Duration.ofSeconds(9))
                                        .build())
                                .build())),
                bad(
                        "substrates. ",
                        "1 to 128 characters",
                        p -> p.substrate(node(" ").build())),
                bad(
                        "health.gpu_util_margin_pct",
                        "below max_gpu_util_pct 5",
                        p -> p.health(HealthLimits.builder().maxGpuUtilPct(5).build())),
                bad(
                        "health.gpu_temp_margin_c",
                        "below max_gpu_temp_c",
                        p -> p.health(HealthLimits.builder()
                                .maxGpuTempC(5)
                                .gpuTempMarginC(6)
                                .build())),
                bad(
                        "health.degraded_after",
                        "degraded_after: 0",
                        p -> p.health(HealthLimits.builder().degradedAfter(0).build())),
                bad(
                        "health.stale_after",
                        "at least 2 x poll.every = 40s",
                        p -> p.poll(PollSettings.builder()
                                .every(Duration.ofSeconds(20))
                                .build())),
                bad(
                        "ejection.faults_of_last.n",
                        "65 (expected: 1 to 64)",
                        p -> p.ejection(
                                EjectionLimits.builder().faultsOfLast(5, 65).build())),
                bad(
                        "ejection.faults_of_last.k",
                        "6 (expected: 1 to 5)",
                        p -> p.ejection(
                                EjectionLimits.builder().faultsOfLast(6, 5).build())),
                bad(
                        "ejection.max_window",
                        "at least window = 5s",
                        p -> p.ejection(EjectionLimits.builder()
                                .maxWindow(Duration.ofMillis(1500))
                                .build())),
                bad(
                        "ejection.window",
                        "0s (expected: >= 1ms)",
                        p -> p.ejection(
                                EjectionLimits.builder().window(Duration.ZERO).build())),
                bad(
                        "queue.capacity",
                        "-1 (expected: 0 to 100000)",
                        p -> p.queue(QueueLimits.builder().capacity(-1).build())),
                bad(
                        "queue.max_wait",
                        "at most 365 days",
                        p -> p.queue(QueueLimits.builder()
                                .maxWait(Duration.ofDays(366))
                                .build())),
                bad(
                        "queue.weights.low",
                        "expected: > 0",
                        p -> p.queue(QueueLimits.builder().weights(1, 0).build())),
                bad(
                        "strategy.finish_margin",
                        "finish_margin: 0.5",
                        p -> p.strategy(
                                StrategySettings.builder().finishMargin(0.5).build())),
                bad(
                        "workloads.sdxl",
                        "declared twice",
                        p -> p.workload(Workload.builder("sdxl").route("legion").build())),
                bad(
                        "workloads.x.route[1].on",
                        "on: 'legoin' (expected: one of mirrorforge, legion)",
                        p -> p.workload(
                                Workload.builder("x").route("legion", "legoin").build())),
                bad(
                        "workloads.x.route[1]",
                        "declared twice in one route",
                        p -> p.workload(
                                Workload.builder("x").route("legion", "legion").build())),
                bad(
                        "workloads.x.route",
                        "route: empty",
                        p -> p.workload(
                                Workload.builder("x").route(new Candidate[0]).build())),
                bad(
                        "workloads.x.pin",
                        "beside route",
                        p -> p.workload(Workload.builder("x")
                                .route("legion")
                                .pin("legion")
                                .build())),
                bad(
                        "workloads.x.gate",
                        "without a pin",
                        p -> p.workload(Workload.builder("x")
                                .route("legion")
                                .pinGate(PinGate.FULL)
                                .build())),
                bad(
                        "workloads.x.min_quality",
                        "1.5 (expected: 0 to 1)",
                        p -> p.workload(Workload.builder("x")
                                .route("legion")
                                .minQuality(1.5)
                                .build())),
                bad(
                        "workloads.x.queue.capacity",
                        "-1",
                        p -> p.workload(Workload.builder("x")
                                .route("legion")
                                .queue(WorkloadQueue.builder().capacity(-1).build())
                                .build())),
                bad(
                        "workloads.x.route[0].job_vram_gb",
                        "at most vram_gb 4",
                        p -> p.workload(Workload.builder("x")
                                .vramGb(4)
                                .route(Candidate.builder("legion").jobVramGb(5).build())
                                .build())),
                bad(
                        "substrates.bare.vram_gb",
                        "expected on a local substrate, since 'x' declares VRAM",
                        p -> p.substrate(Substrate.builder("bare")
                                        .maxConcurrentJobs(1)
                                        .build())
                                .workload(Workload.builder("x")
                                        .vramGb(4)
                                        .route("bare")
                                        .build())),
                bad(
                        "roles.ops.identities",
                        "identities: none",
                        p -> p.role(Role.builder("ops").build())),
                bad(
                        "roles.ops.workloads[0]",
                        "workloads: 'nope'",
                        p -> p.role(Role.builder("ops")
                                .identities("*")
                                .workloads("nope")
                                .build())));
    }

    @ParameterizedTest
    @MethodSource("badPolicies")
    void aBadPolicyIsRefusedWithItsPlaceAndWhatWasExpected(
            String path, String message, UnaryOperator<Policy.Builder> change) {
        assertThatThrownBy(() -> change.apply(Policies.smallestBuilder()).build())
                .isInstanceOfSatisfying(PolicyException.class, refused -> assertThat(refused.problems())
                        .anySatisfy(problem -> {
                            assertThat(problem.path()).isEqualTo(path);
                            assertThat(problem.message()).contains(message);
                        }))
                .hasMessageContaining(message);
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        Policy.Builder builder = Policy.builder()
                .queue(QueueLimits.builder().capacity(-1).build())
                .workload(Workload.builder("w").route("a", "b").build());
        assertThat(builder.problems())
                .extracting(PolicyProblem::code)
                .containsExactly("out-of-range", "missing", "unknown-substrate", "unknown-substrate");
        assertThatThrownBy(builder::build).hasMessageStartingWith("the policy has 4 problems:");
    }

    @Test
    void credentialsInAnAddressAreNotRepeated() {
        assertThatThrownBy(() -> Policies.smallestBuilder()
                        .substrate(node("x").endpoint("http://user:secret@a/b").build())
                        .build())
                .message()
                .doesNotContain("secret");
    }

    @Test
    void policiesAreEqualWhenTheSameWasDeclared() {
        Policy one = Policies.smallest();
        assertThat(one).isEqualTo(Policies.smallest()).hasSameHashCodeAs(Policies.smallest());
        assertThat(one.withRevision(7)).isEqualTo(one);
        assertThat(one.withRevision(7).revision()).isEqualTo(7);
        assertThat(one.toBuilder()
                        .workload(Workload.builder("x").pin("legion").build())
                        .build())
                .isNotEqualTo(one);
        assertThat(one.substrate("legion")).contains(one.substrates().get(1));
        assertThat(one.substrate("nope")).isEmpty();
        assertThat(one.workload("sdxl").orElseThrow().candidates()).hasSize(2);
        assertThat(one.toString()).contains("2 substrates, 3 workloads");
        assertThat(Substrate.builder("a").build())
                .isNotEqualTo(Substrate.builder("b").build());
        assertThat(Substrate.builder("a").vramGb(3).build().toString()).isEqualTo("Substrate a{vram_gb=3.0}");
    }

    @Test
    void aSubstratesOwnLimitsOverrideThePolicys() {
        HealthLimits base =
                HealthLimits.builder().maxGpuTempC(70).maxGpuUtilPct(50).build();
        HealthLimits own = HealthLimits.builder().maxGpuTempC(85).build().over(base);
        assertThat(own.maxGpuTempC()).isEqualTo(85);
        assertThat(own.maxGpuUtilPct()).isEqualTo(50);
        assertThat(own.gpuUtilMarginPct()).isEqualTo(5);
    }

    @Test
    void whatIsRequiredOfEverySubstrateIsNotRequiredOfForeignOnes() {
        HealthLimits all = HealthLimits.builder().require(Measure.VRAM).build();
        HealthLimits own = HealthLimits.builder().require(Measure.GPU_TEMP).build();
        Substrate local = node("l").build();
        Substrate rented = Substrate.builder("r").kind(SubstrateKind.EXTERNAL).build();
        Substrate watched =
                Substrate.builder("w").kind(SubstrateKind.EXTERNAL).health(own).build();
        assertThat(HealthLimits.builder().build().requiredOn(local)).hasSize(4);
        assertThat(all.requiredOn(local)).containsExactly(Measure.VRAM);
        assertThat(all.requiredOn(rented)).isEmpty();
        assertThat(all.requiredOn(watched)).containsExactly(Measure.GPU_TEMP);
    }

    @Test
    void addressesAndRoutesAddUp() {
        Substrate substrate =
                node("x").status("http://a/1").status("http://a/2").build();
        assertThat(substrate.status()).hasSize(2);
        Workload workload =
                Workload.builder("w").route("a").route(Candidate.on("b")).build();
        assertThat(workload.route()).extracting(Candidate::on).isEqualTo(List.of("a", "b"));
    }
}
