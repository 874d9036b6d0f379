package dev.substraterouter.examples.whatif.bounds;

import java.util.OptionalDouble;

/**
 * A mean latency below which no placement comes, not even one that knows the future, stops jobs and moves them.
 *
 * <p>Alone: no job is answered faster than on the machine that would serve it fastest if it were the only one; in a run in which requests
 * may be rejected it counts at most the charge. Pooled: if all requests are served, and the machines are related (one is as much faster than
 * another for every job), they do no better together than one machine of their joint speed that always works on the job with the least
 * left and stops another for it at no cost. Jobs may start at any moment, unavailable or not: a router that does not know of a training
 * run does start them.
 *
 * @param meanSeconds the bound
 * @param aloneSeconds the mean of each job's latency if it were alone
 * @param pooledSeconds the mean on the pooled machine; empty: requests may be rejected, or the machines are not related
 */
public record LowerBound(double meanSeconds, double aloneSeconds, OptionalDouble pooledSeconds) {
    /**
     * The bound of a problem.
     *
     * @param rejecting whether requests may be rejected at the charge
     */
    public static LowerBound of(SchedulingProblem problem, boolean rejecting) {
        if (problem.jobs().isEmpty()) {
            return new LowerBound(0, 0, OptionalDouble.empty());
        }
        double alone = alone(problem, rejecting ? problem.chargeSeconds() : Double.POSITIVE_INFINITY);
        if (rejecting) {
            return new LowerBound(alone, alone, OptionalDouble.empty());
        }
        OptionalDouble pooled = PooledMachine.of(problem)
                .map(PooledMachine::meanSeconds)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
        return new LowerBound(Math.max(alone, pooled.orElse(0)), alone, pooled);
    }

    private static double alone(SchedulingProblem problem, double charge) {
        double sum = 0;
        for (SchedulingProblem.Job job : problem.jobs()) {
            double best = charge;
            for (int machine = 0; machine < problem.machines().size(); machine++) {
                double seconds = job.seconds().get(machine);
                if (seconds < Double.POSITIVE_INFINITY) {
                    Speeds speeds = problem.machines().get(machine).speeds();
                    best = Math.min(best, speeds.finishUngated(job.arrivalSeconds(), seconds) - job.arrivalSeconds());
                }
            }
            sum += best;
        }
        return sum / problem.jobs().size();
    }
}
