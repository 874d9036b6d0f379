package dev.substraterouter.policy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.ServingPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ProfileCommandTest {
    private static final String POLICY = """
            version: 1
            substrates:
              forge: { vram_gb: 64, gpus: 2, max_concurrent_jobs: 2 }
              legion: { vram_gb: 32, max_concurrent_jobs: 1 }
              archive: { kind: batch }
            workloads:
              dev:
                vram_gb: 12
                route: [ { on: forge, model: flux, expected_latency: 40s, review_rate: 0.05 }, legion ]
                batch: { on: archive, expected_latency: 2m }
              "2":
                vram_gb: 6
                pin: forge
            """;

    @TempDir
    Path folder;

    private Path policy;

    @BeforeEach
    void write() throws IOException {
        policy = Files.writeString(folder.resolve("p.yaml"), POLICY);
    }

    /** Sixty requests an hour: 50 s instead of 40 s, every fifth reviewed, 14 GB; and a few that must not count. */
    private static Recorded recorded() {
        Random random = new Random(1);
        Recorded recorded = new Recorded();
        for (int i = 0; i < 60; i++) {
            recorded.served(
                    "dev",
                    ServingPath.PRIMARY,
                    "forge",
                    50 + random.nextGaussian(),
                    Observation.builder()
                            .reviewed(i % 5 == 0)
                            .vramGb(i == 7 ? 13.96 : 13)
                            .build());
        }
        for (int i = 0; i < 25; i++) {
            recorded.served("dev", ServingPath.BATCH, "archive", 300)
                    .served("2", ServingPath.PRIMARY, "forge", 1.25)
                    .failed("dev", ServingPath.PRIMARY, "forge", 1)
                    .served("dev", "forge", "flux", 500, Set.of(DegradedReason.COLD));
        }
        return recorded.served("dev", ServingPath.FALLBACK, "legion", 20)
                .served("dev", "forge", "sdxl", 3, Set.of())
                .served("gone", ServingPath.PRIMARY, "forge", 3);
    }

    @Test
    void printsWhatDiffersWithItsEvidenceAndWhatIsTooLittle() throws IOException {
        Ran ran = Ran.of("profile", recorded().in(folder.resolve("t")), "--policy", policy);
        assertThat(ran).isEqualTo(new Ran(0, """
                # Observed in 163 requests from 2026-05-01T10:00:00Z to 2026-05-01T12:42:00Z (2 h 42 min). Entries of a route are matched by their `on`.
                workloads:
                  dev:
                    route:
                      - on: forge
                        expected_latency: 50s  # 40 s in the policy; median of 60, 95 % between 49.35 and 50.29 s
                        review_rate: 0.2  # 0.05 in the policy; reviewed of 60, 95 % between 0.1183 and 0.3178
                        vram_gb: 14  # 12 GB in the policy; the most of 60
                    batch:
                      on: archive
                      expected_latency: 5m  # 120 s in the policy; median of 25, 95 % between 300 and 300 s
                  "2":
                    pin:
                      on: forge
                      expected_latency: 1300ms  # not in the policy; median of 25, 95 % between 1.25 and 1.25 s
                # Fewer than 20 values, so too little to tell:
                #   workloads.dev.route[1] on legion: expected_latency 1, review_rate not observed, vram_gb not observed
                #   workloads.dev.batch on archive: review_rate not observed, vram_gb not observed
                #   workloads.2.pin on forge: review_rate not observed, vram_gb not observed
                # Not counted, since something else ran than the candidate declares:
                #   workloads.dev.route[0] on forge: 1
                """, ""));
    }

    @Test
    void laidOverThePolicyItLoadsAndIsWhatWholePrints() throws IOException {
        Path traces = recorded().in(folder.resolve("t"));
        String patch = Ran.of("profile", traces, "--policy", policy).out();
        Policy laidOver = YamlPolicy.parse(yaml(overlay(tree(POLICY), tree(patch))));
        assertThat(laidOver.workload("dev").orElseThrow().route().get(0).expectedLatency())
                .contains(Duration.ofSeconds(50));
        assertThat(laidOver.workload("2").orElseThrow().pin().orElseThrow().expectedLatency())
                .contains(Duration.ofMillis(1_300));
        String whole = Ran.of("profile", traces, "--policy", policy, "--whole").out();
        assertThat(YamlPolicy.parse(whole)).isEqualTo(laidOver);
    }

    @Test
    void whatIsWithinTheNoiseIsNotTold() throws IOException {
        Recorded recorded = new Recorded();
        for (int i = 0; i < 40; i++) {
            recorded.served(
                    "dev",
                    ServingPath.PRIMARY,
                    "forge",
                    36 + i % 9,
                    Observation.builder().reviewed(i % 19 == 0).vramGb(11.7).build());
        }
        Path traces = recorded.in(folder.resolve("t"));
        assertThat(Ran.of("profile", traces, "--policy", policy).out())
                .contains("# Nothing differs from the policy by more than noise.\nworkloads: {}\n");
        assertThat(YamlPolicy.parse(
                        Ran.of("profile", traces, "--policy", policy, "--whole").out()))
                .isEqualTo(YamlPolicy.parse(POLICY));
    }

    @Test
    void aFigureWithWhichThePolicyCouldNotBeUsedIsLeftOutAndTold() throws IOException {
        Files.writeString(policy, POLICY.replace("on: forge, model", "on: forge, vram_gb: 12, job_vram_gb: 8, model"));
        Recorded recorded = new Recorded();
        for (int i = 0; i < 40; i++) {
            recorded.served(
                    "dev",
                    ServingPath.PRIMARY,
                    "forge",
                    50,
                    Observation.builder().vramGb(5).build());
        }
        String out = Ran.of("profile", recorded.in(folder.resolve("t")), "--policy", policy)
                .out();
        assertThat(out)
                .contains(
                        "        expected_latency: 50s  #",
                        "# Left out, since the policy could not be used with it:\n#   workloads.dev.route[0].vram_gb (12 GB in the policy; the most of 40): ")
                .doesNotContain("\n        vram_gb:");
    }

    @Test
    void theLeastNumberOfValuesCanBeSet() throws IOException {
        Path traces =
                new Recorded().served("dev", ServingPath.FALLBACK, "legion", 20).in(folder.resolve("t"));
        assertThat(Ran.of("profile", traces, "--policy", policy, "--min-samples", "1")
                        .out())
                .contains(
                        "      - on: legion\n        expected_latency: 20s  # not in the policy; median of 1, 95 % between 0 and Infinity s\n");
        assertThat(Ran.of("profile", traces, "--policy", policy, "--min-samples", "0")
                        .err())
                .startsWith("--min-samples: 0 (expected: 1 or more)");
    }

    @Test
    void linesThatAreNoTracesAreToldWithTheirPlaces() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{\"type\":\"trace\"}\nnonsense\n".repeat(8));
        Ran none = Ran.of("profile", bad, "--policy", policy);
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err())
                .contains("skipped: " + bad + ":1: ", "skipped: 6 more lines\n", "no trace among 16 lines")
                .doesNotContain("\tat ");
        Path good = recorded().in(folder.resolve("t"));
        Ran both = Ran.of("profile", bad, good, "--policy", policy);
        assertThat(both.code()).isZero();
        assertThat(both.out()).startsWith("# Observed in 163 requests");
    }

    @Test
    void noTracesAtAllChangeNothing() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.jsonl"), "");
        Ran ran = Ran.of("profile", empty, "--policy", policy);
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("# Observed in no requests. ").contains("\nworkloads: {}\n");
    }

    private static Object tree(String yaml) {
        return new Load(LoadSettings.builder().build()).loadFromString(yaml);
    }

    private static String yaml(Object tree) {
        return new Dump(DumpSettings.builder().build()).dumpToString(tree);
    }

    /** What the patch says of itself: maps key by key, entries of a route by their {@code on}. */
    @SuppressWarnings("unchecked")
    private static Object overlay(Object base, Object patch) {
        if (patch instanceof Map<?, ?> over && (base instanceof Map || over.containsKey("on"))) {
            Map<Object, Object> merged =
                    new LinkedHashMap<>(base instanceof Map ? (Map<Object, Object>) base : Map.of());
            over.forEach((key, value) -> merged.merge(key, value, ProfileCommandTest::overlay));
            return merged;
        }
        if (patch instanceof List<?> over && base instanceof List<?> below) {
            return below.stream()
                    .map(item -> over.stream()
                            .filter(other -> on(other).equals(on(item)))
                            .findFirst()
                            .map(other -> overlay(item, other))
                            .orElse(item))
                    .toList();
        }
        return patch;
    }

    private static Object on(Object item) {
        return item instanceof Map<?, ?> map ? map.get("on") : item;
    }
}
