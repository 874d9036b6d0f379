package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.internal.yaml.Mutations;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.PolicyProblem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong with a file is told at its place, all of it, and without what only follows from it. */
class BadPolicyTest {
    /** Three lines; what a case adds begins in line 4. */
    private static final String GOOD = "version: 1\nsubstrates:\n  a: { vram_gb: 8, max_concurrent_jobs: 1 }\n";

    private static Arguments bad(String yaml, String place, String message) {
        return Arguments.of(GOOD + yaml, place, message);
    }

    private static Arguments whole(String yaml, String place, String message) {
        return Arguments.of(yaml, place, message);
    }

    /** A text; the place, code and path of its one problem; a part of the message. */
    static Stream<Arguments> oneProblem() {
        return Stream.of(
                // keys
                bad("worklaods: {}", "4:1 unknown-key worklaods", "'worklaods': unknown key (did you mean workloads?)"),
                bad("poll:\n  evry: 5s", "5:3 unknown-key poll.evry", "did you mean every?"),
                bad("poll: { interval: 5s }", "4:9 unknown-key poll.interval", "expected: one of every, timeout"),
                bad(
                        "health: { MaxGpuTempC: 5 }",
                        "4:11 unknown-key health.MaxGpuTempC",
                        "did you mean max_gpu_temp_c?"),
                bad("health: { stale-after: 5s }", "4:11 unknown-key health.stale-after", "did you mean stale_after?"),
                bad("'': 5", "4:1 unknown-key ", "'': unknown key"),
                bad("\"a\\nb\": 5", "4:1 unknown-key a?b", "'a?b': unknown key"),
                bad("workloads: { w: { <<: 5 } }", "4:19 unknown-key workloads.w.<<", "unknown key"),
                bad("poll: { every: 5s, every: 6s }", "4:20 duplicate poll.every", "in line 4 and in line 4"),
                bad("poll: {}\npoll: {}", "5:1 duplicate poll", "in line 4 and in line 5 (expected: once)"),
                bad(
                        "health: { require_attributes: { a: b, a: c } }",
                        "4:39 duplicate health.require_attributes.a",
                        "'a' is declared twice"),
                bad(
                        "? " + "k".repeat(129) + "\n: 1",
                        "4:3 bad-name " + "k".repeat(60) + "...",
                        "(expected: at most 128)"),
                bad(
                        "health: { require_attributes: { '': a } }",
                        "4:33 bad-name health.require_attributes.",
                        "1 to 128 characters"),
                // types
                bad("poll: [5s]", "4:7 wrong-type poll", "poll: a list (expected: a map with every, timeout)"),
                bad("poll:", "4:6 wrong-type poll", "poll: nothing (expected: a map"),
                bad("poll: 5s", "4:7 wrong-type poll", "poll: '5s' (expected: a map"),
                bad("workloads: []", "4:12 wrong-type workloads", "workloads: a list (expected: a map)"),
                bad("workloads: { w: 5 }", "4:17 wrong-type workloads.w", "w: 5 (expected: a map with vram_gb,"),
                bad("network: { data: 10.0.0.0/8 }", "4:18 wrong-type network.data", "(expected: a list)"),
                bad(
                        "network: { data: [10.0.0.0/8, 5] }",
                        "4:31 wrong-type network.data[1]",
                        "data[1]: 5 (expected: a text,"),
                bad(
                        "network: { data: [null] }",
                        "4:19 wrong-type network.data[0]",
                        "data[0]: nothing (expected: a text)"),
                bad(
                        "network: { data: [0.0.0.0/0, 10.0.0.1/29] }",
                        "4:30 bad-scope network.data[1]",
                        "10.0.0.1/29 (expected: the first address of the range, 10.0.0.0/29)"),
                bad("queue: { capacity: 1.5 }", "4:20 wrong-type queue.capacity", "1.5 (expected: a whole number)"),
                bad("queue: { capacity: 1e3 }", "4:20 wrong-type queue.capacity", "1e3 (expected: a whole number)"),
                bad("queue: { capacity: true }", "4:20 wrong-type queue.capacity", "true (expected: a whole number)"),
                bad("queue: { capacity: \"4\" }", "4:20 wrong-type queue.capacity", "'4' (expected: a whole number)"),
                bad("queue: { capacity: 0x10 }", "4:20 wrong-type queue.capacity", "'0x10' (expected: a whole number)"),
                bad("queue: { capacity: [4] }", "4:20 wrong-type queue.capacity", "a list (expected: a whole number)"),
                bad("queue: { capacity: 2147483648 }", "4:20 out-of-range queue.capacity", "at most 2147483647"),
                bad(
                        "health: { max_gpu_util_pct: 70% }",
                        "4:29 wrong-type health.max_gpu_util_pct", "'70%' (expected: a number)"),
                bad(
                        "health: { max_gpu_util_pct: .nan }",
                        "4:29 out-of-range health.max_gpu_util_pct",
                        "a finite number"),
                bad(
                        "health: { max_gpu_util_pct: -.inf }",
                        "4:29 out-of-range health.max_gpu_util_pct",
                        "a finite number"),
                bad(
                        "health: { max_gpu_util_pct: 1e999 }",
                        "4:29 out-of-range health.max_gpu_util_pct",
                        "a finite number"),
                bad(
                        "health: { max_gpu_util_pct: {} }",
                        "4:29 wrong-type health.max_gpu_util_pct",
                        "a map (expected: a number)"),
                bad("strategy: { learn: yes }", "4:20 wrong-type strategy.learn", "'yes' (expected: true or false)"),
                bad("strategy: { learn: 1 }", "4:20 wrong-type strategy.learn", "1 (expected: true or false)"),
                bad(
                        "workloads: { w: { route: [ { on: a, model_version: 1.0 } ] } }",
                        "4:52 wrong-type workloads.w.route[0].model_version",
                        "1.0 (expected: a text, so in quotes)"),
                bad(
                        "health: { require_attributes: { owner_busy: false } }",
                        "4:45 wrong-type health.require_attributes.owner_busy",
                        "false (expected: a text, so in quotes)"),
                bad(
                        "health: { require_attributes: [] }",
                        "4:31 wrong-type health.require_attributes",
                        "expected: a map"),
                // durations
                bad(
                        "poll: { every: 5 }",
                        "4:16 bad-duration poll.every",
                        "5 (expected: a duration such as 500ms, 5s, 2m or 1h)"),
                bad("poll: { every: -3s }", "4:16 bad-duration poll.every", "'-3s' (expected: a duration"),
                bad("poll: { every: 1.5s }", "4:16 bad-duration poll.every", "'1.5s' (expected: a duration"),
                bad("poll: { every: 5 s }", "4:16 bad-duration poll.every", "'5 s' (expected: a duration"),
                bad("poll: { every: 1d }", "4:16 bad-duration poll.every", "'1d' (expected: a duration"),
                bad("poll: { every: [5s] }", "4:16 bad-duration poll.every", "a list (expected: a duration"),
                bad("poll: { timeout: 9999999999999h }", "4:18 bad-duration poll.timeout", "expected: a duration"),
                bad("poll: { timeout: 999999999999h }", "4:18 out-of-range poll.timeout", "at most 365 days"),
                // words
                bad(
                        "queue: { order: fifo }",
                        "4:17 unknown-word queue.order",
                        "'fifo' (expected: one of arrival, weighted, deadline)"),
                bad(
                        "queue: { order: ARRIVAL }",
                        "4:17 unknown-word queue.order",
                        "'ARRIVAL' (expected: one of arrival"),
                bad(
                        "health: { on_stale: true }",
                        "4:21 unknown-word health.on_stale",
                        "true (expected: one of closed, hold)"),
                bad(
                        "health: { ignore: [heat] }",
                        "4:20 unknown-word health.ignore[0]",
                        "one of gpu_util, vram, gpu_temp, running_jobs"),
                bad(
                        "strategy: { default: earliest_finish }",
                        "4:22 unknown-word strategy.default",
                        "one of preference, earliest-finish, outcome-cost, healthiest"),
                bad(
                        "workloads: { w: { pin: { on: a, gate: half } } }",
                        "4:39 unknown-word workloads.w.pin.gate",
                        "one of facts, full"),
                // routes, pins, roles
                bad("workloads: { w: { route: a } }", "4:26 wrong-type workloads.w.route", "'a' (expected: a list)"),
                bad(
                        "workloads: { w: { route: [5] } }",
                        "4:27 wrong-type workloads.w.route[0]",
                        "5 (expected: a text, or a map with on,"),
                bad(
                        "workloads: { w: { route: [ { model: m } ] } }",
                        "4:28 missing workloads.w.route[0].on",
                        "on: absent"),
                bad(
                        "workloads: { w: { route: [ { on: 5 } ] } }",
                        "4:34 wrong-type workloads.w.route[0].on",
                        "5 (expected: a text"),
                bad("workloads: { w: { route: [] } }", "4:26 out-of-range workloads.w.route", "at least one candidate"),
                bad(
                        "workloads: { w: { route: [b] } }",
                        "4:27 unknown-substrate workloads.w.route[0].on",
                        "on: 'b' (expected: one of a)"),
                bad("workloads: { w: { pin: { on: b } } }", "4:30 unknown-substrate workloads.w.pin.on", "on: 'b'"),
                bad("workloads: { w: { pin: b } }", "4:24 unknown-substrate workloads.w.pin.on", "on: 'b'"),
                bad(
                        "workloads: { w: { pin: [a] } }",
                        "4:24 wrong-type workloads.w.pin",
                        "a list (expected: a text, or a map"),
                bad("workloads: { w: { gate: full } }", "4:19 unknown-key workloads.w.gate", "unknown key"),
                bad("workloads: { w: { pin: a, route: [a] } }", "4:24 conflict workloads.w.pin", "given beside route"),
                bad(
                        "workloads: { w: { route: [a, a] } }",
                        "4:30 duplicate workloads.w.route[1]",
                        "declared twice in one route"),
                bad(
                        "workloads: { w: { min_quality: 80 } }",
                        "4:32 out-of-range workloads.w.min_quality",
                        "80 (expected: 0 to 1)"),
                bad("roles: {}", "4:8 missing roles", "anyone may ask for anything"),
                bad("roles: { r: {} }", "4:10 missing roles.r.identities", "identities: none"),
                bad("roles: { r: 5 }", "4:13 wrong-type roles.r", "5 (expected: a map with identities,"),
                bad(
                        "roles: { r: { identities: [5] } }",
                        "4:28 wrong-type roles.r.identities[0]",
                        "5 (expected: a text"),
                bad(
                        "roles: { r: { identities: [x], workloads: [\"*\", w] } }",
                        "4:49 unknown-workload roles.r.workloads[1]",
                        "workloads: 'w' (expected: \"*\" or one of"),
                // addresses
                bad(
                        "  b: { kind: batch, endpoint: 5 }",
                        "4:31 wrong-type substrates.b.endpoint",
                        "5 (expected: an address)"),
                bad(
                        "  b: { kind: batch, endpoint: 'ftp://x' }",
                        "4:31 bad-address substrates.b.endpoint",
                        "an http or https address"),
                bad(
                        "  b: { kind: batch, endpoint: 'http://u:s3cr3t@x' }",
                        "4:31 bad-address substrates.b.endpoint",
                        "http://***@x"),
                bad(
                        "  b: { kind: batch, endpoint: 'http://u:s3/cr3t@x:8188' }",
                        "4:31 bad-address substrates.b.endpoint",
                        "http://***@x:8188"),
                bad(
                        "  b: { kind: batch, endpoint: 'ftp://x/y#s3cr3t' }",
                        "4:31 bad-address substrates.b.endpoint",
                        "ftp://x/y#***"),
                bad(
                        "  b: { kind: batch, endpoint: 'http://u:s3cr3t@x y' }",
                        "4:31 bad-address substrates.b.endpoint",
                        "'http://***@x y'"),
                bad(
                        "  b: { kind: batch, endpoint: 'http://x/ ?t=s3cr3t' }",
                        "4:31 bad-address substrates.b.endpoint",
                        "'http://x/ ?***'"),
                bad(
                        "  b: { kind: batch, status: 'x y' }",
                        "4:29 bad-address substrates.b.status",
                        "status: 'x y' (expected: an address;"),
                bad(
                        "  b: { kind: batch, status: 'ftp://x' }",
                        "4:29 bad-address substrates.b.status[0].url",
                        "an http or https address"),
                bad(
                        "  b: { kind: batch, status: {} }",
                        "4:29 wrong-type substrates.b.status",
                        "a map (expected: a list)"),
                bad(
                        "  b: { kind: batch, status: 5 }",
                        "4:29 wrong-type substrates.b.status",
                        "5 (expected: an address, or a list"),
                bad(
                        "  b: { kind: batch, status: [5] }",
                        "4:30 wrong-type substrates.b.status[0]",
                        "5 (expected: an address, or a list"),
                bad("  b: { kind: batch, status: [{}] }", "4:30 missing substrates.b.status[0].url", "url: absent"),
                bad(
                        "  b: { kind: batch, status: ['http://x', 'ftp://x'] }",
                        "4:42 bad-address substrates.b.status[1].url",
                        "an http or https address"),
                bad(
                        "  b: { kind: batch, status: [ { url: 'http://x', auth: {} } ] }",
                        "4:56 conflict substrates.b.status[0].auth",
                        "nothing (expected: one of token_env, token_file)"),
                bad(
                        "  b: { kind: batch, status: [ { url: 'http://x', auth: { token_env: A, token_file: b } } ] }",
                        "4:56 conflict substrates.b.status[0].auth",
                        "token_env and token_file (expected: one of"),
                bad(
                        "  b: { kind: batch, status: [ { url: 'http://x', auth: s3cr3t } ] }",
                        "4:56 wrong-type substrates.b.status[0].auth",
                        "auth: a text (expected: a map with token_env, token_file)"),
                bad(
                        "  b: { kind: batch, status: [ { url: 'http://x', auth: { token: s3cr3t } } ] }",
                        "4:58 unknown-key substrates.b.status[0].auth",
                        "auth: a key: unknown key (expected: one of token_env, token_file)"),
                bad(
                        "  b: { kind: batch, status: [ { url: 'http://x', auth: { token_env: A, token_env: s3cr3t } } ] }",
                        "4:72 duplicate substrates.b.status[0].auth",
                        "auth: a key is declared twice"),
                bad(
                        "  b: { kind: batch, status: [ { url: 'http://x', auth: { token_env: 1234567 } } ] }",
                        "4:69 wrong-type substrates.b.status[0].auth.token_env",
                        "a text (expected: a text, so in quotes)"),
                // substrates
                bad("  b: {}", "4:3 missing substrates.b.max_concurrent_jobs", ">= 1 on a local substrate"),
                bad(
                        "  b: { max_concurrent_jobs: 0 }",
                        "4:29 out-of-range substrates.b.max_concurrent_jobs",
                        "0 (expected: >= 1)"),
                bad(
                        "  b: { kind: batch, owner: { cost_per_hour: 1 } }",
                        "4:21 missing substrates.b.owner.background_util_pct",
                        "absent"),
                bad("  '': { kind: batch }", "4:3 bad-name substrates.", "1 to 128 characters"),
                bad(
                        "  a.b: { kind: batch, gpus: 0 }",
                        "4:29 out-of-range substrates.a.b.gpus",
                        "0 (expected: 1 to 64)"),
                bad(
                        "poll: { every: 10s }",
                        "4:16 out-of-range health.stale_after",
                        "15s (expected: at least 2 x poll.every = 20s)"),
                // consequences are not told
                bad(
                        "  b: { kind: extern }",
                        "4:14 unknown-word substrates.b.kind",
                        "one of local, pool, external, batch"),
                bad(
                        "  b: { max_concurent_jobs: 1 }",
                        "4:8 unknown-key substrates.b.max_concurent_jobs",
                        "did you mean"),
                bad("  b: 5\nworkloads: { w: { route: [b] } }", "4:6 wrong-type substrates.b", "5 (expected: a map"),
                bad("poll: { every: later }\nhealth: { stale_after: 2s }", "4:16 bad-duration poll.every", "'later'"),
                bad("ejection: { window: long, max_window: 2s }", "4:21 bad-duration ejection.window", "'long'"),
                bad(
                        "workloads: { w: { route: [ { on: a, quality: good }, a ] } }",
                        "4:46 wrong-type workloads.w.route[0].quality",
                        "'good'"),
                bad(
                        "workloads: { w: { vram_gb: some, route: [ { on: a, job_vram_gb: 2 } ] } }",
                        "4:28 wrong-type workloads.w.vram_gb",
                        "'some'"),
                bad(
                        "health: { max_gpu_util_pct: no }\n  ".stripTrailing() + "\nworkloads: {}",
                        "4:29 wrong-type health.max_gpu_util_pct",
                        "'no'"),
                bad(
                        "workloads: 5\nroles: { r: { identities: [x], workloads: [w] } }",
                        "4:12 wrong-type workloads",
                        "5"),
                whole("version: 1\nworkloads: { w: { route: [b] } }", "1:1 missing substrates", "at least one"),
                whole(
                        "version: 1\nsubstrates: [a]\nworkloads: { w: { route: [a] } }",
                        "2:13 wrong-type substrates",
                        "a list"),
                whole(
                        "version: 1\nsubstrates:\n  a: { max_concurrent_jobs: 1 }\n"
                                + "workloads: { v: { vram_gb: 1, route: [a] }, w: { vram_gb: 2, pin: a } }",
                        "3:3 missing substrates.a.vram_gb",
                        "since 'v' declares VRAM"),
                // versions
                whole("substrates: { a: { kind: batch } }", "1:1 missing version", "version: absent"),
                whole(
                        "version: '1'\nsubstrates: { a: { kind: batch } }",
                        "1:10 wrong-type version",
                        "'1' (expected: a whole number)"),
                whole("version: 2\nsubstratum: {}\nnodes: []", "1:10 version version", "version: 2 (expected: 1)"),
                whole("a: 1\nversion: 99999999999999999999", "2:10 version version", "(expected: 1)"),
                // documents
                whole("", "1:1 empty ", "an empty document"),
                whole("# nothing\n", "1:1 empty ", "an empty document"),
                whole("---\n...\n", "1:1 empty ", "an empty document"),
                whole("null", "1:1 empty ", "an empty document"),
                whole("policy", "1:1 wrong-type ", "the policy: 'policy' (expected: a map with version, health,"),
                whole("- 1", "1:1 wrong-type ", "the policy: a list (expected: a map with version,"),
                whole(GOOD + "---\n" + GOOD, "5:1 several-documents ", "a second document (expected: one)"),
                whole(GOOD + "---\n", "5:1 several-documents ", "a second document"),
                whole(GOOD + "...\n# an end\n---\nb", "7:1 several-documents ", "a second document"),
                // no YAML
                whole("version: 1\nsubstrates: { a", "2:16 syntax ", "no YAML"),
                whole("version: 1\n\tpoll: {}", "2:1 syntax ", "no YAML"),
                whole("version: 1\n poll: {}", "2:6 syntax ", "no YAML"),
                whole("version: 'one", "1:14 syntax ", "no YAML"),
                whole("version: @", "1:10 syntax ", "no YAML"),
                whole("{ [a]: b }", "1:4 syntax ", "no YAML"),
                whole("? { a: b }\n: c", "1:4 syntax ", "no YAML"),
                whole("%YAML 3.0\n---\na: b", "1:1 syntax ", "no YAML"),
                whole("a: !!binary aGk=", "1:4 tag ", "the tag tag:yaml.org,2002:binary (expected: none)"),
                whole("a: !secret {}", "1:4 tag ", "the tag !secret (expected: none)"),
                whole("version: 1\na: *b", "2:4 alias ", "*b (expected: an anchor further up)"),
                whole("version: 1\na: &b [ *b ]", "2:9 alias ", "*b stands within its own anchor (expected: no cycle)"),
                whole("&a { version: 1, b: { c: *a } }", "1:26 alias ", "no cycle"),
                whole("*a : 5", "1:3 syntax ", "no YAML"));
    }

