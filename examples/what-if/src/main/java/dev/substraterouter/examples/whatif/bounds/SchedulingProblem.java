package dev.substraterouter.examples.whatif.bounds;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Scenario;
import java.util.List;

/**
 * A run as one sees it who knows everything in advance: the jobs with their arrivals and sizes, and the machines with their speeds over
 * time. Immutable.
 *
 * @param machines the machines, in the order of the policy
 * @param jobs the jobs, in the order of arrival
 * @param chargeSeconds what a rejected job is charged
 */
public record SchedulingProblem(List<Machine> machines, List<Job> jobs, double chargeSeconds) {
    /** Checks that every job can run somewhere and fits the machines. */
    public SchedulingProblem {
        machines = List.copyOf(machines);
        jobs = List.copyOf(jobs);
        double last = 0;
        for (Job job : jobs) {
            if (job.seconds().size() != machines.size() || job.leastSeconds() == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("job " + job + " (expected: a time on each of " + machines.size()
                        + " machines, on one at least a finite one)");
            }
            if (!(job.arrivalSeconds() >= last)) {
                throw new IllegalArgumentException(
                        "job " + job + " comes after one of " + last + " s (expected: in the order of arrival)");
            }
            last = job.arrivalSeconds();
        }
    }

    /**
     * The problem that a scenario poses. Requests may run on their workload's route or pin. Episodes slow a node and make it unavailable.
     * Faults, the loading of models, memory and jobs of others are left out: each of them could only make things worse.
     */
    public static SchedulingProblem of(Policy policy, Scenario scenario) {
        return new ProblemReader(policy, scenario).read();
    }

    /**
     * A machine.
     *
     * @param substrate its id
     * @param slots how many jobs run at full speed
     * @param speeds what its surroundings leave of its speed
     */
    public record Machine(String substrate, int slots, Speeds speeds) {
        /** Checks the slots. */
        public Machine {
            if (slots < 1) {
                throw new IllegalArgumentException("'" + substrate + "' has " + slots + " slots (expected: 1 or more)");
            }
        }
    }

    /**
     * A job.
     *
     * @param request the request's number
     * @param arrivalSeconds when it comes
     * @param seconds how long it takes on each machine at speed 1, in their order; infinite: it cannot run there
     */
    public record Job(long request, double arrivalSeconds, List<Double> seconds) {
        /** Checks the times. */
        public Job {
            seconds = List.copyOf(seconds);
            if (!(arrivalSeconds >= 0 && seconds.stream().allMatch(one -> one > 0))) {
                throw new IllegalArgumentException("arrival " + arrivalSeconds + " s, times " + seconds
                        + " (expected: from 0 s on, times above 0)");
            }
        }

        /** How long it takes where it is fastest. */
        public double leastSeconds() {
            double least = Double.POSITIVE_INFINITY;
            for (double one : seconds) {
                least = Math.min(least, one);
            }
            return least;
        }
    }
}
