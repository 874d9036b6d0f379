package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of the router itself: repeatable, on the same traffic whatever the policy, and bounded. */
class SimulationTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    private static Policy policy(String... route) {
        return Policy.builder()
                .substrates(
                        Substrate.builder("fast")
                                .maxConcurrentJobs(1)
                                .vramGb(32)
                                .build(),
                        Substrate.builder("slow")
                                .maxConcurrentJobs(2)
                                .vramGb(64)
                                .build())
                .workloads(Workload.builder("work")
                        .vramGb(14)
                        .deadline(Duration.ofSeconds(30))
                        .route(route)
                        .build())
                .build();
    }

    private static Scenario.Builder scenario() {
        return Scenario.builder("test")
                .length(Duration.ofHours(2))
                .traffic(Traffic.builder(Arrivals.bursts(400).groups(0.2, 3).build())
                        .workload("work", 1)
                        .requestClass(
                                RequestClass.builder("hasty", 1).patience(TEN).build())
                        .requestClass(RequestClass.builder("patient", 3).build())
                        .build())
                .work("work", ServiceTime.lognormal(TEN, 0.5))
                .node(NodeModel.builder("fast")
                        .speed(3)
                        .episode(Episode.builder(
                                        "training", Schedule.alternating(Duration.ofMinutes(4), Duration.ofMinutes(20)))
                                .utilPct(95)
                                .vramGb(20)
                                .speed(0.4)
                                .unavailable(true)
                                .build())
                        .build())
                .polling(new Polling(Duration.ZERO, Duration.ofMillis(300), 5, 0.05))
                .fault(Fault.of(
                        Fault.Kind.CRASH, "slow", Schedule.alternating(Duration.ofMinutes(2), Duration.ofMinutes(30))));
    }

    @Test
    void equalInputsGiveEqualReportsAndOtherSeedsOthers() {
        Policy policy = policy("fast", "slow");
        String first = Simulation.of(policy, scenario().build()).run().toString();
        assertThat(Simulation.of(policy, scenario().build()).run()).hasToString(first);
        assertThat(Simulation.of(policy, scenario().build().withSeed(2)).run().toString())
                .isNotEqualTo(first);
    }

    @Test
    void requestsAndBackgroundAreTheSameWhateverThePolicy() {
        Scenario scenario = scenario().routers(2).build();
        List<SimulatedRequest> requests = new ArrayList<>();
        Iterator<SimulatedRequest> all = Simulation.requests(scenario);
        all.forEachRemaining(requests::add);
        assertThat(requests.size()).isBetween(500, 1_100);
        for (Policy policy : List.of(policy("fast", "slow"), policy("slow"))) {
            SimulationReport report = Simulation.of(policy, scenario).run();
            long offered = report.requests().stream()
                    .mapToLong(SimulationReport.Requests::offered)
                    .sum();
            assertThat(offered).isEqualTo(requests.size());
        }
        Iterator<Simulation.EpisodeChange> one = Simulation.episodes(policy("fast"), scenario, "fast");
        Iterator<Simulation.EpisodeChange> two = Simulation.episodes(policy("slow"), scenario, "fast");
        for (int at = 0; at < 20; at++) {
            Simulation.EpisodeChange change = one.next();
            assertThat(two.next()).isEqualTo(change);
            assertThat(change.on()).isEqualTo(at % 2 == 0);
        }
    }

    @Test
    void everyRequestHasOneEnd() {
        SimulationReport report =
                Simulation.of(policy("fast", "slow"), scenario().build()).run();
        for (SimulationReport.Requests one : report.requests()) {
            assertThat(one.served() + one.lost() + one.abandoned())
                    .as("%s", one.requestClass())
                    .isEqualTo(one.offered());
            assertThat(one.latency().count()).isEqualTo(one.served());
            assertThat(one.servedBy().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(one.served());
        }
        assertThat(report.requests("work", "hasty").orElseThrow().abandoned()).isPositive();
        assertThat(report.requests("work", "patient").orElseThrow().abandoned()).isZero();
        assertThat(report.inTimeShare()).isBetween(0.0, 1.0);
        assertThat(report.penalisedSeconds())
                .isGreaterThanOrEqualTo(report.latency().mean());
    }

    @Test
    void watchersSeeEveryEventAndProgressEndsAtOne() {
        List<String> seen = new ArrayList<>();
        List<Double> told = new ArrayList<>();
        SimulationReport report = Simulation.of(
                        policy("fast", "slow"), scenario().build())
                .watcher((world, what) -> seen.add(what))
                .progress(told::add)
                .run();
        assertThat(seen).hasSize((int) report.events() + 1).contains("arrival", "status", "end", "fault", "episode");
        assertThat(seen.get(seen.size() - 1)).isEqualTo("over");
        assertThat(told).isSorted().endsWith(1.0).hasSizeBetween(50, 102);
    }

    @Test
    void interventionsReachEveryRouter() {
        Scenario scenario = scenario()
                .routers(3)
                .intervention(new Intervention(Duration.ZERO, "cordon", router -> router.cordon("fast")))
                .build();
        SimulationReport report =
                Simulation.of(policy("fast", "slow"), scenario).run();
        assertThat(report.node("fast").orElseThrow().placements()).isZero();
        assertThat(report.node("slow").orElseThrow().placements()).isPositive();
    }

    @Test
    void batchWorkTakesItsPathAndMayBeHungUpOn() {
        Policy policy = Policy.builder()
                .substrates(
                        Substrate.builder("fast").maxConcurrentJobs(1).build(),
                        Substrate.builder("archive").kind(SubstrateKind.BATCH).build())
                .workloads(Workload.builder("work")
                        .route("fast")
                        .batch(Candidate.on("archive"))
                        .build())
                .build();
        for (boolean hasty : new boolean[] {false, true}) {
            RequestClass.Builder batch = RequestClass.builder("batch", 1).mode(PlacementMode.BATCH);
            Scenario scenario = Scenario.builder("batch")
                    .length(Duration.ofMinutes(10))
                    .traffic(Traffic.builder(Arrivals.poisson(300))
                            .workload("work", 1)
                            .requestClass(
                                    hasty
                                            ? batch.patience(Duration.ofSeconds(5))
                                                    .build()
                                            : batch.build())
                            .build())
                    .work("work", ServiceTime.fixed(TEN))
                    .build();
            List<Integer> left = new ArrayList<>();
            SimulationReport report = Simulation.of(policy, scenario)
                    .watcher((world, what) ->
                            left.add(world.routers().get(0).substrates().get(1).leases()))
                    .run();
            SimulationReport.Requests requests = report.requests().get(0);
            assertThat(requests.offered()).isPositive();
            assertThat(requests.served()).isEqualTo(hasty ? 0 : requests.offered());
            assertThat(requests.abandoned()).isEqualTo(hasty ? requests.offered() : 0);
            assertThat(left.get(left.size() - 1)).isZero();
        }
    }

    @Test
    void whatHangsForEverIsUnansweredAtTheEnd() {
        Scenario scenario = Scenario.builder("hang")
                .length(Duration.ofMinutes(1))
                .traffic(Traffic.builder(Arrivals.poisson(600))
                        .workload("work", 1)
                        .build())
                .work("work", ServiceTime.fixed(TEN))
                .fault(Fault.of(Fault.Kind.HANG, "fast", Schedule.always()))
                .fault(Fault.of(Fault.Kind.HANG, "slow", Schedule.always()))
                .build();
        SimulationReport report =
                Simulation.of(policy("fast", "slow"), scenario).run();
        assertThat(report.served()).isZero();
        assertThat(report.lost()).isEqualTo(report.offered()).isPositive();
    }

    @Test
    void whatDoesNotFitIsSaidAllAtOnce() {
        Scenario scenario = Scenario.builder("odd")
                .traffic(Traffic.builder(Arrivals.poisson(1))
                        .workload("work", 1)
                        .workload("unheard-of", 1)
                        .build())
                .fault(Fault.of(Fault.Kind.CRASH, "nowhere", Schedule.always()))
                .build();
        assertThatThrownBy(() -> Simulation.of(policy("fast"), scenario))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scenario 'odd'")
                .hasMessageContaining("substrate 'nowhere' (expected: one of [fast, slow])")
                .hasMessageContaining("workload 'unheard-of' (expected: one of [work])")
                .hasMessageContaining("how long 'work' takes on 'fast' is not known");
    }

    @Test
    void figuresOutOfRangeAreSaid() {
        assertThatThrownBy(() -> Arrivals.poisson(0)).hasMessageContaining("0.0 requests per hour");
        assertThatThrownBy(() -> ServiceTime.fixed(Duration.ZERO)).hasMessageContaining("service time is PT0S");
        assertThatThrownBy(() -> ServiceTime.lognormal(TEN, -1)).hasMessageContaining("sigma is -1.0");
        assertThatThrownBy(() -> ServiceTime.empirical(List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> new Polling(TEN, TEN, 0, 1.5)).hasMessageContaining("loss of statuses is 1.5");
        assertThatThrownBy(() -> Schedule.at(List.of(new Schedule.Span(5, 5), new Schedule.Span(7, 1))))
                .hasMessageContaining("not before 10.0 s");
        assertThatThrownBy(() -> Scenario.builder("empty").build()).hasMessageContaining("has no traffic");
        assertThatThrownBy(() -> Traffic.builder(Arrivals.poisson(1)).build())
                .hasMessageContaining("traffic without a workload");
        assertThatThrownBy(() -> new Traffic.Share("work", 0)).hasMessageContaining("share of workload 'work' is 0.0");
        assertThatThrownBy(() -> RequestClass.builder("none", 0)).hasMessageContaining("share of class 'none'");
    }
}
