package dev.substraterouter.examples.whatif.bounds;

import dev.substraterouter.simulate.RandomStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A good schedule by somebody who knows all arrivals, sizes and speeds in advance: jobs are not stopped once they run, they start only while
 * their machine is available, and each has a slot for itself. Found by simulated annealing over the sequences of jobs in the slots, so it
 * can be kept, but a better one may exist. Not thread-safe.
 *
 * <p>With {@link #rejecting} a job may be left out at its charge instead. The number of waiting places is not part of the problem: a
 * schedule that knows the future has no need to hold more than it will serve.
 *
 * <pre>{@code
 * Plan plan = Clairvoyant.of(SchedulingProblem.of(policy, scenario)).seed(scenario.seed()).rejecting(true).plan();
 * }</pre>
 */
public final class Clairvoyant {
    private static final long STREAM = 90;

    private final SchedulingProblem problem;
    private int steps = 100_000;
    private long seed = 1;
    private boolean rejecting;
    private @Nullable List<Placed> start;

    private Clairvoyant(SchedulingProblem problem) {
        this.problem = Objects.requireNonNull(problem, "problem");
    }

    /** A search for a problem's schedule. */
    public static Clairvoyant of(SchedulingProblem problem) {
        return new Clairvoyant(problem);
    }

    /** How many changes to try, 0 or more; default 100,000. */
    public Clairvoyant steps(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("steps " + value + " (expected: 0 or more)");
        }
        steps = value;
        return this;
    }

    /** The number of the run, whose random stream 90 is used; default 1. */
    public Clairvoyant seed(long value) {
        seed = value;
        return this;
    }

    /** Whether jobs may be rejected at the problem's charge; default false. */
    public Clairvoyant rejecting(boolean value) {
        rejecting = value;
        return this;
    }

    /**
     * Where to start from; default the best of some greedy schedules. Of each request the last entry counts. Requests that are not in it
     * are rejected at first where that is allowed, and else served after the others.
     */
    public Clairvoyant startingFrom(List<Placed> placed) {
        start = List.copyOf(placed);
        return this;
    }

    /** The best schedule found. Equal inputs give equal schedules. */
    public Plan plan() {
        if (problem.jobs().isEmpty()) {
            return new Plan(0, 0, List.of());
        }
        FirstSchedule first = new FirstSchedule(problem, rejecting);
        SlotSchedule schedule = start == null ? first.greedy() : first.asPlaced(start);
        return new Annealing(problem, schedule, rejecting, RandomStream.of(seed, STREAM)).run(steps);
    }
}
