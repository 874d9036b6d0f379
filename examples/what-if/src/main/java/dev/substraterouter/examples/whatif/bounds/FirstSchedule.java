package dev.substraterouter.examples.whatif.bounds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Schedules to start from. */
final class FirstSchedule {
    /** How much later a job's turn comes for each second of its size. */
    private static final double[] WEIGHTS = {0, 1, 3, 10};

    private final SchedulingProblem problem;
    private final boolean rejecting;

    FirstSchedule(SchedulingProblem problem, boolean rejecting) {
        this.problem = problem;
        this.rejecting = rejecting;
    }

    /** One after the other where each ends first, in several orders; the best. */
    SlotSchedule greedy() {
        SlotSchedule best = greedy(WEIGHTS[0]);
        for (int at = 1; at < WEIGHTS.length; at++) {
            SlotSchedule other = greedy(WEIGHTS[at]);
            best = other.total() < best.total() ? other : best;
        }
        return best;
    }

    private SlotSchedule greedy(double weight) {
        SlotSchedule schedule = new SlotSchedule(problem);
        List<Integer> order = new ArrayList<>();
        for (int job = 0; job < problem.jobs().size(); job++) {
            order.add(job);
        }
        order.sort(Comparator.comparingDouble(job -> key(problem.jobs().get(job), weight)));
        order.forEach(job -> append(schedule, job));
        return schedule;
    }

    private static double key(SchedulingProblem.Job job, double weight) {
        return job.arrivalSeconds() + weight * job.leastSeconds();
    }

    /** The jobs on the substrates and in the order in which they were placed. */
    SlotSchedule asPlaced(List<Placed> placed) {
        SlotSchedule schedule = new SlotSchedule(problem);
        Map<Long, Placed> last = new HashMap<>();
        placed.forEach(one -> last.put(one.request(), one));
        List<Start> starts = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        for (int job = 0; job < problem.jobs().size(); job++) {
            Placed one = last.get(problem.jobs().get(job).request());
            if (one != null) {
                starts.add(new Start(job, one));
            } else if (!rejecting) {
                others.add(job);
            }
        }
        starts.sort(Comparator.comparingDouble(start -> start.placed.startSeconds()));
        starts.forEach(start -> append(schedule, start.job, firstFree(schedule, start.job, start.placed.substrate())));
        others.forEach(job -> append(schedule, job));
        return schedule;
    }

    /** A job with its given placement. */
    private record Start(int job, Placed placed) {}

    private int firstFree(SlotSchedule schedule, int job, String substrate) {
        int best = -1;
        for (int slot = 0; slot < schedule.slots(); slot++) {
            boolean there =
                    problem.machines().get(schedule.machineOf(slot)).substrate().equals(substrate);
            if (there && schedule.runsOn(job, slot) && (best < 0 || schedule.free(slot) < schedule.free(best))) {
                best = slot;
            }
        }
        if (best < 0) {
            throw new IllegalArgumentException(
                    "request " + problem.jobs().get(job).request() + " is placed on '" + substrate
                            + "' (expected: a substrate it may run on)");
        }
        return best;
    }

    private static void append(SlotSchedule schedule, int job) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int slot = 0; slot < schedule.slots(); slot++) {
            if (schedule.runsOn(job, slot)) {
                double end = schedule.finish(job, slot, schedule.free(slot));
                if (end < least) {
                    least = end;
                    best = slot;
                }
            }
        }
        append(schedule, job, best);
    }

    private static void append(SlotSchedule schedule, int job, int slot) {
        int place = schedule.length(slot);
        schedule.insert(job, slot, place);
        schedule.evaluate(slot, place, place);
        schedule.mark();
    }
}
