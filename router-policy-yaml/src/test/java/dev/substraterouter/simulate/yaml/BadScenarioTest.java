package dev.substraterouter.simulate.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.internal.yaml.Mutations;
import dev.substraterouter.policy.PolicyProblem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong with a file is told at its place, all of it, and without what only follows from it. */
class BadScenarioTest {
    /** Three lines; what a case adds begins in line 4. */
    private static final String GOOD =
            "version: 1\nname: x\n" + "traffic: [{ arrivals: { poisson: { per_hour: 9 } }, workloads: { w: 1 } }]\n";

    private static Arguments bad(String yaml, String place, String message) {
        return Arguments.of(GOOD + yaml, place, message);
    }

    private static Arguments traffic(String traffic, String place, String message) {
        return Arguments.of("version: 1\nname: x\ntraffic:\n" + traffic, place, message);
    }

    private static Arguments episode(String episode, String place, String message) {
        return bad("nodes:\n  n:\n    episodes:\n      e: " + episode, place, message);
    }

    static Stream<Arguments> oneProblem() {
        String e = "nodes.n.episodes.e";
        return Stream.of(
                // the file
                Arguments.of("", "1:1 empty ", "expected: a scenario, so version: 1, name and traffic"),
                Arguments.of("a: [", "1:5 syntax ", "no YAML"),
                Arguments.of("version: 2\nanything: 1", "1:10 version version", "version: 2 (expected: 1)"),
                Arguments.of("- 1", "1:1 wrong-type ", "the scenario: a list (expected: a map with version"),
                Arguments.of(GOOD.replace("name: x\n", ""), "1:1 missing name", "name: absent"),
                Arguments.of(GOOD.replace("name: x", "name: ''"), "2:7 out-of-range name", "at least one character"),
                bad("lenght: 5h", "4:1 unknown-key lenght", "did you mean length?"),
                bad("name: y", "4:1 duplicate name", "in line 2 and in line 4"),
                // values of the top
                bad("length: 0s", "4:9 out-of-range length", "above 0, at most 87600h"),
                bad("length: 87601h", "4:9 out-of-range length", "above 0"),
                bad("length: 5", "4:9 bad-duration length", "a duration such as"),
                bad("seed: 1.5", "4:7 wrong-type seed", "a whole number"),
                bad("seed: 99999999999999999999", "4:7 out-of-range seed", "64 bits"),
                bad("refusal_charge: -5s", "4:17 bad-duration refusal_charge", "'-5s'"),
                bad("give_up_after: 0s", "4:16 out-of-range give_up_after", "above 0"),
                bad("routers: 0", "4:10 out-of-range routers", "0 (expected: 1 to 1000)"),
                bad("poll: { loss: 1.5 }", "4:15 out-of-range poll.loss", "1.5 (expected: 0 to 1)"),
                bad("poll: { noise_pct: 101 }", "4:20 out-of-range poll.noise_pct", "0 to 100"),
                bad("poll: { evry: 5s }", "4:9 unknown-key poll.evry", "did you mean every?"),
                // traffic
                traffic("  []", "4:3 missing traffic", "an empty list"),
                traffic("  - { workloads: { w: 1 } }", "4:5 missing traffic[0].arrivals", "arrivals: absent"),
                traffic("  - { arrivals: { poisson: { per_hour: 9 } } }", "4:5 missing traffic[0].workloads", "absent"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 0 } }, workloads: { w: 1 } }",
                        "4:40 out-of-range traffic[0].arrivals.poisson.per_hour",
                        "above 0"),
                traffic(
                        "  - { arrivals: {}, workloads: { w: 1 } }",
                        "4:17 conflict traffic[0].arrivals",
                        "nothing (expected: one of poisson, bursts, recorded, traces)"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 1 }, bursts: { per_hour: 1 } }, workloads: { w: 1 } }",
                        "4:17 conflict traffic[0].arrivals",
                        "poisson and bursts"),
                traffic(
                        "  - { arrivals: { bursts: { per_hour: 9, on_factor: 0, off_factor: 0 } }, workloads: { w: 1 } }",
                        "4:27 out-of-range traffic[0].arrivals.bursts",
                        "come to 0.0 times in the mean (expected: 1;"),
                traffic(
                        "  - { arrivals: { bursts: { per_hour: 9, groups: { share: 2, size: 4 } } }, workloads: { w: 1 } }",
                        "4:59 out-of-range traffic[0].arrivals.bursts.groups.share",
                        "0 to 1"),
                traffic(
                        "  - { arrivals: { recorded: a.jsonl }, workloads: { w: 1 } }",
                        "4:29 no-folder traffic[0].arrivals.recorded",
                        "does not come from one itself"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 9 } }, workloads: {} }",
                        "4:58 missing traffic[0].workloads",
                        "an empty map"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 9 } }, workloads: { w: 0 } }",
                        "4:63 out-of-range traffic[0].workloads.w",
                        "above 0"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 9 } }, workloads: { '': 1 } }",
                        "4:60 bad-name traffic[0].workloads.",
                        "an empty name"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 9 } }, workloads: { w: 1 }, classes: { c: { priority: urgent } } }",
                        "4:94 unknown-word traffic[0].classes.c.priority",
                        "'urgent' (expected: one of"),
                traffic(
                        "  - { arrivals: { poisson: { per_hour: 9 } }, workloads: { w: 1 }, classes: { c: { patience: 0s } } }",
                        "4:94 out-of-range traffic[0].classes.c.patience",
                        "above 0"),
                // service times
                bad("work: {}", "4:7 missing work", "an empty map"),
                bad("work: { w: 0s }", "4:12 out-of-range work.w", "above 0"),
                bad(
                        "work: { w: { sigma: 1 } }",
                        "4:12 conflict work.w",
                        "nothing (expected: one of takes, observed, observed_file)"),
                bad("work: { w: { takes: 5s, sigma: 6 } }", "4:32 out-of-range work.w.sigma", "0 to 5"),
                bad(
                        "work: { w: { takes: 5s, sigma: 1, distribution: exponential } }",
                        "4:32 conflict work.w.sigma",
                        "only with distribution: lognormal"),
                bad("work: { w: { takes: 5s, distribution: lognormal } }", "4:9 missing work.w.sigma", "sigma: absent"),
                bad(
                        "work: { w: { takes: 5s, distribution: gamma } }",
                        "4:39 unknown-word work.w.distribution",
                        "one of fixed, lognormal, exponential"),
                bad("work: { w: { observed: [5s], sigma: 1 } }", "4:37 conflict work.w.sigma", "only beside takes"),
                bad("work: { w: { observed: [] } }", "4:24 out-of-range work.w.observed", "at least one time"),
                bad("work: { w: { observed: [5s, 0s] } }", "4:29 out-of-range work.w.observed[1]", "above 0"),
                bad("work: { w: { observed_file: t.txt } }", "4:29 no-folder work.w.observed_file", "no file"),
                // nodes
                bad("nodes: { n: { slots: 0 } }", "4:22 out-of-range nodes.n.slots", "1 to 10000"),
                bad("nodes: { n: { speed: 0 } }", "4:22 out-of-range nodes.n.speed", "1.0E-6 to 1000000"),
                bad(
                        "nodes: { n: { overload: panic } }",
                        "4:25 unknown-word nodes.n.overload",
                        "one of share, queue, refuse"),
                bad("nodes: { n: { models: { resident: 1 } } }", "4:15 missing nodes.n.models.load_time", "absent"),
                bad(
                        "nodes: { n: { models: { resident: 0, load_time: 1s } } }",
                        "4:35 out-of-range nodes.n.models.resident",
                        "1 to"),
                bad("nodes: { n: { serves: { w: never } } }", "4:28 bad-duration nodes.n.serves.w", "'never'"),
                bad("nodes: { n: { base_temp_c: 300 } }", "4:28 out-of-range nodes.n.base_temp_c", "-50 to 200"),
                bad(
                        "nodes: { n: { episodes: { " + elevenEpisodes() + " } } }",
                        "4:25 out-of-range nodes.n.episodes",
                        "at most 10"),
                // times
                episode(
                        "{ util_pct: 5 }",
                        "7:10 conflict " + e,
                        "no time (expected: one of on and off, from and for, at, always)"),
                episode("{ on: 5s }", "7:7 missing " + e + ".off", "off: absent"),
                episode("{ for: 5s }", "7:7 missing " + e + ".from", "from: absent"),
                episode("{ on: 5s, off: 5s, always: true }", "7:10 conflict " + e, "on and off beside always"),
                episode("{ always: false }", "7:20 out-of-range " + e + ".always", "true, or no such key"),
                episode("{ at: [] }", "7:16 missing " + e + ".at", "an empty list"),
                episode(
                        "{ at: [{ from: 5s, for: 5s }, { from: 9s, for: 1s }] }",
                        "7:48 out-of-order " + e + ".at[1].from",
                        "before the end"),
                episode("{ at: [{ from: 5s }] }", "7:17 missing " + e + ".at[0].for", "absent"),
                episode("{ frm: 5s, for: 5s }", "7:12 unknown-key " + e + ".frm", "did you mean from?"),
                episode("{ always: true, speed: 2 }", "7:33 out-of-range " + e + ".speed", "to 1"),
                episode("{ always: true, stream: 10 }", "7:34 out-of-range " + e + ".stream", "0 to 9"),
                // faults
                bad(
                        "faults: [{ from: 1h, for: 1m }]",
                        "4:10 conflict faults[0]",
                        "nothing (expected: one of crash, hang, slow, lying_status, partition)"),
                bad("faults: [{ crash: a, hang: b, from: 1h, for: 1m }]", "4:10 conflict faults[0]", "crash and hang"),
                bad("faults: [{ crash: a }]", "4:10 conflict faults[0]", "no time"),
                bad("faults: [{ slow: a, from: 1h, for: 1m }]", "4:10 missing faults[0].factor", "factor: absent"),
                bad(
                        "faults: [{ crash: a, from: 1h, for: 1m, factor: 0.5 }]",
                        "4:49 conflict faults[0].factor",
                        "only of slow"),
                bad(
                        "faults: [{ crash: a, from: 1h, for: 1m, router: 0 }]",
                        "4:49 conflict faults[0].router",
                        "only of partition"),
                bad(
                        "faults: [{ partition: a, from: 1h, for: 1m, router: 1 }]",
                        "4:53 out-of-range faults[0].router",
                        "below routers, which is 1"));
    }

    private static String elevenEpisodes() {
        StringBuilder all = new StringBuilder();
        for (int at = 0; at < 11; at++) {
            all.append(at == 0 ? "" : ", ").append('e').append(at).append(": { always: true }");
        }
        return all.toString();
    }

    @ParameterizedTest
    @MethodSource
    void oneProblem(String yaml, String place, String message) {
        List<PolicyProblem> problems = problems(yaml);
        assertThat(problems).hasSize(1);
        assertThat(Mutations.placed(problems.get(0))).isEqualTo(place);
        assertThat(problems.get(0).message()).contains(message);
    }

    @Test
    void allProblemsAreToldAtOnce() {
        assertThat(problems("""
                version: 1
                traffic: [{ arrivals: { poisson: { per_hour: x } }, workloads: { w: -1 } }]
                seed: one
                nodes: { n: { slots: 0, episodes: { e: { speed: 2 } } } }
                faults: [{ crash: 5 }]
                """))
                .extracting(Mutations::placed)
                .containsExactly(
                        "1:1 missing name",
                        "2:46 wrong-type traffic[0].arrivals.poisson.per_hour",
                        "2:69 out-of-range traffic[0].workloads.w",
                        "3:7 wrong-type seed",
                        "4:22 out-of-range nodes.n.slots",
                        "4:49 out-of-range nodes.n.episodes.e.speed",
                        "5:19 wrong-type faults[0].crash");
    }

    private static List<PolicyProblem> problems(String yaml) {
        return catchThrowableOfType(ScenarioException.class, () -> YamlScenario.parse(yaml))
                .problems();
    }
}
