package dev.substraterouter.simulate.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.Episode;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Overload;
import dev.substraterouter.simulate.Polling;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Schedule;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.Traffic;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file says what it says. */
class YamlScenarioTest {
    private static final Path EVERYTHING =
            Path.of("src", "test", "resources", "dev", "substraterouter", "simulate", "yaml", "everything.yaml");
    private static final String SMALLEST = """
            version: 1
            name: small
            traffic: [ { arrivals: { poisson: { per_hour: 90 } }, workloads: { sdxl: 1 } } ]
            """;

    @TempDir
    private Path directory;

    @Test
    void everythingIsRead() throws IOException {
        Scenario scenario = YamlScenario.load(EVERYTHING);
        assertThat(scenario.name()).isEqualTo("two unequal nodes, all that can be said");
        assertThat(scenario.length()).isEqualTo(Duration.ofHours(2));
        assertThat(scenario.seed()).isEqualTo(7);
        assertThat(scenario.refusalCharge()).isEqualTo(Duration.ofSeconds(300));
        assertThat(scenario.giveUpAfter()).contains(Duration.ofMinutes(10));
        assertThat(scenario.routers()).isEqualTo(2);
        assertThat(scenario.polling()).isEqualTo(new Polling(Duration.ofSeconds(5), Duration.ofMillis(200), 5, 0.01));
        assertThat(scenario.work())
                .containsEntry("flux-dev", ServiceTime.lognormal(Duration.ofSeconds(40), 0.1))
                .containsEntry("flux-fill", ServiceTime.exponential(Duration.ofSeconds(120)))
                .containsEntry("sdxl", new ServiceTime.Empirical(List.of(6.8, 7.0, 7.2, 7.2)));
    }

    @Test
    void trafficIsRead() throws IOException {
        List<Traffic> traffic = YamlScenario.load(EVERYTHING).traffic();
        assertThat(traffic.get(0).arrivals()).isEqualTo(Arrivals.poisson(120));
        assertThat(traffic.get(0).workloads())
                .containsExactly(
                        new Traffic.Share("flux-dev", 0.40),
                        new Traffic.Share("flux-fill", 0.15),
                        new Traffic.Share("sdxl", 0.45));
        RequestClass interactive = traffic.get(0).classes().get(1);
        assertThat(interactive.name()).isEqualTo("interactive");
        assertThat(interactive.patience()).contains(Duration.ofMinutes(5));
        assertThat(interactive.request("sdxl").identity()).contains("ops-1");
        assertThat(traffic.get(0).classes().get(0).interactive()).isFalse();
        assertThat(traffic.get(0).classes().get(0).request("sdxl").priority()).contains(Priority.LOW);
        assertThat(traffic.get(1).arrivals())
                .isEqualTo(Arrivals.bursts(60).groups(0.2, 4).build());
        assertThat(traffic.get(2).workloads())
                .containsExactly(new Traffic.Share("sdxl", 1), new Traffic.Share("flux-dev", 1));
        assertThat(((Arrivals.Recorded) traffic.get(2).arrivals()).requests())
                .extracting(Arrivals.Recorded.Request::after)
                .containsExactly(0.0, 60.5, 61.0);
        assertThat(traffic.get(2).classes()).extracting(RequestClass::name).containsExactly("nightly");
    }

    @Test
    void nodesAndFaultsAreRead() throws IOException {
        Scenario scenario = YamlScenario.load(EVERYTHING);
        NodeModel legion = scenario.nodes().get("legion");
        assertThat(legion.slots()).isEqualTo(OptionalInt.of(1));
        assertThat(legion.vramGb()).isEqualTo(OptionalDouble.of(32));
        assertThat(legion.speed()).isEqualTo(3);
        assertThat(legion.overload()).isEqualTo(Overload.SHARE);
        assertThat(legion.serves())
                .containsEntry("flux-fill", ServiceTime.fixed(Duration.ofSeconds(40)))
                .containsEntry("sdxl", new ServiceTime.Empirical(List.of(2.0, 2.5, 3.0)));
        assertThat(legion.episodes())
                .extracting(Episode::name)
                .containsExactly("training", "night", "meetings", "desktop");
        assertThat(legion.episodes())
                .extracting(Episode::schedule)
                .containsExactly(
                        Schedule.alternating(Duration.ofSeconds(480), Duration.ofSeconds(1800)),
                        Schedule.once(Duration.ofHours(1), Duration.ofMinutes(30)),
                        Schedule.at(List.of(new Schedule.Span(600, 300), new Schedule.Span(1200, 600))),
                        Schedule.always());
        NodeModel mirrorforge = scenario.nodes().get("mirrorforge");
        assertThat(mirrorforge.residentModels()).isEqualTo(2);
        assertThat(mirrorforge.loadTime()).isEqualTo(Duration.ofSeconds(15));
        assertThat(mirrorforge.utilPerJobPct()).isEqualTo(OptionalDouble.of(47.5));
        assertThat(mirrorforge.episodes().get(0).tempC()).isEqualTo(OptionalDouble.of(84));
        assertThat(scenario.faults()).extracting(Fault::kind).containsExactly(Fault.Kind.values());
        assertThat(scenario.faults().get(2).factor()).isEqualTo(0.5);
        assertThat(scenario.faults().get(4).router()).isEqualTo(OptionalInt.of(1));
    }

