package dev.substraterouter.policy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.cli.situation.Situation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
    private static final String POLICY = """
            version: 1
            health: { require_attributes: { owner_busy: "false" } }
            network: { control: [10.0.0.0/8], data: [10.0.0.0/8], external: [gpu.example.com] }
            substrates:
              forge: { endpoint: "http://10.0.0.1", capabilities: [volta], vram_gb: 64, gpus: 2, max_concurrent_jobs: 2, why: big }
              legion: { endpoint: "http://10.0.0.2", capabilities: [blackwell], vram_gb: 32, max_concurrent_jobs: 1,
                        accepts_roles: [operator], cost_per_hour: 0.36 }
              cloud: { kind: external, overflow: true, endpoint: "https://gpu.example.com", vram_gb: 80 }
              archive: { kind: batch }
            workloads:
              fill: { vram_gb: 24, privacy: public, min_quality: 0.5, queue: { capacity: 2, max_wait: 60s },
                      route: [ { on: legion, quality: 0.9, expected_latency: 40s }, { on: forge, quality: 0.8 }, cloud ] }
              later: { route: [legion], batch: archive }
              upscale: { pin: forge }
            roles:
              operator: { identities: ["ops-*"], capabilities: ["*"], workloads: ["*"], adhoc: true, max_priority: high, external: true }
              agent: { identities: ["agent-*"], capabilities: ["*"], workloads: [fill], max_priority: normal }
            """;

    @TempDir
    Path folder;

    private Path policy;

    @BeforeEach
    void write() throws IOException {
        policy = Files.writeString(folder.resolve("p.yaml"), POLICY);
    }

    private Ran explain(String... options) {
        List<Object> all = new ArrayList<>(List.of("explain", policy));
        all.addAll(List.of(options));
        return Ran.of(all.toArray());
    }

    @Test
    void everythingIdle() {
        assertThat(explain("--workload", "fill", "--identity", "ops-1")).isEqualTo(new Ran(0, """
                'fill' for ops-1:
                  1. legion: now; takes 40 s; costs 0.004
                  2. forge: now; (big)
                  -  cloud: never: no quality declared, needs 0.5
                Placed on legion at http://10.0.0.2, primary
                """, ""));
    }

    @Test
    void aFallbackSaysWhy() {
        assertThat(explain("--workload", "fill", "--identity", "ops-1", "--status", "legion=busy")
                        .out())
                .isEqualTo("""
                'fill' for ops-1:
                  1. forge: now; (big)
                  2. legion: not now: jobs 1/1 (1 of others); again in 5 s; takes 40 s; costs 0.004
                  -  cloud: never: no quality declared, needs 0.5
                Placed on forge at http://10.0.0.1, fallback (not primary, lower quality)
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "idle                       | now",
                "busy                       | not now: jobs 1/1 (1 of others)",
                "loaded                     | not now: gpu util 70 >= 70",
                "hot                        | not now: gpu temp 80 >= 80 C",
                "full                       | not now: vram free 0.0 < 24.0 GB",
                "silent                     | not now: no status yet",
                "stale                      | not now: status stale: 16.0 s > 15.0 s",
                "cordoned                   | not now: cordoned",
                "ejected                    | not now: ejected for another 4.9 s; again in",
                "'ejected,cordoned'         | not now: cordoned",
                "'util:93, temp:60'         | not now: gpu util 93 >= 70",
                "other_util:80              | not now: gpu util 80 >= 70",
                "free:8                     | not now: vram free 8.0 < 24.0 GB",
                "used:30                    | not now: vram free 2.0 < 24.0 GB",
                "'total:24,used:0'          | now",
                "'total:28,used:6'          | not now: vram free 22.0 < 24.0 GB",
                "'used:6,total:28'          | not now: vram free 22.0 < 24.0 GB",
                "'total:28,free:24'         | now",
                "'free:24,total:28'         | now",
                "'total:16,full'            | not now: vram free 0.0 < 24.0 GB",
                "'full,total:16'            | not now: vram free 0.0 < 24.0 GB",
                "'free:8,total:28'          | not now: vram free 8.0 < 24.0 GB",
                "'full,ejected'             | not now: ejected for another 4.9 s, vram free 0.0",
                "running:1                  | not now: jobs 1/1",
                "queued:2                   | not now: jobs 2/1",
                "ready:false                | not now: ",
                "attribute.owner_busy:true  | not now: ",
                "'busy,running:0'           | now",
            })
    void aStatusIsToldInWords(String words, String expected) {
        String out = explain("--workload", "fill", "--identity", "ops-1", "--status", "legion=" + words)
                .out();
        assertThat(out).contains("legion: " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "legion=sleepy           | legion: 'sleepy' (expected: one of idle, busy,",
                "legion=''               | legion: '' (expected: one of idle, busy,",
                "legion=util:hot         | legion: 'util:hot' (expected: a number)",
                "legion=util:140         | legion: gpu_util_pct",
                "legion=running:1.5      | legion: 'running:1.5' (expected: a whole number, 0 or more)",
                "legion=color:red        | legion: 'color:red' (expected: one of util,",
                "legion=attribute.:x     | legion: 'attribute.:x' (expected: one of util,",
                "legion=ready:maybe      | legion: 'ready:maybe' (expected: true or false)",
                "'legion=silent,ejected' | legion: 'silent,ejected' (expected: one of them)",
                "'legion=busy,ejected'   | legion: 'ejected' (expected: no word beside it by which it takes no work, as busy or ready:false)",
                "'legion=ready:false,ejected' | legion: 'ejected' (expected: no word beside it by which it takes no work, as busy or ready:false)",
                "legion=used:50          | legion: 'used:50' (expected: 0 to 32 GB)",
                "'legion=used:50,total:48' | legion: 'used:50' (expected: 0 to 48 GB)",
                "legion=free:33          | legion: 'free:33' (expected: 0 to 32 GB)",
                "legion=free:-1          | legion: 'free:-1' (expected: 0 to 32 GB)",
                "legion=used:NaN         | legion: 'used:NaN' (expected: 0 to 32 GB)",
                "legion=total:1e9        | legion: 'total:1e9' (expected: 0 to 1048576 GB)",
                "'legion=full,free:8'    | legion: 'full,free:8' (expected: one of them)",
                "'legion=total:8,total:9' | legion: 'total:8,total:9' (expected: one of them)",
                "legion                  | 'legion' (expected: SUBSTRATE=WORDS)",
                "archive=ejected         | archive: 'ejected' (expected: another word; a batch queue is never ejected)",
                "archive=full            | archive: 'full' (expected: vram_gb in the policy, or total:GB beside it)",
                "cloud=busy              | cloud: 'busy' (expected: max_concurrent_jobs in the policy, or another word)",
                "region=busy             | no substrate 'region' in the policy (expected: one of forge, legion, cloud, archive)",
            })
    void wordsThatMeanNothingAreRefused(String status, String expected) {
        Ran ran = explain("--workload", "fill", "--identity", "ops-1", "--status", status.replace("''", ""));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("--status: " + expected).endsWith("Try: substrate-policy explain --help\n");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void whoWaitsIsToldHowLong() {
        Ran ran = explain(
                "--workload", "fill", "--identity", "ops-1", "--status", "legion=busy", "--status", "forge=full");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).endsWith("\nWaits in one of 2 places for at most 60 s\n");
        assertThat(explain(
                                "--workload",
                                "fill",
                                "--identity",
                                "ops-1",
                                "--status",
                                "legion=busy",
                                "--status",
                                "forge=full",
                                "--max-wait",
                                "0s")
                        .out())
                .contains("\nRefused, no wait: all substrates busy");
        assertThat(explain(
                                "--workload",
                                "fill",
                                "--identity",
                                "ops-1",
                                "--status",
                                "legion=busy",
                                "--status",
                                "forge=full",
                                "--max-wait",
                                "90s")
                        .out())
                .endsWith("for at most 90 s\n");
    }

    @Test
    void refusalsAreAnswers() {
        Ran agent = explain("--workload", "later", "--identity", "agent-1");
        assertThat(agent.code()).isZero();
        assertThat(agent.out()).contains("Refused, not authorized: ");
        assertThat(explain("--workload", "nope", "--identity", "ops-1").out()).contains("Refused, unknown workload: ");
        assertThat(explain("--workload", "fill", "--identity", "agent-1", "--priority", "HIGH")
                        .out())
                .startsWith("'fill' for agent-1 with priority high:\nRefused, not authorized");
    }

    @Test
    void aRoleThatIsNotAcceptedIsAReasonToo() {
        assertThat(explain("--workload", "fill", "--identity", "agent-1").out())
                .contains("1. forge: now", "-  legion: never: ", "Placed on forge");
    }

    @Test
    void theBatchPath() {
        assertThat(explain("--workload", "later", "--identity", "ops-1", "--mode", "batch")
                        .out())
                .contains("archive", "Placed on archive, batch (");
    }

    @Test
    void pinsPreferencesAndAvoidance() {
        assertThat(explain("--workload", "upscale", "--identity", "ops-1", "--status", "forge=hot")
                        .out())
                .endsWith("Placed on forge at http://10.0.0.1, primary\n");
        assertThat(explain("--workload", "fill", "--identity", "ops-1", "--prefer", "forge")
                        .out())
                .contains("Placed on forge");
        assertThat(explain("--workload", "fill", "--identity", "ops-1", "--avoid", "legion")
                        .out())
                .contains("legion: not now: to be avoided by the request; takes 40 s", "Placed on forge")
                .doesNotContain("again in");
        assertThat(explain("--workload", "fill", "--identity", "ops-1", "--avoid", "legion", "--format", "json")
                        .out())
                .containsOnlyOnce("expected_wait_s");
    }

    @Test
    void wordsForTheSameSubstrateAreTakenTogether() {
        String[] twice = {"--status", "legion=loaded", "--status", "forge=hot", "--status", "legion=free:8"};
        List<String> options = new ArrayList<>(List.of("--workload", "fill", "--identity", "ops-1"));
        options.addAll(List.of(twice));
        assertThat(explain(options.toArray(String[]::new)).out())
                .contains("legion: not now: gpu util 70 >= 70, vram free 8.0 < 24.0 GB", "forge: not now: gpu temp");
    }

    /** However many they are, and however short their ejections: all are out when the question is asked. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ejection: { window: 1s }",
                "ejection: { window: 1ms, max_window: 1ms }",
                "ejection: { window: 100ms, max_window: 150ms }",
                "ejection: { forget_after: 150ms }",
                "ejection: { consecutive_faults: 1000000, faults_of_last: { k: 64, n: 64 } }",
                "ejection: { window: 20m, max_window: 1h }\nhealth: { stale_after: 10s, degraded_after: 3 }",
            })
    @Timeout(60)
    void allThatAreSaidToBeEjectedAre(String limits) throws IOException {
        List<String> ids = IntStream.range(0, 20).mapToObj(i -> "s" + i).toList();
        Files.writeString(
                policy,
                "version: 1\n" + limits + "\nsubstrates:\n"
                        + ids.stream()
                                .map(id -> "  " + id + ": { max_concurrent_jobs: 1 }\n")
                                .collect(Collectors.joining())
                        + "workloads:\n  any: { route: " + ids + " }\n");
        List<String> options = new ArrayList<>(List.of("--workload", "any"));
        ids.forEach(id -> options.addAll(List.of("--status", id + "=ejected")));
        Ran ran = explain(options.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out().lines().filter(line -> line.contains("not now: ejected for another")))
                .as(ran.out())
                .hasSize(20)
                .noneMatch(line -> line.contains("jobs") || line.contains("stale"));
        assertThat(ran.out()).doesNotContain("dev.substraterouter", "Fault", "Placed");
    }

    @Test
    void aRefusalTellsNoFaultThatNobodyHad() {
        String[] out = {"--status", "legion=ejected", "--status", "forge=ejected", "--max-wait", "0s"};
        List<String> options = new ArrayList<>(List.of("--workload", "fill", "--identity", "ops-1"));
        options.addAll(List.of(out));
        assertThat(explain(options.toArray(String[]::new)).out())
                .contains("\nRefused, ", "legion ejected for another")
                .doesNotContain("dev.substraterouter");
        options.addAll(List.of("--format", "json"));
        assertThat(explain(options.toArray(String[]::new)).out()).doesNotContain("dev.substraterouter");
    }

    @Test
    void aNeedInWordsOrValueByValue() {
        Ran words = explain("--need", "A Blackwell card with 20 GB, ideally NVLink", "--identity", "ops-1");
        assertThat(words.out())
                .startsWith("need of blackwell, 20 GB for ops-1:\n")
                .contains("Placed on legion", "-  forge: never: lacks blackwell");
        assertThat(words.err()).isEqualTo("not understood: ideally NVLink\n" + "");
        assertThat(explain(
                                "--capability",
                                "blackwell",
                                "--vram",
                                "20",
                                "--identity",
                                "ops-1",
                                "--privacy",
                                "controlled")
                        .out())
                .contains("Placed on legion");
        assertThat(explain("--vram", "40", "--spans-gpus", "--identity", "ops-1")
                        .out())
                .contains("Placed on forge");
        assertThat(explain("--vram", "40", "--identity", "ops-1").out()).contains("Refused, no eligible substrate");
        assertThat(explain(
                                "--max-latency",
                                "9s",
                                "--max-cost",
                                "1",
                                "--min-quality",
                                "0.1",
                                "--codebase",
                                "x",
                                "--reaches",
                                "y",
                                "--identity",
                                "ops-1")
                        .out())
                .startsWith("need of codebase x, reaches y, quality >= 0.1, latency <= 9 s, cost <= 1 for ops-1:\n");
    }

    @Test
    void callsThatAreWrong() {
        assertThat(explain().err()).startsWith("Give either --workload or a need\n");
        assertThat(explain("--workload", "fill", "--vram", "3").err()).startsWith("Give either --workload or a need\n");
        assertThat(explain("--vram", "-3").err()).startsWith("vramGb: -3.0 (expected: above 0");
        assertThat(explain("--workload", "fill", "--max-wait", "soon").err())
                .contains("expected: a duration such as 500ms");
        assertThat(explain("--workload", "fill", "--identity", "x".repeat(5_000))
                        .code())
                .isEqualTo(2);
    }

    @Test
    void forPrograms() {
        assertThat(explain("--workload", "fill", "--identity", "ops-1", "--status", "legion=busy", "--format", "json")
                        .out())
                .isEqualTo("{\"workload\":\"fill\",\"candidates\":[{\"rank\":1,\"substrate\":\"forge\","
                        + "\"endpoint\":\"http://10.0.0.1\",\"admissible\":true,\"reasons\":[],\"expected_wait_s\":0,"
                        + "\"why\":\"big\"},{\"rank\":2,\"substrate\":\"legion\",\"endpoint\":\"http://10.0.0.2\","
                        + "\"admissible\":false,\"reasons\":[{\"code\":\"running_jobs\","
                        + "\"text\":\"jobs 1/1 (1 of others)\"}],\"expected_wait_s\":5,\"expected_latency_s\":40,"
                        + "\"cost\":0.004}],\"never\":[{\"substrate\":\"cloud\",\"reasons\":[{\"code\":\"quality\","
                        + "\"text\":\"no quality declared, needs 0.5\"}]}],\"ending\":{\"what\":\"placed\","
                        + "\"substrate\":\"forge\",\"endpoint\":\"http://10.0.0.1\",\"path\":\"fallback\","
                        + "\"mode\":\"interactive\",\"degraded\":[\"not_primary\",\"lower_quality\"]}}\n");
        assertThat(explain("--workload", "nope", "--identity", "ops-1", "--format", "json")
                        .out())
                .contains("\"ending\":{\"what\":\"refused\",\"reason\":\"unknown_workload\"");
        assertThat(explain(
                                "--workload",
                                "later",
                                "--identity",
                                "ops-1",
                                "--mode",
                                "interactive",
                                "--status",
                                "legion=hot",
                                "--format",
                                "json")
                        .out())
                .contains("\"ending\":{\"what\":\"waits\",\"places\":4,\"max_wait_s\":30}");
    }

    @Test
    void aPolicyThatCannotBeUsedIsToldWithItsProblems() throws IOException {
        Files.writeString(policy, POLICY.replace("vram_gb: 32", "vram_gb: x"));
        Ran ran = explain("--workload", "fill");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("p.yaml has 1 problem:\n", "vram_gb: 'x' (expected: a number)")
                .doesNotContain("\tat ");
    }

    @Test
    void whoWaitsByChoiceIsToldSo() throws IOException {
        Files.writeString(policy, """
                version: 1
                substrates:
                  forge: { max_concurrent_jobs: 2 }
                  legion: { max_concurrent_jobs: 1 }
                workloads:
                  fast: { strategy: earliest-finish,
                          route: [ { on: forge, expected_latency: 40s }, { on: legion, expected_latency: 15s } ] }
                """);
        assertThat(explain("--workload", "fast", "--status", "legion=ejected").out())
                .contains("forge: now")
                .endsWith(
                        "\nWaits in one of 4 places for at most 30 s, though one is free: another is expected to finish earlier\n");
    }

    @Test
    void theHelpNamesEveryWordThatCanBeSaidOfASubstrate() {
        String help = Ran.of("explain", "--help").out();
        assertThat(Situation.words().replace("and figures as KEY:VALUE", "").split("[^A-Za-z_.]+"))
                .allSatisfy(word -> assertThat(help).contains(word));
    }
}