    @ParameterizedTest(name = "[{index}] {1}")
    @MethodSource
    @DisplayName("one thing is wrong, one thing is told")
    void oneProblem(String yaml, String place, String message) {
        List<PolicyProblem> problems = problems(yaml);

        assertThat(problems).extracting(Mutations::placed).containsExactly(place);
        assertThat(problems.get(0).message()).contains(message).doesNotContain("s3cr3t", "1234567");
    }

    private static List<PolicyProblem> problems(String yaml) {
        PolicyException thrown = catchThrowableOfType(PolicyException.class, () -> YamlPolicy.parse(yaml));
        assertThat(thrown).as("the policy was taken").isNotNull();
        return thrown.problems();
    }

    @Test
    @DisplayName("the same substrate twice: both lines are named and nothing is applied [J5]")
    void sameSubstrateTwice() {
        String yaml = Examples.SMALLEST.replace("workloads:", "  mirrorforge: { max_concurrent_jobs: 1 }\nworkloads:");

        assertThat(problems(yaml)).singleElement().satisfies(problem -> {
            assertThat(Mutations.placed(problem)).isEqualTo("5:3 duplicate substrates.mirrorforge");
            assertThat(problem.message())
                    .isEqualTo("'mirrorforge' is declared twice, in line 3 and in line 5 (expected: once)");
        });
    }

