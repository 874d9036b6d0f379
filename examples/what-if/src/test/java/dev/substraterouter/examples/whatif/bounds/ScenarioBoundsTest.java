package dev.substraterouter.examples.whatif.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.whatif.benchmark.Cell;
import dev.substraterouter.examples.whatif.benchmark.Sub2;
import dev.substraterouter.examples.whatif.reference.ReferencePolicy;
import dev.substraterouter.examples.whatif.reference.References;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Scenario;
import dev.substraterouter.simulate.Simulation;
import dev.substraterouter.simulate.SimulationReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The bounds of a whole scenario. */
class ScenarioBoundsTest {
    private static final Policy WIDE = Sub2.policy(Sub2.unbounded());
    private static final Scenario SCENARIO = Sub2.scenario(Cell.poisson(180)).withSeed(1);

    @Test
    void theOracleLiesAboveTheClairvoyantScheduleAndThatAboveTheBound() {
        SchedulingProblem problem = SchedulingProblem.of(WIDE, SCENARIO);
        ReferencePolicy oracle = ReferencePolicy.of(References.oracle());
        SimulationReport report =
                Simulation.of(WIDE, SCENARIO).contender(oracle).run();

        Plan same = Clairvoyant.of(problem)
                .steps(0)
                .startingFrom(oracle.placements())
                .plan();
        Plan better = Clairvoyant.of(problem).startingFrom(oracle.placements()).plan();
        Plan greedy = Clairvoyant.of(problem).plan();
        LowerBound bound = LowerBound.of(problem, false);

        assertThat(problem.jobs()).hasSize((int) report.offered());
        assertThat(same.meanSeconds() / report.latency().mean()).isBetween(0.98, 1.01);
        assertThat(better.meanSeconds()).isLessThan(same.meanSeconds());
        assertThat(greedy.meanSeconds() / better.meanSeconds()).isBetween(0.9, 1.1);
        assertThat(bound.meanSeconds()).isLessThan(better.meanSeconds());
        assertThat(bound.pooledSeconds()).isPresent();
    }

    @Test
    void equalInputsGiveEqualPlans() {
        SchedulingProblem problem = SchedulingProblem.of(WIDE, SCENARIO);

        assertThat(Clairvoyant.of(problem).steps(5_000).plan())
                .isEqualTo(Clairvoyant.of(SchedulingProblem.of(WIDE, SCENARIO))
                        .steps(5_000)
                        .plan());
    }

    @Test
    void sixteenHundredJobsTakeAMoment() {
        SchedulingProblem problem =
                SchedulingProblem.of(WIDE, Sub2.scenario(Cell.bursty(270)).withSeed(2));

        assertThat(problem.jobs()).hasSizeGreaterThan(1_200);
        long before = System.nanoTime();
        Clairvoyant.of(problem).plan();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
    }
}
