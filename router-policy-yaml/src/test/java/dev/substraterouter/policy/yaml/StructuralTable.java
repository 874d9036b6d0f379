package dev.substraterouter.policy.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every key of the format with what it may hold, and the values that it must not: one table for whoever refuses them. Keys are JSON pointers
 * into {@link #WHOLE}, values are written in JSON.
 */
final class StructuralTable {
    /** A policy that has every key at every level. */
    static final String WHOLE = """
            version: 1
            health:
              max_gpu_util_pct: 70
              max_gpu_temp_c: 80
              gpu_util_margin_pct: 5
              gpu_temp_margin_c: 2
              degraded_after: 1
              healthy_after: 1
              recovery_window: 0s
              stale_after: 15s
              on_stale: closed
              require: [gpu_util]
              ignore: [vram]
              require_attributes: { owner_busy: "false" }
            ejection: { consecutive_faults: 3, faults_of_last: { k: 5, n: 10 }, window: 5s, max_window: 60s, trial_timeout: 60s, ramp: 10s, forget_after: 10m }
            queue: { capacity: 4, retry_every: 5s, max_wait: 30s, ages_after: 10s, hold_after: 10s, order: arrival, weights: { normal: 3, low: 10 } }
            poll: { every: 5s, timeout: 2s }
            strategy: { default: preference, finish_margin: 1.5, unhealthy_wait: 240s, learn: true, drift_factor: 1.5 }
            network: { control: [127.0.0.0/8], data: [10.0.0.0/8], external: [gpu.example.com] }
            substrates:
              a:
                kind: local
                endpoint: "http://10.0.0.1:8188"
                mcp_url: "http://10.0.0.1:8090/mcp"
                virtual: false
                status: [ { url: "http://10.0.0.1:9100/status", format: substrate, auth: { token_env: TOKEN } }, "http://10.0.0.1:9101" ]
                hardware: 2 x V100
                why: it is there
                capabilities: [cuda]
                codebases: [mirage]
                reaches: [mcp]
                vram_gb: 64
                gpus: 2
                keep_free_gb: 0
                max_concurrent_jobs: 2
                util_per_job_pct: 47
                idle_vram: held
                reserve_for_high: 0
                accepts_roles: [r]
                trust: controlled
                cost_per_hour: 0.12
                overflow: false
                owner: { background_util_pct: 15, cost_per_hour: 3 }
                health: { max_gpu_util_pct: 60 }
              b: { kind: batch, status: "http://10.0.0.2:9100/status" }
            workloads:
              w:
                vram_gb: 12
                capabilities: [cuda]
                privacy: controlled
                min_quality: 0.8
                max_latency: 3m
                max_cost: 100
                min_availability: 0
                review_cost: 2
                error_cost: 1
                waiting_cost_per_hour: 6
                deadline: 80s
                strategy: preference
                overflow_after: 0s
                route:
                  - { on: a, model: m, model_version: "1", format: f, vram_gb: 12, job_vram_gb: 3, expected_latency: 40s, load_time: 15s, quality: 0.9,
                      review_rate: 0.05, cost_per_job: 0.1, spans_gpus: true, endpoint: "http://10.0.0.1:8189", why: it fits }
                batch: b
                queue: { capacity: 4, max_wait: 60s }
                why: it is work
              p:
                pin: { on: a, model: m, model_version: "1", format: f, vram_gb: 12, job_vram_gb: 3, expected_latency: 40s, load_time: 15s, quality: 0.9,
                       review_rate: 0.05, cost_per_job: 0.1, spans_gpus: true, endpoint: "http://10.0.0.1:8189", why: it fits, gate: full }
            roles:
              r: { identities: ["*"], capabilities: [cuda], workloads: [w], adhoc: true, max_priority: high, external: true, operate: [view] }
            """;

    /** What a key may hold. */
    record Kind(String name, List<String> bad, List<String> extremes) {
        Kind and(List<String> moreBad, List<String> moreExtremes) {
            List<String> all = new ArrayList<>(bad);
            all.addAll(moreBad);
            return new Kind(name, all, moreExtremes);
        }
    }

    private static final List<String> NO_MAP = List.of("null", "5", "true", "\"text\"", "[]", "{\"unknown_key\": 1}");

    private static Kind kind(String name, String... bad) {
        return new Kind(name, List.of(bad), List.of());
    }

    private static Kind map() {
        return new Kind("map", NO_MAP, List.of());
    }

    private static Kind text() {
        return kind("text", "null", "5", "1.5", "true", "[]", "{}");
    }

    private static Kind flag() {
        return kind("flag", "null", "1", "\"yes\"", "\"true\"", "[]", "{}");
    }

    private static Kind word() {
        return kind("word", "null", "1", "true", "\"nonsense\"", "\"\"", "[]", "{}");
    }

    private static Kind words() {
        return kind("words", "null", "1", "\"gpu_util\"", "{}", "[\"nonsense\"]", "[1]", "[null]");
    }

    private static Kind texts() {
        return kind("texts", "null", "1", "\"text\"", "{}", "[1]", "[null]", "[true]", "[[]]");
    }

    private static Kind names() {
        String tooMany = "[" + "\"x\", ".repeat(64) + "\"y\"]";
        return texts().and(
                        List.of("[\"\"]", "[\" \"]", "[\"" + "x".repeat(257) + "\"]", tooMany),
                        List.of("[]", "[\"" + "x".repeat(256) + "\"]"));
    }

    private static Kind address() {
        return kind(
                "address",
                "null",
                "5",
                "[]",
                "{}",
                "\"\"",
                "\"host\"",
                "\"ftp://host/\"",
                "\"http://\"",
                "\"http:///path\"",
                "\"http://a b/\"",
                "\"http://user:word@host/\"");
    }

    /** A number in a range; without an upper end, anything goes. */
    private static Kind number(double least, double most) {
        Kind number = kind("number", "null", "true", "\"5\"", "\"many\"", "[]", "{}");
        return number.and(
                List.of(json(least - 1), json(least - 0.01), json(most * 1.01)), List.of(json(least), json(most)));
    }

    private static Kind atLeast(double least) {
        return kind("number", "null", "true", "\"5\"", "\"many\"", "[]", "{}")
                .and(List.of(json(least - 0.01)), List.of(json(least), "1e300"));
    }

    private static Kind above(double bound, double most) {
        return kind("number", "null", "true", "\"5\"", "[]", "{}")
                .and(List.of(json(bound), json(bound - 1), json(most + 1)), List.of(json(bound + 0.001), json(most)));
    }

    private static Kind count(int least, int most) {
        Kind count = kind("count", "null", "true", "\"5\"", "1.5", "[]", "{}", "99999999999");
        return count.and(
                List.of(Integer.toString(least - 1), Long.toString(most + 1L)),
                List.of(Integer.toString(least), Integer.toString(most)));
    }

    private static Kind duration() {
        return kind(
                        "duration",
                        "null",
                        "5",
                        "\"5\"",
                        "\"-3s\"",
                        "\"1.5s\"",
                        "\"1d\"",
                        "\"5 s\"",
                        "\"9999999999999h\"",
                        "[]",
                        "{}")
                .and(List.of(), List.of("\"0s\"", "\"0010ms\"", "\"8760h\""));
    }

    private static Kind positive() {
        return duration().and(List.of("\"0s\"", "\"0ms\"", "\"00h\""), List.of("\"1ms\"", "\"365000ms\"", "\"0100s\""));
    }

    private static String json(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static final double GB = 1 << 20;
    private static final int MANY = 1_000_000;

    /** Every key of {@link #WHOLE}. */
    static final Map<String, Kind> KEYS = keys();

    private static Map<String, Kind> keys() {
        Map<String, Kind> keys = new LinkedHashMap<>();
        keys.put("/version", kind("version", "null", "0", "2", "1.5", "\"1\"", "[]", "{}"));
        keys.put("/health", map());
        keys.put("/health/max_gpu_util_pct", number(1, 101));
        keys.put("/health/max_gpu_temp_c", number(1, 200));
        keys.put("/health/gpu_util_margin_pct", number(0, 100));
        keys.put("/health/gpu_temp_margin_c", number(0, 100));
        keys.put("/health/degraded_after", count(1, MANY));
        keys.put("/health/healthy_after", count(1, MANY));
        keys.put("/health/recovery_window", duration());
        keys.put("/health/stale_after", positive());
        keys.put("/health/on_stale", word());
        keys.put("/health/require", words());
        keys.put("/health/ignore", words());
        keys.put(
                "/health/require_attributes",
                kind(
                        "map of texts",
                        "null",
                        "5",
                        "\"text\"",
                        "[]",
                        "{\"a\": false}",
                        "{\"a\": null}",
                        "{\"\": \"a\"}",
                        "{\" \": \"a\"}"));
        keys.put("/health/require_attributes/owner_busy", text());
        keys.put("/ejection", map());
        keys.put("/ejection/consecutive_faults", count(1, MANY));
        keys.put("/ejection/faults_of_last", map());
        keys.put("/ejection/faults_of_last/k", count(1, 64));
        keys.put("/ejection/faults_of_last/n", count(1, 64));
        keys.put("/ejection/window", positive());
        keys.put("/ejection/max_window", positive());
        keys.put("/ejection/trial_timeout", positive());
        keys.put("/ejection/ramp", duration());
        keys.put("/ejection/forget_after", positive());
        keys.put("/queue", map());
        keys.put("/queue/capacity", count(0, 100_000));
        keys.put("/queue/retry_every", positive());
        keys.put("/queue/max_wait", duration());
        keys.put("/queue/ages_after", positive());
        keys.put("/queue/hold_after", duration());
        keys.put("/queue/order", word());
        keys.put("/queue/weights", map());
        keys.put("/queue/weights/normal", above(0, MANY));
        keys.put("/queue/weights/low", above(0, MANY));
        keys.put("/poll", map());
        keys.put("/poll/every", positive().and(List.of("\"9ms\"", "\"009ms\""), List.of("\"10ms\"", "\"7s\"")));
        keys.put("/poll/timeout", positive());
        keys.put("/strategy", map());
        keys.put("/strategy/default", word());
        keys.put("/strategy/finish_margin", number(1, MANY));
        keys.put("/strategy/unhealthy_wait", duration());
        keys.put("/strategy/learn", flag());
        keys.put("/strategy/drift_factor", above(1, MANY));
        keys.put("/network", map());
        keys.put("/network/control", texts());
        keys.put("/network/data", texts());
        keys.put("/network/external", texts());
        keys.put(
                "/substrates",
                kind(
                        "map of substrates",
                        "null",
                        "5",
                        "\"text\"",
                        "[]",
                        "{}",
                        "{\"a\": null}",
                        "{\"a\": {}}",
                        "{\"\": {\"kind\": \"batch\"}}",
                        "{\" \": {\"kind\": \"batch\"}}",
                        "{\"(need)\": {\"kind\": \"batch\"}}",
                        "{\"a\\tb\": {\"kind\": \"batch\"}}",
                        "{\"" + "x".repeat(129) + "\": {\"kind\": \"batch\"}}"));
        substrate(keys);
        keys.put(
                "/workloads",
                kind(
                        "map of workloads",
                        "null",
                        "5",
                        "\"text\"",
                        "[]",
                        "{\"w\": null}",
                        "{\"\": {}}",
                        "{\"(need)\": {}}"));
        workload(keys);
        keys.put(
                "/roles",
                kind(
                        "map of roles",
                        "null",
                        "5",
                        "\"text\"",
                        "[]",
                        "{}",
                        "{\"r\": null}",
                        "{\"r\": {}}",
                        "{\"\": {\"identities\": [\"x\"]}}"));
        keys.put("/roles/r", map());
        keys.put("/roles/r/identities", texts().and(List.of("[]"), List.of()));
        keys.put("/roles/r/capabilities", names());
        keys.put("/roles/r/workloads", texts());
        keys.put("/roles/r/adhoc", flag());
        keys.put("/roles/r/max_priority", word());
        keys.put("/roles/r/external", flag());
        keys.put("/roles/r/operate", words());
        return keys;
    }

    private static void substrate(Map<String, Kind> keys) {
        String a = "/substrates/a";
        keys.put(a, map());
        keys.put(a + "/kind", word());
        keys.put(a + "/endpoint", address());
        keys.put(a + "/mcp_url", address());
        keys.put(a + "/virtual", flag());
        keys.put(
                a + "/status",
                kind(
                        "addresses",
                        "null",
                        "5",
                        "{}",
                        "true",
                        "\"host\"",
                        "[5]",
                        "[null]",
                        "[[]]",
                        "[\"host\"]",
                        "[{}]"));
        keys.put(
                a + "/status/0",
                kind("address", "null", "5", "{}", "[]", "\"host\"", "{\"url\": \"http://h\", \"unknown_key\": 1}"));
        keys.put(a + "/status/0/url", address());
        keys.put(a + "/status/0/format", text());
        keys.put(
                a + "/status/0/auth",
                map().and(
                                List.of("{}", "{\"token_env\": \"A\", \"token_file\": \"B\"}"),
                                List.of("{\"token_file\": \"B\"}")));
        keys.put(a + "/status/0/auth/token_env", text());
        keys.put(a + "/status/1", address());
        keys.put("/substrates/b/status", kind("address", "null", "5", "{}", "\"host\"", "\"http://u:p@h/\""));
        keys.put("/substrates/b", map().and(List.of("{}", "{\"kind\": \"local\"}", "{\"kind\": \"pool\"}"), List.of()));
        keys.put("/substrates/b/kind", word().and(List.of(), List.of("\"external\"")));
        keys.put(a + "/hardware", text());
        keys.put(a + "/why", text());
        keys.put(a + "/capabilities", names());
        keys.put(a + "/codebases", names());
        keys.put(a + "/reaches", names());
        keys.put(a + "/vram_gb", number(0, GB));
        keys.put(a + "/gpus", count(1, 64));
        keys.put(a + "/keep_free_gb", number(0, GB));
        keys.put(a + "/max_concurrent_jobs", count(1, MANY));
        keys.put(a + "/util_per_job_pct", number(0, 100));
        keys.put(a + "/idle_vram", word());
        keys.put(a + "/reserve_for_high", count(0, MANY));
        keys.put(a + "/accepts_roles", texts());
        keys.put(a + "/trust", word());
        keys.put(a + "/cost_per_hour", atLeast(0));
        keys.put(a + "/overflow", flag());
        keys.put(a + "/owner", map().and(List.of("{}"), List.of()));
        keys.put(a + "/owner/background_util_pct", number(0, 100));
        keys.put(a + "/owner/cost_per_hour", atLeast(0));
        keys.put(a + "/health", map());
        keys.put(a + "/health/max_gpu_util_pct", number(1, 101));
    }

    private static void workload(Map<String, Kind> keys) {
        String w = "/workloads/w";
        keys.put(w, map());
        keys.put(w + "/vram_gb", number(0, GB));
        keys.put(w + "/capabilities", names());
        keys.put(w + "/privacy", word());
        keys.put(w + "/min_quality", number(0, 1));
        keys.put(w + "/max_latency", positive());
        keys.put(w + "/max_cost", atLeast(0));
        keys.put(w + "/min_availability", number(0, 1));
        keys.put(w + "/review_cost", atLeast(0));
        keys.put(w + "/error_cost", atLeast(0));
        keys.put(w + "/waiting_cost_per_hour", atLeast(0));
        keys.put(w + "/deadline", positive());
        keys.put(w + "/strategy", word());
        keys.put(w + "/overflow_after", duration());
        keys.put(
                w + "/route",
                kind(
                        "candidates",
                        "null",
                        "5",
                        "\"a\"",
                        "{}",
                        "[]",
                        "[5]",
                        "[null]",
                        "[[]]",
                        "[{}]",
                        "[\"a\", \"a\"]"));
        keys.put(w + "/route/0", kind("candidate", "null", "5", "[]", "{}", "{\"on\": \"a\", \"unknown_key\": 1}"));
        candidate(keys, w + "/route/0");
        keys.put(w + "/batch", kind("candidate", "null", "5", "[]", "{}", "{\"on\": \"b\", \"unknown_key\": 1}"));
        keys.put(w + "/queue", map());
        keys.put(w + "/queue/capacity", count(0, 100_000));
        keys.put(w + "/queue/max_wait", duration());
        keys.put(w + "/why", text());
        keys.put("/workloads/p", map().and(List.of("{\"pin\": \"a\", \"route\": [\"a\"]}"), List.of("{}")));
        keys.put("/workloads/p/pin", kind("pin", "null", "5", "[]", "{}", "{\"on\": \"a\", \"unknown_key\": 1}"));
        candidate(keys, "/workloads/p/pin");
        keys.put("/workloads/p/pin/gate", word());
    }

    private static void candidate(Map<String, Kind> keys, String c) {
        keys.put(c + "/on", text());
        keys.put(c + "/model", text());
        keys.put(c + "/model_version", text());
        keys.put(c + "/format", text());
        keys.put(c + "/vram_gb", number(0, GB));
        keys.put(c + "/job_vram_gb", number(0, GB));
        keys.put(c + "/expected_latency", positive());
        keys.put(c + "/load_time", duration());
        keys.put(c + "/quality", number(0, 1));
        keys.put(c + "/review_rate", number(0, 1));
        keys.put(c + "/cost_per_job", atLeast(0));
        keys.put(c + "/spans_gpus", flag());
        keys.put(c + "/endpoint", address());
        keys.put(c + "/why", text());
    }

    /** Keys that must be there, by the pointer of their map. */
    static final Map<String, List<String>> REQUIRED = Map.of(
            "", List.of("version", "substrates"),
            "/substrates/a", List.of("max_concurrent_jobs"),
            "/substrates/a/owner", List.of("background_util_pct", "cost_per_hour"),
            "/substrates/a/status/0", List.of("url"),
            "/substrates/b", List.of("kind"),
            "/workloads/w/route/0", List.of("on"),
            "/workloads/p/pin", List.of("on"),
            "/roles/r", List.of("identities"));

    /** A value that the schema cannot refuse, and why; the loader does. */
    record LoaderOnly(String pointer, String value, String why) {}

    /** What the loader refuses and the schema does not. */
    static final List<LoaderOnly> LOADER_ONLY = List.of(
            new LoaderOnly("/version", "1.0", "to a schema, 1.0 is a whole number"),
            new LoaderOnly("/queue/capacity", "4.0", "to a schema, 4.0 is a whole number"),
            new LoaderOnly("/health/max_gpu_util_pct", "1", "at most the margin"),
            new LoaderOnly("/health/max_gpu_temp_c", "1", "at most the margin"),
            new LoaderOnly("/health/gpu_util_margin_pct", "100", "at least the limit"),
            new LoaderOnly("/health/gpu_temp_margin_c", "100", "at least the limit"),
            new LoaderOnly("/health/stale_after", "\"1ms\"", "below 2 x poll.every"),
            new LoaderOnly("/substrates/a/health/max_gpu_util_pct", "1", "at most the margin of the top level"),
            new LoaderOnly("/ejection/faults_of_last/k", "64", "more than n"),
            new LoaderOnly("/ejection/faults_of_last/n", "1", "fewer than k"),
            new LoaderOnly("/ejection/window", "\"365000ms\"", "above max_window"),
            new LoaderOnly("/ejection/window", "\"0100s\"", "above max_window"),
            new LoaderOnly("/ejection/max_window", "\"1ms\"", "below window"),
            new LoaderOnly("/ejection/forget_after", "\"8761h\"", "more than 365 days, which a pattern cannot count"),
            new LoaderOnly("/poll/every", "\"8s\"", "half of stale_after is less"),
            new LoaderOnly("/substrates/a/vram_gb", "null!", "absent, though a workload declares VRAM"),
            new LoaderOnly("/substrates/a/keep_free_gb", "1048576", "more than vram_gb"),
            new LoaderOnly("/substrates/a/reserve_for_high", "1000000", "more than max_concurrent_jobs"),
            new LoaderOnly("/substrates/a/endpoint", "\"http://a_b/\"", "no host by the rules of addresses"),
            new LoaderOnly("/substrates/a/endpoint", "\"http://a/|\"", "a character that no address has"),
            new LoaderOnly("/substrates/a/accepts_roles", "[\"nobody\"]", "no such role"),
            new LoaderOnly("/workloads/w/route", "[\"a\", { \"on\": \"a\" }]", "the same candidate in two forms"),
            new LoaderOnly("/workloads/w/route/0/on", "\"z\"", "no such substrate"),
            new LoaderOnly("/workloads/w/route/0/vram_gb", "0", "less than job_vram_gb"),
            new LoaderOnly("/workloads/w/route/0/job_vram_gb", "1048576", "more than vram_gb"),
            new LoaderOnly("/workloads/p/pin/on", "\"z\"", "no such substrate"),
            new LoaderOnly("/workloads/p/pin/vram_gb", "0", "less than job_vram_gb"),
            new LoaderOnly("/workloads/p/pin/job_vram_gb", "1048576", "more than vram_gb"),
            new LoaderOnly("/roles/r/workloads", "[\"nothing\"]", "no such workload"));

    private StructuralTable() {}
}