    @Test
    @DisplayName("everything that is wrong is told at once, in the order of the file")
    void everythingAtOnce() {
        String yaml = """
                version: 1
                poll: { evry: 5s, timeout: 5 }
                substrates:
                  legion: { endpoint: "http://10.40.10.2:8188", vram_gb: 32, max_concurent_jobs: 1, trust: controled, gpus: 0 }
                  mirrorforge:
                    vram_gb: lots
                    max_concurrent_jobs: 0
                  legion: { vram_gb: 24 }
                  legion: { vram_gb: 24 }
                workloads:
                  flux-fill: { vram_gb: 24, route: [legoin, mirrorforge], max_latency: 1.5s }
                  sdxl: { vram_gb: 8, min_quality: 80, route: [ { on: legion, quality: 2 } ] }
                """;

        assertThat(problems(yaml))
                .extracting(Mutations::placed)
                .containsExactly(
                        "2:9 unknown-key poll.evry",
                        "2:28 bad-duration poll.timeout",
                        "4:62 unknown-key substrates.legion.max_concurent_jobs",
                        "4:92 unknown-word substrates.legion.trust",
                        "4:109 out-of-range substrates.legion.gpus",
                        "6:14 wrong-type substrates.mirrorforge.vram_gb",
                        "7:26 out-of-range substrates.mirrorforge.max_concurrent_jobs",
                        "8:3 duplicate substrates.legion",
                        "9:3 duplicate substrates.legion",
                        "11:37 unknown-substrate workloads.flux-fill.route[0].on",
                        "11:72 bad-duration workloads.flux-fill.max_latency",
                        "12:36 out-of-range workloads.sdxl.min_quality",
                        "12:72 out-of-range workloads.sdxl.route[0].quality");
    }
}
