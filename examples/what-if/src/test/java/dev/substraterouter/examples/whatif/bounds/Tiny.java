package dev.substraterouter.examples.whatif.bounds;

import dev.substraterouter.examples.whatif.bounds.SchedulingProblem.Job;
import dev.substraterouter.examples.whatif.bounds.SchedulingProblem.Machine;
import dev.substraterouter.simulate.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Problems small enough to be solved by trying everything. */
final class Tiny {
    private Tiny() {}

    /** Up to six jobs on a fast machine that is sometimes closed and on a slow one with one or two slots; related or not. */
    static SchedulingProblem random(long seed, boolean related) {
        RandomStream random = RandomStream.of(seed, 7);
        List<Machine> machines = List.of(
                new Machine("slow", 1 + random.nextInt(2), Speeds.constant(1)), new Machine("fast", 1, phases(random)));
        List<Job> jobs = new ArrayList<>();
        double arrival = 0;
        int count = 1 + random.nextInt(6);
        for (int at = 0; at < count; at++) {
            arrival += random.exponential(4);
            double seconds = 1 + random.exponential(10);
            double onFast = related ? seconds / 3 : seconds * (0.2 + random.nextDouble());
            boolean slowOnly = random.nextDouble() < 0.2;
            jobs.add(new Job(at, arrival, List.of(seconds, slowOnly ? Double.POSITIVE_INFINITY : onFast)));
        }
        return new SchedulingProblem(machines, jobs, 25);
    }

    private static Speeds phases(RandomStream random) {
        List<Speeds.Phase> phases = new ArrayList<>();
        double at = 0;
        for (int phase = 0; phase < 7; phase++) {
            boolean open = phase % 2 == 0;
            phases.add(new Speeds.Phase(at, open ? 0.5 + random.nextDouble() / 2 : 0.4, open));
            at += 1 + random.exponential(10);
        }
        return Speeds.of(phases);
    }

    /** The least mean latency of any schedule without needless gaps, each rejected job at its charge. */
    static double optimum(SchedulingProblem problem, boolean rejecting) {
        List<Integer> slots = new ArrayList<>();
        for (int machine = 0; machine < problem.machines().size(); machine++) {
            for (int slot = 0; slot < problem.machines().get(machine).slots(); slot++) {
                slots.add(machine);
            }
        }
        return least(problem, slots, new double[slots.size()], 0, 0, rejecting)
                / problem.jobs().size();
    }

    /** Every sequence in every slot is reached by appending the jobs one by one in some order. */
    private static double least(
            SchedulingProblem problem, List<Integer> slots, double[] free, int done, double sum, boolean rejecting) {
        if (done == (1 << problem.jobs().size()) - 1) {
            return sum;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int at = 0; at < problem.jobs().size(); at++) {
            if ((done & (1 << at)) != 0) {
                continue;
            }
            Job job = problem.jobs().get(at);
            int then = done | (1 << at);
            if (rejecting) {
                best = Math.min(best, least(problem, slots, free, then, sum + problem.chargeSeconds(), rejecting));
            }
            for (int slot = 0; slot < free.length; slot++) {
                double seconds = job.seconds().get(slots.get(slot));
                if (seconds < Double.POSITIVE_INFINITY) {
                    Speeds speeds = problem.machines().get(slots.get(slot)).speeds();
                    double before = free[slot];
                    free[slot] = speeds.finish(Math.max(before, job.arrivalSeconds()), seconds);
                    double latency = free[slot] - job.arrivalSeconds();
                    best = Math.min(best, least(problem, slots, free, then, sum + latency, rejecting));
                    free[slot] = before;
                }
            }
        }
        return best;
    }
}
