package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the format's description shows arrives in the model: the same policy, built in code, is equal. */
class ExamplesTest {
    private static final Policy EVERYTHING = YamlPolicy.parse(Examples.EVERYTHING);

    @Test
    @DisplayName("the smallest useful file is the policy it says")
    void smallest() {
        Policy expected = Policy.builder()
                .substrates(
                        Substrate.builder("mirrorforge")
                                .endpoint("http://10.40.10.1:8188")
                                .status("http://10.40.10.1:9100/status")
                                .vramGb(64)
                                .gpus(2)
                                .maxConcurrentJobs(2)
                                .build(),
                        Substrate.builder("legion")
                                .endpoint("http://10.40.10.2:8188")
                                .status("http://10.40.10.2:9100/status")
                                .vramGb(32)
                                .maxConcurrentJobs(1)
                                .build())
                .workloads(
                        Workload.builder("flux-dev")
                                .vramGb(12)
                                .route("mirrorforge", "legion")
                                .build(),
                        Workload.builder("flux-fill")
                                .vramGb(24)
                                .route("legion", "mirrorforge")
                                .build(),
                        Workload.builder("sdxl")
                                .vramGb(8)
                                .route("mirrorforge", "legion")
                                .build())
                .build();

        assertThat(YamlPolicy.parse(Examples.SMALLEST)).isEqualTo(expected);
    }

    @Test
    @DisplayName("every limit of the full file arrives")
    void limits() {
        assertThat(EVERYTHING.health())
                .isEqualTo(HealthLimits.builder()
                        .maxGpuUtilPct(70)
                        .maxGpuTempC(80)
                        .gpuUtilMarginPct(5)
                        .gpuTempMarginC(2)
                        .degradedAfter(1)
                        .healthyAfter(1)
                        .recoveryWindow(Duration.ZERO)
                        .staleAfter(Duration.ofSeconds(15))
                        .onStale(OnStale.CLOSED)
                        .require(Measure.GPU_UTIL, Measure.VRAM, Measure.GPU_TEMP, Measure.RUNNING_JOBS)
                        .ignore()
                        .requireAttributes(Map.of())
                        .build());
        assertThat(EVERYTHING.ejection())
                .isEqualTo(EjectionLimits.builder()
                        .consecutiveFaults(3)
                        .faultsOfLast(5, 10)
                        .window(Duration.ofSeconds(5))
                        .maxWindow(Duration.ofSeconds(60))
                        .trialTimeout(Duration.ofSeconds(60))
                        .ramp(Duration.ofSeconds(10))
                        .forgetAfter(Duration.ofMinutes(10))
                        .build());
        assertThat(EVERYTHING.queue())
                .isEqualTo(QueueLimits.builder()
                        .capacity(4)
                        .retryEvery(Duration.ofSeconds(5))
                        .maxWait(Duration.ofSeconds(30))
                        .agesAfter(Duration.ofSeconds(10))
                        .holdAfter(Duration.ofSeconds(10))
                        .order(QueueOrder.ARRIVAL)
                        .weights(3, 10)
                        .build());
        assertThat(EVERYTHING.poll())
                .isEqualTo(PollSettings.builder()
                        .every(Duration.ofSeconds(5))
                        .timeout(Duration.ofSeconds(2))
                        .build());
        assertThat(EVERYTHING.strategy())
                .isEqualTo(StrategySettings.builder()
                        .defaultKind(StrategyKind.PREFERENCE)
                        .finishMargin(1.5)
                        .unhealthyWait(Duration.ofSeconds(240))
                        .learn(true)
                        .driftFactor(1.5)
                        .build());
        assertThat(EVERYTHING.network())
                .contains(NetworkScopes.builder()
                        .control("100.64.0.0/10", "127.0.0.0/8")
                        .data("10.40.10.0/29")
                        .external("gpu.example.com")
                        .build());
    }

