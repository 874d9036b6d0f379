package dev.substraterouter.simulate.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.RandomStream;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Schedule;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.Traffic;
import dev.substraterouter.simulate.replay.TraceReplay.Replay;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import dev.substraterouter.trace.jsonl.JsonLinesTraceSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a router has recorded comes again. */
class TraceReplayTest {
    private static final Instant BEGIN = Instant.parse("2026-03-01T08:00:00Z");

    @TempDir
    private Path directory;

    private static Policy policy() {
        return Policy.builder()
                .substrates(
                        Substrate.builder("a").maxConcurrentJobs(1).build(),
                        Substrate.builder("b").maxConcurrentJobs(1).build())
                .workloads(
                        Workload.builder("w")
                                .route(
                                        Candidate.on("a"),
                                        Candidate.builder("b")
                                                .expectedLatency(Duration.ofSeconds(9))
                                                .build())
                                .build(),
                        Workload.builder("v").route("a").build())
                .build();
    }

    private static RoutingTrace trace(String workload, double after, Attempt... attempts) {
        return trace(workload, after, Optional.empty(), Optional.empty(), attempts);
    }

    private static RoutingTrace trace(
            String workload, double after, Optional<String> identity, Optional<String> role, Attempt... attempts) {
        boolean named = !workload.startsWith("(");
        return new RoutingTrace(
                "r-" + after,
                workload,
                named
                        ? Optional.empty()
                        : Optional.of(Need.builder().capabilities("cuda").build()),
                identity,
                role,
                Priority.NORMAL,
                Map.of(),
                BEGIN.plusNanos((long) (after * 1e9)),
                1,
                List.of(attempts),
                List.of(),
                Optional.empty(),
                Duration.ZERO,
                false,
                false,
                true,
                Optional.empty());
    }

    private static Attempt attempt(String substrate, Outcome outcome, Duration latency) {
        return new Attempt(
                1,
                List.of(),
                substrate,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                PlacementMode.INTERACTIVE,
                ServingPath.PRIMARY,
                OptionalInt.empty(),
                Set.of(),
                1,
                Duration.ZERO,
                Optional.of(latency),
                OptionalDouble.empty(),
                outcome,
                Optional.empty());
    }

    private void write(RoutingTrace... traces) throws IOException {
        try (JsonLinesTraceSink sink = JsonLinesTraceSink.open(directory)) {
            for (RoutingTrace trace : traces) {
                sink.accept(trace);
            }
        }
    }

    private static List<Double> times(Scenario scenario) {
        List<Double> times = new ArrayList<>();
        ((Arrivals.Recorded) scenario.traffic().get(0).arrivals())
                .requests()
                .forEach(request -> times.add(request.after()));
        return times;
    }

    @Test
    void requestsComeInTheOrderOfTheirArrival() throws IOException {
        write(trace("w", 7), trace("w", 0), trace("v", 3.25), trace("w", 9.5));
        Scenario scenario = TraceReplay.read(directory).replay(policy()).scenario();
        assertThat(times(scenario)).containsExactly(0.0, 3.25, 7.0, 9.5);
        assertThat(times(scenario)).as("again").hasSize(4);
        assertThat(scenario.length()).isEqualTo(Duration.ofSeconds(10));
        assertThat(scenario.traffic().get(0).workloads())
                .containsExactly(new Traffic.Share("w", 3), new Traffic.Share("v", 1));
    }

    @Test
    void whoStandsTooFarBehindComesWithTheOldestHeld() throws IOException {
        write(trace("w", 7), trace("w", 8), trace("w", 9), trace("w", 0), trace("w", 10));
        TraceReplay replay = TraceReplay.builder(directory).held(1).read();
        assertThat(times(replay.replay(policy()).scenario())).containsExactly(7.0, 8.0, 8.0, 9.0, 10.0);
    }

