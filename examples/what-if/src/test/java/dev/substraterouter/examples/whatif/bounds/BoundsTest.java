package dev.substraterouter.examples.whatif.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.substraterouter.examples.whatif.bounds.SchedulingProblem.Job;
import dev.substraterouter.examples.whatif.bounds.SchedulingProblem.Machine;
import dev.substraterouter.examples.whatif.bounds.Speeds.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small cases, computed by hand. */
class BoundsTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final Machine ONE = new Machine("one", 1, Speeds.constant(1));

    private static SchedulingProblem problem(List<Machine> machines, Job... jobs) {
        return new SchedulingProblem(machines, List.of(jobs), 300);
    }

    private static Job job(long number, double arrival, Double... seconds) {
        return new Job(number, arrival, List.of(seconds));
    }

    private static Plan plan(SchedulingProblem problem) {
        return Clairvoyant.of(problem).steps(2_000).plan();
    }

    @Test
    void theShortJobGoesFirst() {
        SchedulingProblem problem = problem(List.of(ONE), job(0, 0, 10.0), job(1, 0, 2.0));

        Plan plan = plan(problem);

        assertThat(plan.meanSeconds()).isEqualTo((2 + 12) / 2.0);
        assertThat(plan.placed()).containsExactly(new Placed(0, "one", 2), new Placed(1, "one", 0));
        LowerBound bound = LowerBound.of(problem, false);
        assertThat(bound.pooledSeconds()).hasValue((2 + 12) / 2.0);
        assertThat(bound.aloneSeconds()).isEqualTo((10 + 2) / 2.0);
        assertThat(bound.meanSeconds()).isEqualTo(7);
    }

    @Test
    void theMachineStaysFreeForAShortJobThatIsAboutToCome() {
        SchedulingProblem problem = problem(List.of(ONE), job(0, 0, 100.0), job(1, 1, 1.0), job(2, 2, 1.0));

        // the long one last: ends at 103; first, it would hold up both: (100 + 100 + 100) / 3
        assertThat(plan(problem).meanSeconds()).isEqualTo((103 + 1 + 1) / 3.0);
        // stopped and resumed, the long one still ends at 102
        assertThat(LowerBound.of(problem, false).meanSeconds()).isEqualTo((102 + 1 + 1) / 3.0);
    }

    @Test
    void aTrainingRunIsAvoidedOrWaitedFor() {
        Machine fast = new Machine("fast", 1, Speeds.of(List.of(new Phase(0, 0.4, false), new Phase(5, 1, true))));
        SchedulingProblem long40 = problem(List.of(ONE, fast), job(0, 0, 40.0, 13.0));
        SchedulingProblem long12 = problem(List.of(ONE, fast), job(0, 0, 12.0, 13.0));

        assertThat(plan(long40).placed()).containsExactly(new Placed(0, "fast", 5));
        assertThat(plan(long40).meanSeconds()).isEqualTo(18);
        assertThat(plan(long12).meanSeconds()).isEqualTo(12);
        LowerBound bound = LowerBound.of(long40, true);
        assertThat(bound.openSeconds()).isEqualTo(18);
        assertThat(bound.aloneSeconds()).isCloseTo(5 + (13 - 2), within(1e-9));
        assertThat(bound.pooledSeconds()).isEmpty();
    }

    @Test
    void twoSlotsServeTwoAtOnce() {
        Machine two = new Machine("two", 2, Speeds.constant(1));
        SchedulingProblem problem = problem(List.of(two), job(0, 0, 10.0), job(1, 0, 10.0));

        assertThat(plan(problem).meanSeconds()).isEqualTo(10);
        // pooled: twice as fast, one after the other, 5 and 10; alone: 10
        assertThat(LowerBound.of(problem, false).pooledSeconds()).hasValue(7.5);
        assertThat(LowerBound.of(problem, false).meanSeconds()).isEqualTo(10);
    }

    @Test
    void whatCostsMoreThanTheChargeIsRejected() {
        SchedulingProblem problem = problem(List.of(ONE), job(0, 0, 1000.0), job(1, 0, 10.0));

        Plan plan = Clairvoyant.of(problem).steps(2_000).rejecting(true).plan();

        assertThat(plan.rejected()).isEqualTo(1);
        assertThat(plan.meanSeconds()).isEqualTo((300 + 10) / 2.0);
        assertThat(LowerBound.of(problem, true).meanSeconds()).isEqualTo((300 + 10) / 2.0);
    }

    @Test
    void machinesThatAreNotRelatedHaveNoPool() {
        Machine other = new Machine("other", 1, Speeds.constant(1));
        SchedulingProblem problem =
                problem(List.of(ONE, other), job(0, 0, 10.0, 5.0), job(1, 0, 10.0, 20.0), job(2, 0, 3.0, INFINITE));

        assertThat(LowerBound.of(problem, false).pooledSeconds()).isEmpty();
        assertThat(LowerBound.of(problem, false).meanSeconds()).isEqualTo((5 + 10 + 3) / 3.0);
    }

    @Test
    void machinesWithoutAJobInCommonAreStillPooled() {
        Machine other = new Machine("other", 1, Speeds.constant(1));
        SchedulingProblem problem = problem(List.of(ONE, other), job(0, 0, 10.0, INFINITE), job(1, 0, INFINITE, 4.0));

        // speed 2: 4 s of work by 2 s, 10 s of work by 7 s; alone it is more
        assertThat(LowerBound.of(problem, false).pooledSeconds()).hasValue((2 + 7) / 2.0);
        assertThat(LowerBound.of(problem, false).meanSeconds()).isEqualTo(7);
    }

    @Test
    void startsFromAGivenPlacement() {
        SchedulingProblem problem = problem(List.of(ONE), job(0, 0, 10.0), job(1, 0, 2.0), job(2, 0, 1.0));
        List<Placed> placed = List.of(new Placed(0, "one", 0), new Placed(1, "one", 10), new Placed(0, "one", 12));

        Plan serving = Clairvoyant.of(problem).steps(0).startingFrom(placed).plan();
        Plan rejecting = Clairvoyant.of(problem)
                .steps(0)
                .rejecting(true)
                .startingFrom(placed)
                .plan();

        assertThat(serving.placed())
                .containsExactly(new Placed(0, "one", 2), new Placed(1, "one", 0), new Placed(2, "one", 12));
        assertThat(rejecting.rejected()).isEqualTo(1);
        assertThat(rejecting.meanSeconds()).isEqualTo((12 + 2 + 300) / 3.0);
        assertThatThrownBy(() -> Clairvoyant.of(problem)
                        .startingFrom(List.of(new Placed(0, "elsewhere", 0)))
                        .plan())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutJobsThereIsNothingToDo() {
        SchedulingProblem problem = problem(List.of(ONE));

        assertThat(plan(problem)).isEqualTo(new Plan(0, 0, List.of()));
        assertThat(LowerBound.of(problem, false).meanSeconds()).isZero();
    }

    @Test
    void saysWhatIsWrongWithAProblem() {
        assertThatThrownBy(() -> problem(List.of(ONE), job(0, 5, 1.0), job(1, 4, 1.0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> problem(List.of(ONE), job(0, 0, INFINITE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> job(0, 0, 0.0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Machine("none", 0, Speeds.constant(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Clairvoyant.of(problem(List.of(ONE))).steps(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