    @Test
    @DisplayName("every substrate of the full file arrives")
    void substrates() {
        StatusAddress status = new StatusAddress(
                URI.create("http://10.40.10.1:9100/status"), "substrate", Optional.of("MF_TOKEN"), Optional.empty());
        assertThat(EVERYTHING.substrates())
                .containsExactly(
                        Substrate.builder("mirrorforge")
                                .kind(SubstrateKind.LOCAL)
                                .endpoint("http://10.40.10.1:8188")
                                .mcpUrl("http://10.40.10.1:8090/mcp")
                                .status(status)
                                .hardware("2 x V100 32 GB")
                                .why("Volta runs the Q4_K_S GGUF well")
                                .capabilities("cuda", "volta", "large-bar")
                                .codebases("mirage")
                                .reaches("mcp:mirage")
                                .vramGb(64)
                                .gpus(2)
                                .keepFreeGb(0)
                                .maxConcurrentJobs(2)
                                .utilPerJobPct(47)
                                .idleVram(IdleVram.HELD)
                                .reserveForHigh(0)
                                .acceptsRoles("operator", "agent")
                                .trust(Trust.CONTROLLED)
                                .costPerHour(0.12)
                                .build(),
                        Substrate.builder("legion")
                                .endpoint("http://10.40.10.2:8188")
                                .status("http://10.40.10.2:9100/status")
                                .capabilities("cuda", "blackwell")
                                .vramGb(32)
                                .maxConcurrentJobs(1)
                                .utilPerJobPct(95)
                                .costPerHour(0.30)
                                .owner(15, 3.00)
                                .build(),
                        Substrate.builder("thundercompute")
                                .kind(SubstrateKind.EXTERNAL)
                                .overflow(true)
                                .endpoint("https://gpu.example.com")
                                .capabilities("cuda")
                                .vramGb(80)
                                .maxConcurrentJobs(8)
                                .costPerHour(1.90)
                                .build(),
                        Substrate.builder("archive")
                                .kind(SubstrateKind.BATCH)
                                .capabilities("cuda")
                                .costPerHour(0.05)
                                .build());
    }

    @Test
    @DisplayName("every workload of the full file arrives")
    void workloads() {
        assertThat(EVERYTHING.workloads())
                .containsExactly(
                        fluxDev(),
                        Workload.builder("flux-fill")
                                .vramGb(24)
                                .privacy(Trust.PUBLIC)
                                .route(timed("legion", 40), timed("mirrorforge", 120), timed("thundercompute", 45))
                                .build(),
                        Workload.builder("sdxl")
                                .vramGb(8)
                                .route(timed("mirrorforge", 7), Candidate.on("legion"))
                                .build(),
                        Workload.builder("upscale").vramGb(6).pin("mirrorforge").build(),
                        Workload.builder("embed").capabilities("cuda").vramGb(4).build());
    }

    private static Workload fluxDev() {
        Candidate.Builder onMirrorforge = Candidate.builder("mirrorforge")
                .model("flux1-dev")
                .modelVersion("1.0")
                .format("q4_k_s")
                .expectedLatency(Duration.ofSeconds(40))
                .loadTime(Duration.ofSeconds(15))
                .quality(0.90)
                .reviewRate(0.05);
        Candidate.Builder onLegion = Candidate.builder("legion")
                .model("flux1-dev")
                .modelVersion("1.0")
                .format("fp16")
                .vramGb(24)
                .jobVramGb(3)
                .expectedLatency(Duration.ofSeconds(15))
                .loadTime(Duration.ofSeconds(8))
                .quality(0.95)
                .reviewRate(0.02)
                .costPerJob(0.01)
                .spansGpus(false)
                .endpoint("http://10.40.10.2:8189");
        Candidate.Builder onArchive =
                Candidate.builder("archive").quality(0.90).reviewRate(0.05).expectedLatency(Duration.ofMinutes(2));
        return Workload.builder("flux-dev")
                .vramGb(12)
                .privacy(Trust.CONTROLLED)
                .minQuality(0.8)
                .maxLatency(Duration.ofMinutes(3))
                .maxCost(0.50)
                .minAvailability(0.0)
                .reviewCost(2.00)
                .errorCost(1.00)
                .waitingCostPerHour(6.00)
                .deadline(Duration.ofSeconds(80))
                .strategy(StrategyKind.PREFERENCE)
                .overflowAfter(Duration.ZERO)
                .route(onMirrorforge.build(), onLegion.build())
                .batch(onArchive.build())
                .queue(WorkloadQueue.builder()
                        .capacity(4)
                        .maxWait(Duration.ofSeconds(60))
                        .build())
                .build();
    }

    private static Candidate timed(String on, int seconds) {
        return Candidate.builder(on)
                .expectedLatency(Duration.ofSeconds(seconds))
                .build();
    }

    @Test
    @DisplayName("every role of the full file arrives")
    void roles() {
        assertThat(EVERYTHING.roles())
                .containsExactly(
                        Role.builder("operator")
                                .identities("ops-*")
                                .capabilities("*")
                                .workloads("*")
                                .adhoc(true)
                                .maxPriority(Priority.HIGH)
                                .external(true)
                                .operate(Operation.values())
                                .build(),
                        Role.builder("agent")
                                .identities("agent-*")
                                .capabilities("cuda")
                                .workloads("flux-dev", "sdxl")
                                .adhoc(false)
                                .maxPriority(Priority.NORMAL)
                                .external(false)
                                .operate(Operation.VIEW)
                                .build());
    }

