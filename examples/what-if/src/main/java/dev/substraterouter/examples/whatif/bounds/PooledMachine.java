package dev.substraterouter.examples.whatif.bounds;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** All machines of a problem as one of their joint speed, which always works on the job with the least left. */
final class PooledMachine {
    private static final double SAME = 1e-9;

    private final List<SchedulingProblem.Job> jobs;
    private final double[] work;
    private final Speeds speeds;

    private PooledMachine(List<SchedulingProblem.Job> jobs, double[] work, Speeds speeds) {
        this.jobs = jobs;
        this.work = work;
        this.speeds = speeds;
    }

    /** The pool; empty when the machines are not related. */
    static Optional<PooledMachine> of(SchedulingProblem problem) {
        double[] factors = factors(problem);
        double[] work = new double[problem.jobs().size()];
        for (int at = 0; at < work.length; at++) {
            List<Double> seconds = problem.jobs().get(at).seconds();
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (int machine = 0; machine < factors.length; machine++) {
                if (seconds.get(machine) < Double.POSITIVE_INFINITY) {
                    least = Math.min(least, seconds.get(machine) * factors[machine]);
                    most = Math.max(most, seconds.get(machine) * factors[machine]);
                }
            }
            if (most > least * (1 + SAME)) {
                return Optional.empty();
            }
            work[at] = least;
        }
        return Optional.of(new PooledMachine(problem.jobs(), work, joint(problem.machines(), factors)));
    }

    /**
     * How fast each machine is, by the jobs that run on two of them. Machines without a job in common get whatever factors: the work of
     * either is then done faster by the pool than it could be there, whatever they are.
     */
    private static double[] factors(SchedulingProblem problem) {
        double[] factors = new double[problem.machines().size()];
        for (int first = 0; first < factors.length; first++) {
            if (factors[first] == 0) {
                factors[first] = 1;
                boolean grows = true;
                while (grows) {
                    grows = spread(problem.jobs(), factors);
                }
            }
        }
        return factors;
    }

    private static boolean spread(List<SchedulingProblem.Job> jobs, double[] factors) {
        boolean grown = false;
        for (SchedulingProblem.Job job : jobs) {
            double work = 0;
            for (int machine = 0; machine < factors.length; machine++) {
                if (factors[machine] > 0 && job.seconds().get(machine) < Double.POSITIVE_INFINITY) {
                    work = factors[machine] * job.seconds().get(machine);
                }
            }
            for (int machine = 0; machine < factors.length && work > 0; machine++) {
                if (factors[machine] == 0 && job.seconds().get(machine) < Double.POSITIVE_INFINITY) {
                    factors[machine] = work / job.seconds().get(machine);
                    grown = true;
                }
            }
        }
        return grown;
    }

    private static Speeds joint(List<SchedulingProblem.Machine> machines, double[] factors) {
        TreeSet<Double> moments = new TreeSet<>();
        for (SchedulingProblem.Machine machine : machines) {
            for (int phase = 0; phase < machine.speeds().phases(); phase++) {
                moments.add(machine.speeds().phaseFrom(phase));
            }
        }
        List<Speeds.Phase> phases = new ArrayList<>();
        for (double moment : moments) {
            double speed = 0;
            for (int at = 0; at < factors.length; at++) {
                speed += machines.get(at).slots()
                        * factors[at]
                        * machines.get(at).speeds().at(moment);
            }
            phases.add(new Speeds.Phase(moment, speed, true));
        }
        return Speeds.of(phases);
    }

    /** The mean latency of the jobs. */
    double meanSeconds() {
        PriorityQueue<Double> left = new PriorityQueue<>();
        double now = 0;
        double latencies = 0;
        for (int next = 0; next < work.length || !left.isEmpty(); ) {
            double arrival = next < work.length ? jobs.get(next).arrivalSeconds() : Double.POSITIVE_INFINITY;
            if (left.isEmpty()) {
                now = Math.max(now, arrival);
                left.add(work[next]);
                latencies -= arrival;
                next++;
                continue;
            }
            double least = left.remove();
            double end = speeds.finishUngated(now, least);
            if (end <= arrival) {
                latencies += end;
                now = end;
            } else {
                left.add(Math.max(0, least - speeds.work(now, arrival)));
                now = arrival;
                left.add(work[next]);
                latencies -= arrival;
                next++;
            }
        }
        return latencies / work.length;
    }
}
