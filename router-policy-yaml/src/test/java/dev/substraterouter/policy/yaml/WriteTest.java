package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Settings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written reads as what it was, and people can read it too. */
class WriteTest {
    @Provide
    Arbitrary<Policy> policies() {
        return PolicyArbitraries.policies();
    }

    @Property(tries = 200)
    @Label("whatever a policy says, what is written of it loads to an equal policy")
    void roundTrip(@ForAll("policies") Policy policy) {
        String yaml = YamlPolicy.write(policy);

        assertThat(Examples.unlinted(yaml)).as(yaml).isEqualTo(policy);
        assertThat(YamlPolicy.write(Examples.unlinted(yaml))).isEqualTo(yaml);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(PolicyArbitraries.texts(), PolicyArbitraries.names());
    }

    @Property(tries = 300)
    @Label("whatever a text is, it stays that text, as a value, in a list and as a key")
    void texts(@ForAll("texts") String text) {
        Policy policy = withText(text);

        assertThat(Examples.unlinted(YamlPolicy.write(policy))).isEqualTo(policy);
    }

    private static Policy withText(String text) {
        boolean isName = PolicyArbitraries.isName(text);
        return Policy.builder()
                .health(HealthLimits.builder()
                        .requireAttributes(Map.of(isName ? text : "a", text))
                        .build())
                .substrate(Substrate.builder("a")
                        .kind(SubstrateKind.BATCH)
                        .why(text)
                        .build())
                .role(Role.builder("r").identities(text, text).build())
                .build();
    }

    @Test
    @DisplayName("the random policies of these tests use every key of every table")
    void everyKey() {
        Set<String> known = new TreeSet<>();
        know(known, "policy.health", PolicyKeys.HEALTH);
        know(known, "policy.ejection", PolicyKeys.EJECTION);
        know(known, "policy.queue", PolicyKeys.QUEUE);
        know(known, "policy.poll", PolicyKeys.POLL);
        know(known, "policy.strategy", PolicyKeys.STRATEGY);
        know(known, "policy.network", PolicyKeys.NETWORK);
        know(known, "substrate", PolicyKeys.SUBSTRATE);
        know(known, "workload", PolicyKeys.WORKLOAD);
        know(known, "workload.queue", PolicyKeys.WORKLOAD_QUEUE);
        know(known, "candidate", PolicyKeys.CANDIDATE);
        know(known, "role", PolicyKeys.ROLE);
        known.remove("candidate.on"); // its id
        known.add("workload.gate"); // a key of the pin, in the file
        Set<String> used = new TreeSet<>();
        for (int batch = 0; batch < 50 && !used.equals(known); batch++) {
            PolicyArbitraries.policies().list().ofSize(100).sample().forEach(policy -> {
                note(used, "policy.health", policy.health());
                note(used, "policy.ejection", policy.ejection());
                note(used, "policy.queue", policy.queue());
                note(used, "policy.poll", policy.poll());
                note(used, "policy.strategy", policy.strategy());
                policy.network().ifPresent(network -> note(used, "policy.network", network));
                policy.substrates().forEach(substrate -> note(used, "substrate", substrate));
                policy.workloads().forEach(workload -> noteWorkload(used, workload));
                policy.roles().forEach(role -> note(used, "role", role));
            });
        }
        assertThat(used).isEqualTo(known);
    }

    private static void noteWorkload(Set<String> used, Workload workload) {
        note(used, "workload", workload);
        workload.queue().ifPresent(queue -> note(used, "workload.queue", queue));
        Stream.concat(workload.candidates().stream(), workload.batch().stream())
                .forEach(candidate -> note(used, "candidate", candidate));
    }

    private static void note(Set<String> used, String section, Settings settings) {
        settings.declared().keySet().forEach(key -> used.add(section + "." + key));
    }

    private static void know(Set<String> known, String section, Section<?, ?> table) {
        table.keys().forEach(key -> known.add(section + "." + key));
    }

