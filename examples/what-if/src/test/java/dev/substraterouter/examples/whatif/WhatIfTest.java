package dev.substraterouter.examples.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.Traffic;
import dev.substraterouter.trace.jsonl.JsonLinesTraceSink;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WhatIfTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Scenario scenario =
            Made.scenario().toBuilder().length(Duration.ofMinutes(20)).build();
    private String policy = "";

    @BeforeEach
    void writePolicy() throws IOException {
        policy = Files.writeString(directory.resolve("policy.yaml"), YamlPolicy.write(Made.policy()))
                .toString();
    }

    @Test
    void tellsTheAnswer() {
        assertThat(run(policy, "scenario.yaml", "--seeds", "2", "--contenders", "refuser"))
                .isZero();

        assertThat(out.toString())
                .startsWith("a busy hour <test> at load 1 (")
                .contains("  router ", "  pin ", "  matching ", "  refuser ", "capacity 16")
                .contains("By how much", "At whose cost", "Which feature pays for it", "Which settings suit");
    }

    @Test
    void theFilesOfTheReadmeAreUsed() {
        Path resources = Path.of("src", "main", "resources");
        assertThat(standard(
                        resources.resolve("policy.yaml").toString(),
                        resources.resolve("scenario.yaml").toString(),
                        "--seeds=1",
                        "--no-sweep",
                        "--contenders=naive,gated"))
                .isZero();

        assertThat(out.toString())
                .startsWith("two unequal machines at load 1 (")
                .contains("  naive ", "  pin, gated ", "  clairvoyant schedule ", "  lower bound ", "regret x");
    }

    @Test
    void aBadScenarioFileIsToldWithPlaces() throws IOException {
        Path file = Files.writeString(directory.resolve("scenario.yaml"), "version: 1\nname: x\ntrafic: []\n");
        assertThat(standard(policy, file.toString())).isEqualTo(1);

        assertThat(err.toString()).contains(file.toString()).contains("3:1 trafic");
    }

    @Test
    void writesPageAndJson() throws IOException {
        Path html = directory.resolve("report.html");
        Path json = directory.resolve("report.json");

        assertThat(run(
                        policy,
                        "scenario.yaml",
                        "--seeds=2",
                        "--no-sweep",
                        "--loads=0.5,1",
                        "--html=" + html,
                        "--json=" + json))
                .isZero();

        assertThat(html).content().startsWith("<!DOCTYPE html>").contains("</html>");
        assertThat(JsonMapper.shared()
                        .readTree(Files.readString(json))
                        .get("loads")
                        .size())
                .isEqualTo(2);
        assertThat(out.toString())
                .contains("at load 0.5 (", "From which traffic on")
                .doesNotContain("capacity 16");
        assertThat(err.toString()).contains("Report: " + html);
    }

    @Test
    void jsonOnStandardOutputStandsAlone() {
        assertThat(run(policy, "scenario.yaml", "--seeds=1", "--no-sweep", "--json=-", "--first-seed=9"))
                .isZero();

        assertThat(JsonMapper.shared().readTree(out.toString()).get("seeds").intValue())
                .isEqualTo(1);
    }

    @Test
    void aBadPolicyIsToldWithPlaces() throws IOException {
        Files.writeString(Path.of(policy), "version: 1\nqueue: { capacity: -1, oder: arrival }\n");

        assertThat(run(policy, "scenario.yaml")).isEqualTo(1);

        assertThat(err.toString()).contains(policy).contains("2:20 queue.capacity: capacity: -1", "2:24 queue.oder: ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void missingFilesAreTold() {
        assertThat(run("nowhere.yaml", "scenario.yaml")).isEqualTo(1);
        assertThat(err.toString()).contains("nowhere.yaml: there is no such file");
    }

    @Test
    void aBadScenarioIsTold() {
        assertThat(run(policy, "bad.yaml")).isEqualTo(1);
        assertThat(err.toString()).contains("bad.yaml has 1 problem: line 3");
    }

    @Test
    void aScenarioThatDoesNotSuitThePolicyIsTold() {
        scenario = Scenario.builder("other")
                .traffic(Traffic.builder(Arrivals.poisson(10))
                        .workload("unheard-of", 1)
                        .build())
                .build();

        assertThat(run(policy, "scenario.yaml")).isEqualTo(1);
        assertThat(err.toString()).contains("unheard-of").contains("flux-dev");
    }

    @Test
    void tracesAreReplayedAndTheirNotesTold() {
        assertThat(run(policy, "--traces", "traces.jsonl", "--seeds=1", "--no-sweep"))
                .isZero();

        assertThat(out.toString()).startsWith("Note: 3 requests were left out\na busy hour <test> at load 1");
    }

    @Test
    void machinesThatOnlyOneFileKnowsAreTold() {
        scenario =
                scenario.toBuilder().node(NodeModel.builder("legoin").build()).build();

        assertThat(run(policy, "scenario.yaml", "--seeds=1", "--no-sweep", "--clairvoyant=0"))
                .isZero();

        assertThat(out.toString())
                .startsWith(
                        "Note: The scenario's legoin plays no part: the policy has no such machine, only [mirrorforge,"
                                + " legion].\n");
    }

    @Test
    void aMachineThatIsDownServesNothingAndHasNoBounds() {
        assertThat(run(policy, "scenario.yaml", "--without=legion", "--seeds=1", "--no-sweep", "--json=-"))
                .isZero();

        JsonNode root = JsonMapper.shared().readTree(out.toString());
        assertThat(root.get("notes").valueStream().map(JsonNode::stringValue))
                .containsExactly(
                        "legion is down throughout.",
                        "The clairvoyant schedule and the lower bound are left out: they know nothing of faults.");
        assertThat(root.at("/loads/0/bounds").isMissingNode()).isTrue();
        assertThat(root.at("/loads/0/figures/router/owner_seconds/mean").doubleValue())
                .isZero();
    }

    @Test
    void tracesThatARouterWroteAreReplayed() throws IOException {
        Path traces = directory.resolve("traces");
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(traces)) {
            Simulation.of(Made.policy(), scenario)
                    .routerOptions(options -> options.traceSink(sink))
                    .run();
        }
        Path third = Files.writeString(
                directory.resolve("third.yaml"),
                Files.readString(Path.of(policy))
                        .replaceFirst(
                                "(?m)^substrates:", "substrates:\n  third: { vram_gb: 32, max_concurrent_jobs: 2 }"));

        assertThat(standard(policy, "--traces", traces.toString(), "--seeds=1", "--no-sweep", "--contenders=naive"))
                .isZero();
        assertThat(standard(
                        policy,
                        "--traces",
                        traces.toString(),
                        "--seeds=1",
                        "--no-sweep",
                        "--contenders=naive",
                        "--without=legion"))
                .isZero();
        assertThat(standard(
                        third.toString(),
                        "--traces",
                        traces.toString(),
                        "--seeds=1",
                        "--no-sweep",
                        "--contenders=naive"))
                .isZero();

        assertThat(out.toString())
                .startsWith("replay at load 1 (")
                .contains("  clairvoyant schedule ", "Note: legion is down throughout.\n");
    }

    private int standard(String... arguments) {
        CommandLine command = WhatIf.commandLine(new StandardInputs());
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void wrongCallsEndWithTwo() {
        assertThat(List.of(
                        run(),
                        run(policy),
                        run(policy, "scenario.yaml", "--traces=t"),
                        run(policy, "scenario.yaml", "--seeds=0"),
                        run(policy, "scenario.yaml", "--seeds=many"),
                        run(policy, "scenario.yaml", "--loads=1,1"),
                        run(policy, "scenario.yaml", "--loads=-1"),
                        run(policy, "--traces=t", "--loads=2"),
                        run(policy, "scenario.yaml", "--threshold=200"),
                        run(policy, "scenario.yaml", "--clairvoyant=-1"),
                        run(policy, "scenario.yaml", "--html=nowhere/report.html"),
                        run(policy, "scenario.yaml", "--without=unheard-of"),
                        run(policy, "scenario.yaml", "--contenders=nobody"),
                        run(policy, "scenario.yaml", "--unheard-of")))
                .containsOnly(2);
        assertThat(err.toString())
                .contains("--seeds: 0 (expected: 1 or more)")
                .contains("--without: 'unheard-of' (expected: one of [mirrorforge, legion])")
                .contains("--contenders: 'nobody' (expected: a part of one of [refuser])")
                .contains("Usage: what-if POLICY SCENARIO");
    }

    @Test
    void listsContenders() {
        assertThat(run(policy, "--list-contenders")).isZero();

        assertThat(out.toString())
                .startsWith("router: ")
                .contains("pin: ", "matching: ", "refuser: refuses everything");
    }

    private int run(String... arguments) {
        CommandLine command = WhatIf.commandLine(new Fixed());
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    private final class Fixed implements Inputs {
        @Override
        public Scenario scenario(Path file) {
            if (file.toString().startsWith("bad")) {
                throw new BadInputException(file + " has 1 problem: line 3");
            }
            return scenario;
        }

        @Override
        public Replayed traces(Path file, Policy unused) {
            return new Replayed(scenario, List.of("3 requests were left out"));
        }

        @Override
        public List<Entrant> others(Policy known) {
            return List.of(Entrant.other("refuser", "refuses everything", known, Refuser::new));
        }
    }
}