    @Test
    void whatIsReadRuns() throws IOException {
        Policy policy = Policy.builder()
                .substrates(
                        Substrate.builder("mirrorforge")
                                .vramGb(64)
                                .gpus(2)
                                .maxConcurrentJobs(2)
                                .build(),
                        Substrate.builder("legion")
                                .vramGb(32)
                                .maxConcurrentJobs(1)
                                .build())
                .workloads(
                        Workload.builder("flux-dev")
                                .vramGb(14)
                                .route("mirrorforge", "legion")
                                .build(),
                        Workload.builder("flux-fill")
                                .vramGb(14)
                                .route("legion", "mirrorforge")
                                .build(),
                        Workload.builder("sdxl")
                                .vramGb(8)
                                .route("mirrorforge", "legion")
                                .build())
                .build();
        SimulationReport report =
                Simulation.of(policy, YamlScenario.load(EVERYTHING)).run();
        assertThat(report.offered()).isBetween(250L, 500L);
        assertThat(report.served() + report.lost()).isEqualTo(report.offered());
    }

    @Test
    void theSmallestHasTheDefaults() throws IOException {
        Scenario scenario = YamlScenario.load(new ByteArrayInputStream(SMALLEST.getBytes(StandardCharsets.UTF_8)));
        assertThat(scenario.length()).isEqualTo(Duration.ofHours(6));
        assertThat(scenario.polling()).isEqualTo(Polling.EXACT);
        assertThat(scenario.traffic().get(0).classes())
                .extracting(RequestClass::name)
                .containsExactly("all");
        assertThat(scenario.nodes()).isEmpty();
    }

    @Test
    void aFileIsNamed() throws IOException {
        Path absent = directory.resolve("absent.yaml");
        assertThatThrownBy(() -> YamlScenario.load(absent)).isInstanceOf(NoSuchFileException.class);
        Path bad = Files.writeString(directory.resolve("bad.yaml"), SMALLEST + "lenght: 2h\n");
        assertThatThrownBy(() -> YamlScenario.load(bad))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(bad
                        + " has 1 problem:\n  4:1 lenght: 'lenght': unknown key (did you mean length?) [unknown-key]");
    }

    @Test
    void badFilesBesideItAreToldByLine() throws IOException {
        Files.writeString(directory.resolve("r.jsonl"), """
                {"after_seconds": 5, "workload": "sdxl"}
                {"after_seconds": 4, "workload": "sdxl"}
                {"ts": "yesterday"}
                """);
        Files.writeString(
                directory.resolve("named.jsonl"),
                "{\"ts\": \"2026-01-01T00:00:00Z\", \"workload\": \"flux\", \"class\": \"x\"}\n");
        Files.writeString(directory.resolve("t.txt"), "7s\n-1\n0\n");
        Files.writeString(directory.resolve("empty"), "");
        Path scenario = Files.writeString(directory.resolve("s.yaml"), """
                version: 1
                name: files
                traffic:
                  - arrivals: { recorded: r.jsonl }
                  - { arrivals: { recorded: named.jsonl }, workloads: { sdxl: 1 }, classes: { y: {} } }
                  - { arrivals: { recorded: empty }, workloads: { sdxl: 1 } }
                  - { arrivals: { recorded: absent }, workloads: { sdxl: 1 } }
                  - { arrivals: { traces: empty } }
                work: { sdxl: { observed_file: t.txt }, flux: { observed_file: empty } }
                """);
        ScenarioException failure = catchThrowableOfType(ScenarioException.class, () -> YamlScenario.load(scenario));
        assertThat(failure.problems())
                .extracting(problem -> problem.line() + " " + problem.code() + " " + problem.path())
                .containsExactly(
                        "4 bad-record traffic[0].arrivals.recorded",
                        "4 bad-record traffic[0].arrivals.recorded",
                        "5 unknown-workload traffic[1].arrivals.recorded",
                        "5 unknown-class traffic[1].arrivals.recorded",
                        "6 bad-record traffic[2].arrivals.recorded",
                        "7 unreadable traffic[3].arrivals.recorded",
                        "8 bad-record traffic[4].arrivals.traces",
                        "9 bad-record work.sdxl.observed_file",
                        "9 bad-record work.sdxl.observed_file",
                        "9 bad-record work.flux.observed_file");
        assertThat(failure)
                .hasMessageContaining("line 2: earlier than the line before")
                .hasMessageContaining("line 3");
    }

    @Test
    void theExampleOfTheDocumentationIsOne() {
        assertThat(YamlScenario.parse("""
                version: 1
                name: two nodes on a quiet evening
                traffic: [ { arrivals: { poisson: { per_hour: 90 } }, workloads: { sdxl: 1 } } ]
                work: { sdxl: { takes: 7s, sigma: 0.1 } }
                nodes: { legion: { speed: 3, episodes: { training: { from: 2h, for: 30m, util_pct: 95, speed: 0.4 } } } }
                """).nodes()).containsKey("legion");
    }
}
