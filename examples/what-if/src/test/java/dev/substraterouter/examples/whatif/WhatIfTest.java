package dev.substraterouter.examples.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.Contender;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.SimulatedRequest;
import dev.substraterouter.simulate.Traffic;
import dev.substraterouter.simulate.World;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

class WhatIfTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Scenario scenario = Made.scenario();
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
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theFilesOfTheReadmeAreUsed() throws Exception {
        Path resources = Path.of("src", "main", "resources");
        CommandLine command = WhatIf.commandLine(new StandardInputs());
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));

        assertThat(command.execute(
                        resources.resolve("policy.yaml").toString(),
                        resources.resolve("scenario.yaml").toString(),
                        "--seeds=1",
                        "--no-sweep",
                        "--contenders=naive,gated"))
                .isZero();

        assertThat(out.toString())
                .startsWith("two unequal machines at load 1 (")
                .contains("  naive ", "  pin, gated ");
    }

    @Test
    void aBadScenarioFileIsToldWithPlaces() throws IOException {
        Path file = Files.writeString(directory.resolve("scenario.yaml"), "version: 1\nname: x\ntrafic: []\n");
        CommandLine command = WhatIf.commandLine(new StandardInputs());
        command.setErr(new PrintWriter(err, true));

        assertThat(command.execute(policy, file.toString())).isEqualTo(1);

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

        assertThat(err.toString()).contains("3 requests were left out");
        assertThat(out.toString()).startsWith("a busy hour <test> at load 1");
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
                        run(policy, "scenario.yaml", "--contenders=nobody"),
                        run(policy, "scenario.yaml", "--unheard-of")))
                .containsOnly(2);
        assertThat(err.toString())
                .contains("--seeds: 0 (expected: 1 or more)")
                .contains("--contenders: 'nobody' (expected: a part of one of [refuser])")
                .contains("Usage: what-if");
    }

    @Test
    void listsContenders() {
        assertThat(run(policy, "--list-contenders")).isZero();

        assertThat(out.toString())
                .startsWith("router: ")
                .contains("pin: ", "matching: ", "refuser: refuses everything");
    }

    @Test
    void progressIsToldAtMostEveryThreeSeconds() {
        long[] now = {0};
        ProgressLines lines = new ProgressLines(new PrintWriter(err), () -> now[0]);
        Entrant entrant = Entrant.router("router", "", Made.policy());
        Stream.of(1, 2, 3, 4, 7).forEach(second -> {
            now[0] = second * 1_000_000_000L;
            lines.at(entrant, 1, second, second / 10.0);
        });

        assertThat(err.toString().lines())
                .containsExactly(" 30 %  router, load 1, seed 3", " 70 %  router, load 1, seed 7");
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

    private static final class Refuser implements Contender {
        private World world;

        @Override
        public String name() {
            return "refuser";
        }

        @Override
        public void begin(World begun) {
            world = begun;
        }

        @Override
        public void arrived(SimulatedRequest request) {
            world.refused(request, "NO");
        }

        @Override
        public void hungUp(SimulatedRequest request) {}

        @Override
        public int waiting() {
            return 0;
        }
    }
}
