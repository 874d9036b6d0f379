package dev.substraterouter.examples.whatif.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.examples.whatif.benchmark.Cell;
import dev.substraterouter.examples.whatif.benchmark.Sub2;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.NodeModel;
import dev.substraterouter.simulate.Overload;
import dev.substraterouter.simulate.RequestClass;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Schedule;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import dev.substraterouter.simulate.Traffic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReferencePolicyTest {
    private static final Scenario POISSON = Sub2.scenario(Cell.poisson(180)).toBuilder()
            .length(Duration.ofHours(3))
            .build();
    private static final Scenario BURSTY = Sub2.scenario(Cell.bursty(270)).toBuilder()
            .length(Duration.ofHours(2))
            .build();

    static List<ReferenceOptions> all() {
        return References.all();
    }

    private static SimulationReport run(ReferenceOptions options, Scenario scenario) {
        return Simulation.of(Sub2.policy(), scenario)
                .contender(ReferencePolicy.of(options))
                .run();
    }

    private static long sum(SimulationReport report, ToLongFunction<SimulationReport.Node> figure) {
        return report.nodes().stream().mapToLong(figure).sum();
    }

    private static long overloads(SimulationReport report) {
        return sum(report, SimulationReport.Node::overloads);
    }

    private static double mean(ReferenceOptions options, Scenario scenario) {
        double sum = 0;
        for (long seed = 1; seed <= 3; seed++) {
            sum += run(options, scenario.withSeed(seed)).penalisedSeconds();
        }
        return sum / 3;
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyRequestEndsOnce(ReferenceOptions options) {
        SimulationReport report = run(options, BURSTY);

        assertThat(report.offered()).isGreaterThan(300);
        assertThat(report.served() + report.lost()).isEqualTo(report.offered());
        assertThat(report.contender()).isEqualTo(options.name());
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyRequestEndsOnceWhateverGoesWrong(ReferenceOptions options) {
        Schedule now = Schedule.once(Duration.ofMinutes(30), Duration.ofMinutes(10));
        Schedule later = Schedule.once(Duration.ofMinutes(60), Duration.ofMinutes(10));
        Scenario scenario = BURSTY.toBuilder()
                .giveUpAfter(Duration.ofMinutes(10))
                .fault(Fault.of(Fault.Kind.CRASH, "legion", now))
                .fault(Fault.of(Fault.Kind.HANG, "mirrorforge", now))
                .fault(Fault.of(Fault.Kind.LYING_STATUS, "mirrorforge", later))
                .fault(Fault.of(Fault.Kind.PARTITION, "legion", later))
                .build();

        SimulationReport report = run(options, impatient(scenario));

        assertThat(report.served() + report.lost()).isEqualTo(report.offered());
        assertThat(abandoned(report)).isPositive();
    }

    private static long abandoned(SimulationReport report) {
        return report.requests().stream()
                .mapToLong(SimulationReport.Requests::abandoned)
                .sum();
    }

    private static Scenario impatient(Scenario scenario) {
        Traffic before = scenario.traffic().get(0);
        Traffic.Builder traffic = Traffic.builder(before.arrivals())
                .requestClass(
                        RequestClass.builder("batch", 20).interactive(false).build())
                .requestClass(RequestClass.builder("interactive", 80)
                        .patience(Duration.ofSeconds(60))
                        .build());
        before.workloads().forEach(share -> traffic.workload(share.workload(), share.share()));
        Scenario.Builder builder = Scenario.builder(scenario.name())
                .length(scenario.length())
                .giveUpAfter(scenario.giveUpAfter().orElse(Duration.ofHours(1)))
                .polling(scenario.polling())
                .traffic(traffic.build());
        scenario.work().forEach(builder::work);
        builder.node(scenario.nodes().get("mirrorforge"));
        builder.node(scenario.nodes().get("legion"));
        scenario.faults().forEach(builder::fault);
        return builder.build();
    }

    @ParameterizedTest
    @MethodSource("all")
    void equalInputsGiveEqualReports(ReferenceOptions options) {
        Scenario shorter = BURSTY.toBuilder().length(Duration.ofMinutes(40)).build();

        assertThat(run(options, shorter)).hasToString(run(options, shorter).toString());
    }

    @Test
    void withoutALedgerNodesAreOverrunAndWithItNever() {
        assertThat(overloads(run(References.naive(), POISSON))).isPositive();
        assertThat(overloads(run(References.roundRobin(), POISSON))).isPositive();
        for (ReferenceOptions options : References.all()) {
            if (options.ledger()) {
                assertThat(overloads(run(options, POISSON))).as(options.name()).isZero();
            }
        }
    }

    @Test
    void onlyWithoutALedgerAClientSeesALackOfMemory() {
        assertThat(failed(run(References.naive(), BURSTY))).isPositive();
        assertThat(failed(run(References.l1(), BURSTY))).isZero();
        assertThat(failed(run(References.l5(), BURSTY))).isZero();
    }

    private static long failed(SimulationReport report) {
        return report.requests().stream()
                .flatMap(one -> one.failed().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The steps that matter on the reference traffic, in the order in which they are taken. */
    @Test
    void eachStepHelps() {
        Scenario scenario = Sub2.scenario(Cell.poisson(180));
        double naive = mean(References.naive(), scenario);
        double l1 = mean(References.l1(), scenario);
        double l2 = mean(References.l2(), scenario);
        double l4 = mean(References.l4(), scenario);
        double l5 = mean(References.l5(), scenario);

        assertThat(l1).isLessThan(naive);
        assertThat(l2).isLessThan(l1);
        assertThat(l4).isLessThan(0.95 * l2);
        assertThat(l5).isLessThan(l4);
        assertThat(mean(References.oracle(), scenario)).isBetween(0.94 * l5, 1.02 * l5);
    }

    /** The figures of an independent prototype over 20 seeds, here with three and so with a wide margin. */
    @Test
    void comesOutAsThePrototype() {
        Scenario scenario = Sub2.scenario(Cell.poisson(180));

        assertThat(mean(References.naive(), scenario)).isBetween(0.85 * 46.2, 1.15 * 46.2);
        assertThat(mean(References.l2(), scenario)).isBetween(0.85 * 40.6, 1.15 * 40.6);
        assertThat(mean(References.l5(), scenario)).isBetween(0.85 * 33.3, 1.15 * 33.3);
    }

    @Test
    void theOwnersCostSparesTheWorkstation() {
        SimulationReport without = run(References.l5(), POISSON);
        SimulationReport with = run(References.l6(), POISSON);

        assertThat(with.ownerSeconds()).isLessThan(0.8 * without.ownerSeconds());
    }

    @Test
    void whatCannotMeetItsDeadlineComesLast() {
        assertThat(run(References.l7(), BURSTY).inTimeShare())
                .isGreaterThan(run(References.l5(), BURSTY).inTimeShare());
    }

    @Test
    void aPinNeverSwitches() {
        assertThat(run(References.pinGated(), POISSON).switches()).isZero();
        assertThat(run(References.pinWorkerQueue(), POISSON).switches()).isZero();
    }

    @Test
    void aWorkerThatQueuesGetsEverythingAtOnce() {
        Scenario scenario = onNodes(POISSON, Overload.QUEUE);
        SimulationReport report = run(References.pinWorkerQueue(), scenario);

        assertThat(report.requests())
                .allSatisfy(one -> assertThat(one.refused()).isEmpty());
        assertThat(overloads(report)).isPositive();
        assertThat(report.timeline().waiting()).allMatch(waiting -> waiting == 0);
    }

    @Test
    void aRefusalByTheNodeLeadsToASecondChoice() {
        Scenario scenario = onNodes(POISSON, Overload.REFUSE);
        SimulationReport naive = run(References.naive(), scenario);

        assertThat(sum(naive, SimulationReport.Node::refusals)).isPositive();
        assertThat(overloads(naive)).isZero();
        assertThat(failed(naive)).isZero();
        assertThat(sum(run(References.l5(), scenario), SimulationReport.Node::refusals))
                .isLessThan(5);
    }

    @Test
    void severalRoutersDoNotKnowOfEachOther() {
        SimulationReport two =
                run(References.l2(), POISSON.toBuilder().routers(2).build());

        assertThat(two.served() + two.lost()).isEqualTo(two.offered());
        assertThat(overloads(two)).isPositive();
    }

    private static Scenario onNodes(Scenario scenario, Overload overload) {
        Scenario.Builder builder = scenario.toBuilder();
        for (String substrate : List.of("mirrorforge", "legion")) {
            NodeModel before = scenario.nodes().get(substrate);
            NodeModel.Builder node = NodeModel.builder(substrate)
                    .speed(before.speed())
                    .overload(overload)
                    .baseTempC(before.baseTempC())
                    .baseUtilPct(before.baseUtilPct());
            before.episodes().forEach(node::episode);
            builder.node(node.build());
        }
        return builder.build();
    }

    @Test
    void tellsWhereRequestsWereStarted() {
        ReferencePolicy policy = ReferencePolicy.of(References.l5());
        SimulationReport report =
                Simulation.of(Sub2.policy(), POISSON).contender(policy).run();
        Map<Long, String> where = new HashMap<>();
        policy.placements().forEach(one -> where.put(one.request(), one.substrate()));

        assertThat(policy.placements()).hasSize((int) report.placements());
        assertThat(where).hasSize((int) report.served());
    }

    @Test
    void saysWhatIsWrongWithOptions() {
        assertThatThrownBy(() -> References.l4().margin(0.9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> References.l6().ownerWeight(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(References.l5().margin(1.05).named("other").name()).isEqualTo("other");
    }
}
