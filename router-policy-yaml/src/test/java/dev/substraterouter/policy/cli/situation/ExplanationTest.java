package dev.substraterouter.policy.cli.situation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.substraterouter.RankedCandidate;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private static final Policy POLICY = YamlPolicy.parse("""
            version: 1
            substrates:
              forge: { vram_gb: 64, gpus: 2, max_concurrent_jobs: 2 }
              legion: { vram_gb: 32, max_concurrent_jobs: 1, reserve_for_high: 0 }
              archive: { kind: batch }
            workloads:
              fill: { vram_gb: 24, route: [legion, forge] }
              fast: { vram_gb: 8, strategy: earliest-finish,
                      route: [ { on: forge, expected_latency: 40s }, { on: legion, expected_latency: 15s } ] }
              later: { vram_gb: 8, route: [forge, legion], batch: archive }
              upscale: { pin: forge }
              any: { vram_gb: 24 }
            """);

    private static final List<String> WORDS = List.of(
            "idle",
            "busy",
            "loaded",
            "hot",
            "full",
            "silent",
            "stale",
            "cordoned",
            "ejected",
            "util:69,temp:79",
            "free:24");

    /** What is recommended first is what happens, in every pair of conditions, and who could be placed nowhere waits. */
    @Test
    void whatHappensIsWhatIsRecommended() {
        for (String forge : WORDS) {
            for (String legion : WORDS) {
                for (String workload :
                        POLICY.workloads().stream().map(any -> any.name()).toList()) {
                    Map<String, String> said = Map.of("forge", forge, "legion", legion);
                    try (Situation situation = Situation.of(POLICY, said)) {
                        agree(Explanation.of(situation, RouteRequest.workload(workload)), workload + " " + said);
                    }
                }
            }
        }
    }

    private static void agree(Explanation explanation, String what) {
        Optional<String> best = explanation.candidates().stream()
                .filter(RankedCandidate::admissible)
                .map(RankedCandidate::substrateId)
                .findFirst();
        assertThat(explanation.never()).as(what).isEmpty();
        if (best.isPresent() && explanation.ending() instanceof Ending.Waits) {
            assertThat(what).startsWith("fast "); // by choice: another is expected to finish earlier
        } else if (best.isPresent()) {
            assertThat(explanation.ending()).as(what).isInstanceOfSatisfying(Ending.Placed.class, placed -> assertThat(
                            placed.substrateId())
                    .isEqualTo(best.get()));
        } else {
            assertThat(explanation.ending()).as(what).isInstanceOf(Ending.Waits.class);
        }
    }

    @Test
    void aSituationOfAnUnknownSubstrateIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Situation.of(POLICY, Map.of("legon", "busy")))
                .withMessage("no substrate 'legon' in the policy (expected: one of forge, legion, archive)");
    }

    @Test
    void theHelpNamesTheWords() {
        assertThat(Situation.words()).contains("busy", "util", "attribute.NAME");
    }
}
