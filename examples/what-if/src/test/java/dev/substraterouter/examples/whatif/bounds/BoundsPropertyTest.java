package dev.substraterouter.examples.whatif.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BoundsPropertyTest {
    private static final double EXACT = 1e-6;

    /** The lower bound is below the optimum, that is not above what is found, and what is found is the optimum. */
    @Property(tries = 60)
    void theOptimumLiesBetween(@ForAll long seed, @ForAll boolean related, @ForAll boolean rejecting) {
        SchedulingProblem problem = Tiny.random(seed, related);

        double found = Clairvoyant.of(problem)
                .seed(seed)
                .steps(20_000)
                .rejecting(rejecting)
                .plan()
                .meanSeconds();
        double optimum = Tiny.optimum(problem, rejecting);

        assertThat(LowerBound.of(problem, rejecting).meanSeconds()).isLessThanOrEqualTo(optimum + EXACT);
        assertThat(found).isCloseTo(optimum, within(EXACT));
    }

    /** More steps or other places to start from change nothing in what a plan promises: its figures follow from its placements. */
    @Property(tries = 100)
    void aPlanCanBeKept(@ForAll long seed, @ForAll boolean rejecting) {
        SchedulingProblem problem = Tiny.random(seed, true);
        Plan plan = Clairvoyant.of(problem)
                .seed(seed)
                .steps(300)
                .rejecting(rejecting)
                .plan();

        double sum = plan.rejected() * problem.chargeSeconds();
        for (SchedulingProblem.Machine machine : problem.machines()) {
            sum += latenciesOn(machine, problem, plan);
        }
        assertThat(plan.placed().size() + plan.rejected())
                .isEqualTo(problem.jobs().size());
        assertThat(plan.meanSeconds()).isCloseTo(sum / problem.jobs().size(), within(EXACT));
        assertThat(plan.meanSeconds())
                .isGreaterThanOrEqualTo(LowerBound.of(problem, rejecting).openSeconds() - EXACT);
    }

    private static double latenciesOn(SchedulingProblem.Machine machine, SchedulingProblem problem, Plan plan) {
        int index = problem.machines().indexOf(machine);
        Map<Long, SchedulingProblem.Job> jobs = new HashMap<>();
        problem.jobs().forEach(job -> jobs.put(job.request(), job));
        List<Double> ends = new ArrayList<>();
        double sum = 0;
        List<Placed> here = plan.placed().stream()
                .filter(one -> one.substrate().equals(machine.substrate()))
                .sorted(Comparator.comparingDouble(Placed::startSeconds))
                .toList();
        for (Placed one : here) {
            SchedulingProblem.Job job = jobs.get(one.request());
            ends.removeIf(end -> end <= one.startSeconds() + EXACT);
            assertThat(ends.size()).isLessThan(machine.slots());
            assertThat(one.startSeconds()).isGreaterThanOrEqualTo(job.arrivalSeconds());
            assertThat(machine.speeds().nextOpen(one.startSeconds())).isEqualTo(one.startSeconds());
            double end =
                    machine.speeds().finish(one.startSeconds(), job.seconds().get(index));
            ends.add(end);
            sum += end - job.arrivalSeconds();
        }
        return sum;
    }
}