    @Test
    @DisplayName(
            "sections stand below one another, entries on a line when they fit, and quotes only where they are needed")
    void readable() {
        Policy policy = Policy.builder()
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofSeconds(90))
                        .recoveryWindow(Duration.ZERO)
                        .requireAttributes(Map.of("owner_busy", "false"))
                        .build())
                .substrates(
                        Substrate.builder("legion")
                                .endpoint("http://10.40.10.2:8188")
                                .status("http://10.40.10.2:9100/status")
                                .hardware("2 x V100 32 GB")
                                .vramGb(32)
                                .maxConcurrentJobs(1)
                                .costPerHour(0.3)
                                .build(),
                        Substrate.builder("no")
                                .kind(SubstrateKind.POOL)
                                .maxConcurrentJobs(2)
                                .status(new StatusAddress(
                                        URI.create("http://10.0.0.1/metrics"),
                                        "vllm",
                                        Optional.of("TOKEN"),
                                        Optional.empty()))
                                .why("a: b")
                                .build())
                .workloads(
                        Workload.builder("sdxl")
                                .vramGb(7.5)
                                .route("legion", "no")
                                .build(),
                        Workload.builder("flux-dev")
                                .route(
                                        Candidate.builder("legion")
                                                .model("flux1-dev")
                                                .modelVersion("1.0")
                                                .expectedLatency(Duration.ofMillis(1500))
                                                .loadTime(Duration.ofHours(2))
                                                .why("it is by far the fastest of all that we have got for this")
                                                .build(),
                                        Candidate.on("no"))
                                .maxLatency(Duration.ofMinutes(3))
                                .build(),
                        Workload.builder("upscale").pin("legion").build())
                .build();

        assertThat(YamlPolicy.write(policy)).isEqualTo("""
                        version: 1
                        health:
                          recovery_window: 0s
                          stale_after: 90s
                          require_attributes: { owner_busy: "false" }
                        substrates:
                          legion:
                            endpoint: http://10.40.10.2:8188
                            status: http://10.40.10.2:9100/status
                            hardware: 2 x V100 32 GB
                            vram_gb: 32
                            max_concurrent_jobs: 1
                            cost_per_hour: 0.3
                          "no":
                            kind: pool
                            status: [{ url: "http://10.0.0.1/metrics", format: vllm, auth: { token_env: TOKEN } }]
                            why: "a: b"
                            max_concurrent_jobs: 2
                        workloads:
                          sdxl: { vram_gb: 7.5, route: [legion, "no"] }
                          flux-dev:
                            max_latency: 3m
                            route:
                              - on: legion
                                model: flux1-dev
                                model_version: "1.0"
                                expected_latency: 1500ms
                                load_time: 2h
                                why: it is by far the fastest of all that we have got for this
                              - "no"
                          upscale: { pin: legion }
                        """);
    }

    @Test
    @DisplayName("texts that look like something else are quoted, others are not")
    void quotes() {
        assertThat(written("no")).isEqualTo("\"no\"");
        assertThat(written("1e3")).isEqualTo("\"1e3\"");
        assertThat(written("null")).isEqualTo("\"null\"");
        assertThat(written("0x1F")).isEqualTo("\"0x1F\"");
        assertThat(written("a: b")).isEqualTo("\"a: b\"");
        assertThat(written("#x")).isEqualTo("\"#x\"");
        assertThat(written("2026-05-04")).isEqualTo("\"2026-05-04\"");
        assertThat(written("")).isEqualTo("\"\"");
        assertThat(written("a\nb\"\\")).isEqualTo("\"a\\u000Ab\\\"\\\\\"");
        assertThat(written("\uD83D\uDE80")).isEqualTo("\"\uD83D\uDE80\"");
        assertThat(written("\uD83D")).isEqualTo("\"\\uD83D\"");
        assertThat(written("gr\u00fcn")).isEqualTo("gr\u00fcn");
        assertThat(written("q4_k_s")).isEqualTo("q4_k_s");
        assertThat(written("10.40.10.0/29")).isEqualTo("10.40.10.0/29");
        assertThat(written("4x V100")).isEqualTo("4x V100");
    }

    private static String written(String why) {
        String yaml = YamlPolicy.write(withText("x").toBuilder()
                .substrate(Substrate.builder("b")
                        .kind(SubstrateKind.BATCH)
                        .gpus(1)
                        .capabilities("c".repeat(120))
                        .why(why)
                        .build())
                .build());
        return yaml.lines()
                .filter(line -> line.startsWith("    why: "))
                .map(line -> line.substring("    why: ".length()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("a duration that the format cannot say is refused, not rounded")
    void tooFine() {
        Policy policy = Policy.builder()
                .substrate(Substrate.builder("a").maxConcurrentJobs(1).build())
                .workload(Workload.builder("w")
                        .route(Candidate.builder("a")
                                .expectedLatency(Duration.ofNanos(1_500))
                                .build())
                        .build())
                .build();

        assertThatThrownBy(() -> YamlPolicy.write(policy))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("duration PT0.0000015S (expected: whole milliseconds)");
    }
}
