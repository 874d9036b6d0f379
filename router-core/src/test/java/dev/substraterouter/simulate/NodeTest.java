package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How nodes behave, by hand-computed times: work of 10 s, one slot, 32 GB, each job 14 GB. */
class NodeTest {
    private static final Policy POLICY = Policy.builder()
            .substrates(
                    Substrate.builder("node").maxConcurrentJobs(1).vramGb(32).build())
            .workloads(
                    Workload.builder("work").vramGb(14).route("node").build(),
                    Workload.builder("other").vramGb(14).route("node").build())
            .build();

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private static Scenario.Builder scenario(double... arrivals) {
        List<Arrivals.Recorded.Request> requests = new ArrayList<>();
        for (double after : arrivals) {
            requests.add(request(after, "work"));
        }
        return scenario(requests);
    }

    private static Arrivals.Recorded.Request request(double after, String workload) {
        return new Arrivals.Recorded.Request(after, Optional.of(workload), Optional.empty(), OptionalDouble.empty());
    }

    private static Scenario.Builder scenario(List<Arrivals.Recorded.Request> requests) {
        return Scenario.builder("node")
                .length(seconds(1000))
                .traffic(Traffic.builder(Arrivals.recorded(requests))
                        .workload("work", 1)
                        .build())
                .work("work", ServiceTime.fixed(seconds(10)))
                .work("other", ServiceTime.fixed(seconds(10)));
    }

    private static NodeModel.Builder node() {
        return NodeModel.builder("node");
    }

    private static List<String> ends(Scenario.Builder scenario) {
        Strewer strewer = new Strewer("node");
        Simulation.of(POLICY, scenario.build()).contender(strewer).run();
        return strewer.ends();
    }

    private static SimulationReport report(Scenario.Builder scenario) {
        return Simulation.of(POLICY, scenario.build())
                .contender(new Strewer("node"))
                .run();
    }

    @Test
    void oneJobHasTheNodeForItself() {
        assertThat(ends(scenario(1, 20).node(node().speed(2).build()))).containsExactly("0 DONE 6.00", "1 DONE 25.00");
    }

    @Test
    void moreJobsThanSlotsShareAndLoseATenth() {
        // 10 s at 0.9 / 2 each; the third does not fit into 32 GB beside two of 14
        assertThat(ends(scenario(0, 0))).containsExactly("0 DONE 22.22", "1 DONE 22.22");
        assertThat(ends(scenario(0, 0, 1))).containsExactly("2 OUT_OF_MEMORY 3.00", "0 DONE 22.22", "1 DONE 22.22");
        SimulationReport.Node figures = report(scenario(0, 0, 1)).node("node").orElseThrow();
        assertThat(figures.placements()).isEqualTo(3);
        assertThat(figures.overloads()).isEqualTo(2);
        assertThat(figures.outOfMemory()).isEqualTo(1);
        assertThat(figures.busySeconds()).isCloseTo(22.22, within(0.01));
        assertThat(figures.slotSeconds()).isCloseTo(22.22, within(0.01));
    }

    @Test
    void speedChangesInTheMiddle() {
        Episode slow = Episode.builder("slow", Schedule.once(seconds(5), seconds(5)))
                .speed(0.5)
                .build();
        assertThat(ends(scenario(0).node(node().episode(slow).build()))).containsExactly("0 DONE 12.50");
    }

    @Test
    void excessWaitsInTheNode() {
        assertThat(ends(scenario(0, 0, 1).node(node().overload(Overload.QUEUE).build())))
                .containsExactly("0 DONE 10.00", "1 DONE 20.00", "2 DONE 30.00");
    }

    @Test
    void excessIsRefusedAtOnce() {
        assertThat(ends(scenario(0, 1, 11).node(node().overload(Overload.REFUSE).build())))
                .containsExactly("1 REFUSED 1.00", "0 DONE 10.00", "2 DONE 21.00");
        SimulationReport.Node figures = report(
                        scenario(0, 1, 11).node(node().overload(Overload.REFUSE).build()))
                .node("node")
                .orElseThrow();
        assertThat(figures.refusals()).isEqualTo(1);
        assertThat(figures.overloads()).isZero();
    }

    @Test
    void memoryOfOthersCounts() {
        Episode training =
                Episode.builder("training", Schedule.always()).vramGb(20).build();
        assertThat(ends(scenario(1).node(node().episode(training).build()))).containsExactly("0 OUT_OF_MEMORY 3.00");
        assertThat(ends(scenario(1)
                        .node(node().overload(Overload.REFUSE).episode(training).build())))
                .containsExactly("0 REFUSED 1.00");
    }

    @Test
    void jobsOfOthersTakeSlots() {
        Episode others = Episode.builder("others", Schedule.always()).jobs(1).build();
        assertThat(ends(scenario(0).node(node().episode(others).build()))).containsExactly("0 DONE 22.22");
    }