    @Test
    void aPartOfTheTimeIsReplayed() throws IOException {
        write(trace("w", 0), trace("w", 60), trace("w", 70), trace("w", 200));
        TraceReplay part = TraceReplay.builder(directory)
                .from(BEGIN.plusSeconds(50))
                .length(Duration.ofMinutes(1))
                .seed(3)
                .read();
        assertThat(part.size()).isEqualTo(2);
        assertThat(part.from()).isEqualTo(BEGIN.plusSeconds(50));
        Scenario scenario = part.replay(policy()).scenario();
        assertThat(times(scenario)).containsExactly(10.0, 20.0);
        assertThat(scenario.seed()).isEqualTo(3);
        TraceReplay first =
                TraceReplay.builder(directory).length(Duration.ofSeconds(61)).read();
        assertThat(first.size()).isEqualTo(2);
        TraceReplay rest =
                TraceReplay.builder(directory).from(BEGIN.plusSeconds(65)).read();
        assertThat(rest.workloads()).containsEntry("w", 2L);
        assertThatThrownBy(() -> TraceReplay.builder(directory).length(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timesAreThoseOfSuccessesAndElseByRule() throws IOException {
        write(
                trace(
                        "w",
                        0,
                        attempt("b", Outcome.NODE_FAULT, Duration.ofSeconds(99)),
                        attempt("a", Outcome.SUCCEEDED, Duration.ofSeconds(4))),
                trace("w", 1, attempt("a", Outcome.SUCCEEDED, Duration.ofSeconds(2))),
                trace("w", 2, attempt("a", Outcome.SUCCEEDED, Duration.ZERO)),
                trace("v", 3),
                trace("(need)", 4),
                trace("gone", 5));
        TraceReplay traces = TraceReplay.read(directory);
        assertThat(traces.observed("w", "a")).contains(new ServiceTime.Empirical(List.of(2.0, 4.0)));
        assertThat(traces.observed("w", "b")).isEmpty();
        Replay replay = traces.replay(policy());
        assertThat(replay.scenario().nodes().get("b").serves())
                .containsEntry("w", ServiceTime.fixed(Duration.ofSeconds(9)));
        assertThat(replay.notes())
                .containsExactly(
                        "1 requests for a need without a workload left out",
                        "1 requests left out for workloads that the policy does not know: gone",
                        "1 works whose time is not kept: it is 0, or there are too many kinds",
                        "'v' was never done on 'a': not known how long it takes",
                        "'w' was never done on 'b': it takes as long as by the candidate's expected latency");
        Replay ruled =
                traces.replay(policy(), (workload, substrate) -> Optional.of(ServiceTime.fixed(Duration.ofSeconds(1))));
        assertThat(ruled.scenario().nodes().get("b").serves())
                .containsEntry("w", ServiceTime.fixed(Duration.ofSeconds(1)));
        assertThat(ruled.notes()).anyMatch(note -> note.endsWith("by the caller's rule"));
        assertThat(Simulation.of(policy(), ruled.scenario()).run().offered()).isEqualTo(4);
    }

    @Test
    void elsewhereIsTheLastResort() throws IOException {
        write(trace("v", 0, attempt("b", Outcome.SUCCEEDED, Duration.ofSeconds(4))));
        Replay replay = TraceReplay.read(directory).replay(policy());
        assertThat(replay.scenario().nodes().get("a").serves())
                .containsEntry("v", new ServiceTime.Empirical(List.of(4.0)));
        assertThat(replay.notes()).anyMatch(note -> note.endsWith("by the times it took elsewhere"));
    }

    @Test
    void identitiesCountWhereThereAreRoles() throws IOException {
        write(
                trace("w", 0, Optional.of("ops-1"), Optional.empty()),
                trace("w", 1, Optional.of("ops-2"), Optional.of("operator")),
                trace("w", 2, Optional.of("ops-3"), Optional.of("operator")));
        List<RequestClass> classes = TraceReplay.read(directory).classes();
        assertThat(classes).extracting(RequestClass::name).containsExactly("normal", "ops-2, normal", "ops-3, normal");
        assertThat(classes.get(1).request("w").identity()).contains("ops-2");
    }

    @Test
    void manyIdentitiesOfARoleAreCountedTogether() throws IOException {
        List<RoutingTrace> traces = new ArrayList<>();
        for (int at = 0; at < 210; at++) {
            traces.add(trace("w", at, Optional.of("agent-" + at), Optional.of("agent")));
        }
        write(traces.toArray(RoutingTrace[]::new));
        TraceReplay replay = TraceReplay.read(directory);
        assertThat(replay.classes()).hasSize(200);
        assertThat(replay.replay(policy()).notes())
                .contains("10 requests from one client too many are counted to others of their role");
    }

    @Test
    void nothingForThePolicyIsRefused() throws IOException {
        write(trace("gone", 0));
        TraceReplay replay = TraceReplay.read(directory);
        assertThatThrownBy(() -> replay.replay(policy())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ofManyTimesASampleIsKept() {
        Sampled sampled = new Sampled(RandomStream.of(1, 1));
        for (int at = 1; at <= 40_000; at++) {
            sampled.add(Duration.ofMillis(at));
        }
        assertThat(((ServiceTime.Empirical) sampled.time()).observed())
                .hasSize(Sampled.MOST)
                .doesNotHaveDuplicates();
        assertThat(sampled.time().meanSeconds()).isBetween(19.5, 20.5);
        assertThat(sampled.count()).isEqualTo(40_000);
    }

    @Test
    void aSimulatedDayComesAgain() throws IOException {
        Scenario original = Scenario.builder("original")
                .length(Duration.ofHours(2))
                .traffic(Traffic.builder(Arrivals.poisson(300))
                        .workload("w", 2)
                        .workload("v", 1)
                        .build())
                .work("w", ServiceTime.lognormal(Duration.ofSeconds(8), 0.3))
                .work("v", ServiceTime.lognormal(Duration.ofSeconds(5), 0.3))
                .build();
        SimulationReport was;
        try (JsonLinesTraceSink sink =
                JsonLinesTraceSink.builder(directory).forceEvery(100).open()) {
            was = Simulation.of(policy(), original)
                    .routerOptions(router -> router.traceSink(sink))
                    .run();
        }
        TraceReplay traces = TraceReplay.read(directory);
        assertThat(traces.size()).isEqualTo(was.offered());
        Replay replay = traces.replay(policy());
        assertThat(replay.notes()).isEmpty();
        SimulationReport again = Simulation.of(policy(), replay.scenario()).run();
        assertThat(again.offered()).isEqualTo(was.offered());
        assertThat(offered(again, "w")).isEqualTo(offered(was, "w"));
        assertThat(again.latency().mean())
                .isBetween(0.8 * was.latency().mean(), 1.25 * was.latency().mean());
        assertThat(Simulation.of(policy(), replay.scenario()).run().toString()).isEqualTo(again.toString());
        SimulationReport without = Simulation.of(
                        policy(),
                        replay.scenario().toBuilder()
                                .fault(Fault.of(Fault.Kind.CRASH, "b", Schedule.always()))
                                .build())
                .run();
        assertThat(without.node("b").orElseThrow().busySeconds()).isZero();
        assertThat(without.penalisedSeconds()).isGreaterThan(again.penalisedSeconds());
    }

    private static long offered(SimulationReport report, String workload) {
        return report.requests().stream()
                .filter(one -> one.workload().equals(workload))
                .mapToLong(SimulationReport.Requests::offered)
                .sum();
    }
}
