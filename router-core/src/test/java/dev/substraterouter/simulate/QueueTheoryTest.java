package dev.substraterouter.simulate;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.StrategySettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The router in simple systems of which queueing theory knows the truth: any bias of engine, queue or ledger would show. */
class QueueTheoryTest {
    private static final Duration LONG = Duration.ofDays(300);
    private static final double SERVICE_SECONDS = 10;
    private static final double SIGMA = 0.8;
    private static final int WAITING_REQUESTS = 20_000;
    private static final int LOST_REQUESTS = 8_000;
    private static final double SECONDS_PER_HOUR = 3600;

    /** Nothing but slots and the queue decides. */
    private static Policy policy(int capacity, String... substrates) {
        Policy.Builder policy = Policy.builder()
                .health(HealthLimits.builder()
                        .ignore(Measure.values())
                        .staleAfter(LONG)
                        .build())
                .poll(PollSettings.builder().every(Duration.ofHours(10)).build())
                .strategy(StrategySettings.builder().learn(false).build())
                .queue(QueueLimits.builder()
                        .capacity(capacity)
                        .maxWait(LONG)
                        .retryEvery(LONG)
                        .agesAfter(LONG)
                        .holdAfter(LONG)
                        .build())
                .workloads(Workload.builder("work").route(substrates).build());
        for (String substrate : substrates) {
            policy.substrates(Substrate.builder(substrate).maxConcurrentJobs(1).build());
        }
        return policy.build();
    }

    private static Scenario.Builder scenario(double perSecond, int requests, long seed) {
        return Scenario.builder("theory")
                .seed(seed)
                .length(Duration.ofSeconds((long) (requests / perSecond)))
                .traffic(Traffic.builder(Arrivals.poisson(perSecond * SECONDS_PER_HOUR))
                        .workload("work", 1)
                        .build());
    }

    /** Distributions with the square of the coefficient of variation. */
    static Stream<Arguments> singleServers() {
        Duration mean = Duration.ofSeconds((long) SERVICE_SECONDS);
        List<Arguments> all = new ArrayList<>();
        for (double load : new double[] {0.3, 0.5, 0.8}) {
            all.add(Arguments.of("fixed", ServiceTime.fixed(mean), 0.0, load));
            all.add(Arguments.of("exponential", ServiceTime.exponential(mean), 1.0, load));
            all.add(Arguments.of(
                    "lognormal", ServiceTime.lognormal(mean, SIGMA), StrictMath.expm1(SIGMA * SIGMA), load));
        }
        return all.stream();
    }

    /** Pollaczek and Khinchine: the mean wait is ρ (1 + c²) ÷ (2 (1 - ρ)) service times. */
    @ParameterizedTest(name = "{0} service, load {3}")
    @MethodSource("singleServers")
    void waitsAsInAnMg1Queue(String name, ServiceTime time, double squaredVariation, double load) {
        Policy policy = policy(100_000, "a");
        Replications waiting = new Replications("mean wait, " + name + ", load " + load);
        Replications busy = new Replications("load, " + name + ", load " + load);
        for (int run = 1; run <= Replications.RUNS; run++) {
            Scenario scenario = scenario(load / SERVICE_SECONDS, WAITING_REQUESTS, run)
                    .work("work", time)
                    .build();
            SimulationReport report = Simulation.of(policy, scenario).run();
            waiting.add(report.requests().get(0).waiting().mean());
            busy.add(report.node("a").orElseThrow().busySeconds() / report.endSeconds());
        }
        waiting.agreeWith(SERVICE_SECONDS * load * (1 + squaredVariation) / (2 * (1 - load)), 0.1);
        busy.agreeWith(load, 0.02);
    }

    /** Two servers of unequal speed, the faster one first, and some places to wait. */
    @ParameterizedTest(name = "{0} places to wait")
    @ValueSource(ints = {0, 1, 4})
    void losesAndHoldsAsTwoUnequalServers(int places) {
        double arrivals = 0.2;
        double fast = 1 / 5.0;
        double slow = 1 / 20.0;
        TwoServers exact = new TwoServers(arrivals, fast, slow, places);
        Policy policy = policy(places, "fast", "slow");
        Replications lost = new Replications("lost");
        Replications fastBusy = new Replications("fast one busy");
        Replications slowBusy = new Replications("slow one busy");
        Replications waiting = new Replications("waiting");
        for (int run = 1; run <= Replications.RUNS; run++) {
            SimulationReport report = Simulation.of(
                            policy,
                            scenario(arrivals, LOST_REQUESTS, run)
                                    .node(exponential("fast", fast))
                                    .node(exponential("slow", slow))
                                    .build())
                    .run();
            lost.add((double) report.lost() / report.offered());
            fastBusy.add(report.node("fast").orElseThrow().busySeconds() / report.endSeconds());
            slowBusy.add(report.node("slow").orElseThrow().busySeconds() / report.endSeconds());
            waiting.add(report.requests().get(0).waiting().sum() / report.endSeconds());
        }
        lost.agreeWith(exact.full(), 0.1);
        fastBusy.agreeWith(exact.fastBusy(), 0.02);
        slowBusy.agreeWith(exact.slowBusy(), 0.02);
        if (places > 0) {
            waiting.agreeWith(exact.waiting(), 0.1);
        }
    }

    private static NodeModel exponential(String substrate, double rate) {
        Duration mean = Duration.ofNanos((long) (1e9 / rate));
        return NodeModel.builder(substrate)
                .serves("work", ServiceTime.exponential(mean))
                .build();
    }
}