    @Test
    void modelsLoadAndTheOneNotUsedForLongestGoes() {
        List<Arrivals.Recorded.Request> requests =
                List.of(request(0, "work"), request(50, "work"), request(100, "other"), request(150, "work"));
        assertThat(ends(scenario(requests).node(node().models(1, seconds(8)).build())))
                .containsExactly("0 DONE 18.00", "1 DONE 60.00", "2 DONE 118.00", "3 DONE 168.00");
        assertThat(ends(scenario(requests).node(node().models(2, seconds(8)).build())))
                .containsExactly("0 DONE 18.00", "1 DONE 60.00", "2 DONE 118.00", "3 DONE 160.00");
        assertThat(report(scenario(requests).node(node().models(1, seconds(8)).build()))
                        .node("node")
                        .orElseThrow()
                        .coldLoads())
                .isEqualTo(3);
    }

    @Test
    void aCrashEndsWhatRunsAndRefusesConnections() {
        assertThat(ends(scenario(0, 7, 20)
                        .fault(Fault.of(Fault.Kind.CRASH, "node", Schedule.once(seconds(5), seconds(10))))))
                .containsExactly("0 NODE_FAILED 5.00", "1 NOT_REACHED 7.00", "2 DONE 30.00");
    }

    @Test
    void aCrashEndsWhatWaitsInTheNodeToo() {
        assertThat(ends(scenario(0, 0)
                        .node(node().overload(Overload.QUEUE).build())
                        .fault(Fault.of(Fault.Kind.CRASH, "node", Schedule.once(seconds(5), seconds(10))))))
                .containsExactlyInAnyOrder("0 NODE_FAILED 5.00", "1 NODE_FAILED 5.00");
    }

    @Test
    void aHangStandsStillUntilItIsOverOrTheHostGivesUp() {
        Fault hang = Fault.of(Fault.Kind.HANG, "node", Schedule.once(seconds(5), seconds(10)));
        assertThat(ends(scenario(0).fault(hang))).containsExactly("0 DONE 20.00");
        assertThat(ends(scenario(0).fault(hang).giveUpAfter(seconds(12)))).containsExactly("0 GIVEN_UP 12.00");
    }

    @Test
    void aSlowNodeIsSlow() {
        assertThat(ends(scenario(0).fault(Fault.slow("node", Schedule.always(), 0.25))))
                .containsExactly("0 DONE 40.00");
    }

    @Test
    void aPartitionLosesAnswersAndConnections() {
        Fault mine =
                new Fault(Fault.Kind.PARTITION, "node", Schedule.once(seconds(5), seconds(10)), 1, OptionalInt.of(0));
        Fault others =
                new Fault(Fault.Kind.PARTITION, "node", Schedule.once(seconds(5), seconds(10)), 1, OptionalInt.of(1));
        assertThat(ends(scenario(0, 7).fault(mine))).containsExactly("1 NOT_REACHED 7.00", "0 NODE_FAILED 10.00");
        assertThat(ends(scenario(0).fault(others))).containsExactly("0 DONE 10.00");
    }

    @Test
    void whoHangsUpLeavesRoom() {
        Scenario.Builder scenario = Scenario.builder("node")
                .length(seconds(1000))
                .traffic(Traffic.builder(Arrivals.recorded(List.of(request(0, "work"), request(1, "work"))))
                        .workload("work", 1)
                        .requestClass(RequestClass.builder("hasty", 1)
                                .patience(seconds(12))
                                .build())
                        .build())
                .work("work", ServiceTime.fixed(seconds(10)))
                .node(node().overload(Overload.QUEUE).build());
        assertThat(ends(scenario)).containsExactly("0 DONE 10.00", "1 HUNG_UP 13.00");
        SimulationReport report = report(scenario);
        assertThat(report.requests().get(0).abandoned()).isEqualTo(1);
        assertThat(report.offered()).isEqualTo(1);
        assertThat(report.served()).isEqualTo(1);
        assertThat(report.lost()).isZero();
    }

    @Test
    void ownersAndOutagesAreMeasured() {
        Episode owner = Episode.builder("owner", Schedule.once(seconds(4), seconds(100)))
                .owner(true)
                .unavailable(true)
                .utilPct(30)
                .build();
        SimulationReport report = report(scenario(0, 50)
                .node(node().episode(owner).busyKw(0.5).baseUtilPct(3).build()));
        SimulationReport.Node figures = report.node("node").orElseThrow();
        assertThat(figures.ownerSeconds()).isCloseTo(16, within(1e-6));
        assertThat(figures.unavailable()).isEqualTo(1);
        assertThat(figures.kwh()).isCloseTo(20 * 0.5 / 3600, within(1e-9));
        SimulationReport.Timeline.OfNode line = report.timeline().nodes().get(0);
        assertThat(line.served().stream().mapToLong(Long::longValue).sum()).isEqualTo(2);
        double step = report.timeline().stepSeconds();
        assertThat(line.jobs().stream().mapToDouble(Double::doubleValue).sum() * step)
                .isCloseTo(20, within(1e-6));
        // the run ends with its last answer, 60 s after it began
        assertThat(line.ownerAtWork().stream().mapToDouble(Double::doubleValue).sum() * step)
                .isCloseTo(56, within(1e-6));
        assertThat(line.unavailable()).isEqualTo(line.ownerAtWork());
        assertThat(line.foreignUtilPct().stream()
                                .mapToDouble(Double::doubleValue)
                                .sum()
                        * step)
                .isCloseTo(3 * 60 + 30 * 56, within(1e-6));
    }
}
