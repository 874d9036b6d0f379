package dev.substraterouter.examples.whatif;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.simulate.Arrivals;
import dev.substraterouter.simulate.Distributions;
import dev.substraterouter.simulate.Episode;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Schedule;
import dev.substraterouter.simulate.ServiceTime;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.SimulationReport.Node;
import dev.substraterouter.simulate.SimulationReport.Requests;
import dev.substraterouter.simulate.SimulationReport.Timeline;
import dev.substraterouter.simulate.Traffic;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A policy, a scenario, and reports made by hand. */
public final class Made {
    private Made() {}

    /** Two machines, two workloads with routes, earliest finish. */
    public static Policy policy() {
        return Policy.builder()
                .substrate(Substrate.builder("mirrorforge")
                        .vramGb(64)
                        .maxConcurrentJobs(2)
                        .utilPerJobPct(47.5)
                        .build())
                .substrate(Substrate.builder("legion")
                        .vramGb(32)
                        .maxConcurrentJobs(1)
                        .utilPerJobPct(95)
                        .build())
                .workload(workload("flux-dev", 40, 13, "mirrorforge", "legion"))
                .workload(workload("sdxl", 2, 7, "legion", "mirrorforge"))
                .queue(QueueLimits.builder()
                        .capacity(8)
                        .maxWait(Duration.ofSeconds(300))
                        .build())
                .strategy(StrategySettings.builder()
                        .defaultKind(StrategyKind.EARLIEST_FINISH)
                        .build())
                .build();
    }

    private static Workload workload(String name, int first, int second, String... route) {
        return Workload.builder(name)
                .vramGb(12)
                .deadline(Duration.ofSeconds(80))
                .route(candidate(route[0], first), candidate(route[1], second))
                .build();
    }

    private static Candidate candidate(String on, int seconds) {
        return Candidate.builder(on)
                .expectedLatency(Duration.ofSeconds(seconds))
                .build();
    }

    /** An hour in which the owner of one machine comes and goes. */
    public static Scenario scenario() {
        return Scenario.builder("a busy hour <test>")
                .length(Duration.ofHours(1))
                .traffic(Traffic.builder(Arrivals.poisson(240))
                        .workload("flux-dev", 50)
                        .workload("sdxl", 50)
                        .requestClass(RequestClass.builder("interactive", 80).build())
                        .requestClass(RequestClass.builder("batch", 20)
                                .interactive(false)
                                .build())
                        .build())
                .work("flux-dev", ServiceTime.lognormal(Duration.ofSeconds(40), 0.1))
                .work("sdxl", ServiceTime.lognormal(Duration.ofSeconds(7), 0.1))
                .node(NodeModel.builder("mirrorforge").busyKw(0.25).build())
                .node(NodeModel.builder("legion")
                        .speed(3)
                        .busyKw(0.5)
                        .episode(Episode.builder(
                                        "training",
                                        Schedule.alternating(Duration.ofSeconds(480), Duration.ofSeconds(900)))
                                .utilPct(95)
                                .vramGb(20)
                                .speed(0.4)
                                .unavailable(true)
                                .owner(true)
                                .build())
                        .episode(Episode.builder(
                                        "at work",
                                        Schedule.alternating(Duration.ofSeconds(600), Duration.ofSeconds(600)))
                                .utilPct(30)
                                .vramGb(6)
                                .speed(0.85)
                                .owner(true)
                                .build())
                        .build())
                .build();
    }

    /** A run of an hour in which each of a hundred requests took so long, and the owner was disturbed for so long. */
    public static SimulationReport report(String contender, long seed, double latency, double ownerSeconds) {
        return report(contender, seed, latency, ownerSeconds, 0);
    }

    /** The same, with some of the hundred refused. */
    public static SimulationReport report(
            String contender, long seed, double latency, double ownerSeconds, int refused) {
        int served = 100 - refused;
        double[] each = new double[served];
        Arrays.fill(each, latency);
        Requests requests = new Requests(
                "flux-dev",
                "interactive",
                true,
                100,
                served,
                refused == 0 ? Map.of() : Map.of("FULL", (long) refused),
                Map.of(),
                0,
                80,
                latency <= 80 ? served : 0,
                Distributions.of(each),
                Distributions.of(),
                Map.of("legion", (long) served));
        Node node = new Node("legion", 200, 4, 2, 0, 0, 0, 6, 8, 1800, 1800, ownerSeconds, 0.5);
        Timeline timeline = new Timeline(
                1800,
                List.of(0.5, 1.5),
                List.of((long) refused, 0L),
                List.of(new Timeline.OfNode(
                        "legion",
                        List.of(40L, 60L - refused),
                        List.of(0.4, 0.6),
                        List.of(0.0, 30.0),
                        List.of(0.0, 1.0),
                        List.of(1.0, 0.0))));
        return new SimulationReport(
                "made", seed, contender, 3600, 3700, 300, List.of(requests), List.of(node), 10, timeline, 1000);
    }
}