    @Test
    @DisplayName("what the description mentions beside its examples can be written too")
    void otherNotations() {
        Policy policy = Examples.unlinted("""
                version: 1
                queue: { order: deadline, weights: { low: 12 } }
                ejection: { faults_of_last: { k: 3 } }
                strategy: { default: earliest-finish }
                substrates:
                  forge:
                    kind: pool
                    endpoint: http://10.0.0.1:80
                    virtual: true
                    status:
                      - http://10.0.0.1:81/status
                      - { url: "http://10.0.0.1:82/metrics", format: vllm, auth: { token_file: /run/secrets/forge } }
                    vram_gb: 8
                    max_concurrent_jobs: 1
                    idle_vram: evictable
                    codebases: ["*"]
                    accepts_roles: []
                    trust: partner
                    health: { require: [], ignore: [gpu_temp], on_stale: hold, require_attributes: { owner_busy: "false" } }
                workloads:
                  first: { pin: { on: forge, gate: full, why: it is there }, why: people ask for it }
                  second: { pin: { on: forge }, strategy: outcome-cost }
                  third: { route: [ { on: forge, spans_gpus: true, why: only one } ], strategy: healthiest }
                """);

        Substrate forge = policy.substrates().get(0);
        assertThat(forge.status())
                .containsExactly(
                        StatusAddress.of(URI.create("http://10.0.0.1:81/status")),
                        new StatusAddress(
                                URI.create("http://10.0.0.1:82/metrics"),
                                "vllm",
                                Optional.empty(),
                                Optional.of("/run/secrets/forge")));
        assertThat(forge.virtual()).isTrue();
        assertThat(forge.idleVram()).isEqualTo(IdleVram.EVICTABLE);
        assertThat(forge.codebases()).containsExactly("*");
        assertThat(forge.acceptsRoles())
                .hasValueSatisfying(roles -> assertThat(roles).isEmpty());
        assertThat(forge.trust()).isEqualTo(Trust.PARTNER);
        HealthLimits health = forge.health().orElseThrow();
        assertThat(health.require())
                .hasValueSatisfying(required -> assertThat(required).isEmpty());
        assertThat(health.ignore()).containsExactly(Measure.GPU_TEMP);
        assertThat(health.onStale()).isEqualTo(OnStale.HOLD);
        assertThat(health.requireAttributes()).isEqualTo(Map.of("owner_busy", "false"));
        assertThat(policy.queue().order()).isEqualTo(QueueOrder.DEADLINE);
        assertThat(policy.queue().weights()).isEqualTo(new QueueLimits.Weights(3, 12));
        assertThat(policy.ejection().faultsOfLast()).isEqualTo(new EjectionLimits.FaultsOfLast(3, 10));
        assertThat(policy.strategy().defaultKind()).isEqualTo(StrategyKind.EARLIEST_FINISH);
        assertThat(policy.workloads())
                .containsExactly(
                        Workload.builder("first")
                                .pin(Candidate.builder("forge")
                                        .why("it is there")
                                        .build())
                                .pinGate(PinGate.FULL)
                                .why("people ask for it")
                                .build(),
                        Workload.builder("second")
                                .pin("forge")
                                .strategy(StrategyKind.OUTCOME_COST)
                                .build(),
                        Workload.builder("third")
                                .route(Candidate.builder("forge")
                                        .spansGpus(true)
                                        .why("only one")
                                        .build())
                                .strategy(StrategyKind.HEALTHIEST)
                                .build());
    }

    @Test
    @DisplayName("words that YAML 1.1 took for truth values are texts, and anchors stand for what they hold")
    void yaml12() {
        Policy policy = Examples.unlinted("""
                version: 1
                substrates:
                  no: &node { vram_gb: &size 8, max_concurrent_jobs: 1 }
                  on: *node
                workloads:
                  yes: { vram_gb: *size, route: [no, on] }
                """);

        assertThat(policy.substrates()).extracting(Substrate::id).containsExactly("no", "on");
        assertThat(policy.substrates())
                .extracting(substrate -> substrate.vramGb().orElseThrow())
                .containsExactly(8.0, 8.0);
        assertThat(policy.workloads())
                .containsExactly(
                        Workload.builder("yes").vramGb(8).route("no", "on").build());
    }
}
