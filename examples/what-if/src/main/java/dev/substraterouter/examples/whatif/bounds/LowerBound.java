package dev.substraterouter.examples.whatif.bounds;

import java.util.OptionalDouble;

/**
 * A mean latency below which no placement comes, not even one that knows the future, stops jobs and moves them.
 *
 * <p>Alone: no job is answered faster than on the machine that would serve it fastest if it were the only one; in a run in which requests
 * may be rejected it counts at most the charge. Pooled: if all requests are served, and the machines are related (one is as much faster than
 * another for every job), they do no better together than one machine of their joint speed that always works on the job with the least
 * left and stops another for it at no cost. Jobs may start at any moment, unavailable or not: a router that does not know of a training
 * run does start them. Who never starts one on an unavailable machine has a higher bound, {@code openSeconds}.
 *
 * @param meanSeconds the bound: the larger of alone and pooled
 * @param aloneSeconds the mean of each job's latency if it were alone
 * @param openSeconds the mean of each job's latency if it were alone and started only while its machine is available
 * @param pooledSeconds the mean on the pooled machine; empty: requests may be rejected, or the machines are not related
 */
public record LowerBound(double meanSeconds, double aloneSeconds, double openSeconds, OptionalDouble pooledSeconds) {
    /**
     * The bound of a problem.
     *
     * @param rejecting whether requests may be rejected at the charge
     */
    public static LowerBound of(SchedulingProblem problem, boolean rejecting) {
        if (problem.jobs().isEmpty()) {
            return new LowerBound(0, 0, 0, OptionalDouble.empty());
        }
        double charge = rejecting ? problem.chargeSeconds() : Double.POSITIVE_INFINITY;
        double alone = alone(problem, charge, Speeds::finishUngated);
        double open = alone(problem, charge, Speeds::finish);
        OptionalDouble pooled = rejecting ? OptionalDouble.empty() : pooled(problem);
        return new LowerBound(Math.max(alone, pooled.orElse(0)), alone, open, pooled);
    }

    private static OptionalDouble pooled(SchedulingProblem problem) {
        return PooledMachine.of(problem).stream()
                .mapToDouble(PooledMachine::meanSeconds)
                .findFirst();
    }

    /** When a job is done. */
    private interface Finish {
        double at(Speeds speeds, double readySeconds, double work);
    }

    private static double alone(SchedulingProblem problem, double charge, Finish finish) {
        double sum = 0;
        for (SchedulingProblem.Job job : problem.jobs()) {
            double best = charge;
            for (int machine = 0; machine < problem.machines().size(); machine++) {
                double seconds = job.seconds().get(machine);
                if (seconds < Double.POSITIVE_INFINITY) {
                    Speeds speeds = problem.machines().get(machine).speeds();
                    best = Math.min(best, finish.at(speeds, job.arrivalSeconds(), seconds) - job.arrivalSeconds());
                }
            }
            sum += best;
        }
        return sum / problem.jobs().size();
    }
}
