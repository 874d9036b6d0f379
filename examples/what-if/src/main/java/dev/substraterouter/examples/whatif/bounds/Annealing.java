package dev.substraterouter.examples.whatif.bounds;

import dev.substraterouter.simulate.RandomStream;

/**
 * Tries small changes of a schedule, keeps those that better it and, the more seldom the longer it lasts, some that worsen it. Each change
 * moves jobs among their neighbours in time; those far apart have nothing to exchange.
 */
final class Annealing {
    /** The worsening that is kept with a probability of 1/e at the beginning and at the end, in mean sizes of a job. */
    private static final double WARM = 2;

    private static final double COLD = 0.02;
    private static final int NEAR = 3;

    private final SlotSchedule schedule;
    private final RandomStream random;
    private final boolean rejecting;
    private final double size;

    Annealing(SchedulingProblem problem, SlotSchedule schedule, boolean rejecting, RandomStream random) {
        this.schedule = schedule;
        this.random = random;
        this.rejecting = rejecting;
        double sum = 0;
        for (SchedulingProblem.Job job : problem.jobs()) {
            sum += job.leastSeconds();
        }
        this.size = sum / problem.jobs().size();
    }

    Plan run(int steps) {
        double temperature = WARM * size;
        double cooling = StrictMath.pow(COLD / WARM, 1.0 / Math.max(1, steps));
        double least = schedule.total();
        int[][] best = schedule.sequences();
        boolean better = false;
        for (int step = 0; step < steps; step++) {
            double before = schedule.total();
            schedule.mark();
            change();
            double worse = schedule.total() - before;
            if (worse > 0 && random.nextDouble() >= StrictMath.exp(-worse / temperature)) {
                schedule.takeBack();
            } else if (worse > 0 && better) {
                schedule.takeBack();
                best = schedule.sequences();
                better = false;
            } else if (schedule.total() < least) {
                least = schedule.total();
                better = true;
            }
            temperature *= cooling;
        }
        if (!better) {
            schedule.restore(best);
        }
        return schedule.plan();
    }

    private void change() {
        int job = random.nextInt(schedule.jobs());
        double kind = random.nextDouble();
        if (schedule.slotOf(job) == SlotSchedule.REJECTED) {
            relocate(job);
        } else if (rejecting && kind < 0.05) {
            reject(job);
        } else if (kind < 0.4) {
            swapNear(job);
        } else if (kind < 0.6) {
            exchange(job);
        } else {
            relocate(job);
        }
    }

    private void reject(int job) {
        leave(job);
        schedule.charge(job);
    }

    private void leave(int job) {
        int slot = schedule.slotOf(job);
        int place = schedule.placeOf(job);
        schedule.remove(job, place);
        schedule.evaluate(slot, place, place - 1);
    }

    /** Moves a job to another place, of its own slot or another, near the time at which it came or ended. */
    private void relocate(int job) {
        int slot = random.nextInt(schedule.slots());
        double near = random.nextDouble() < 0.5 ? schedule.arrival(job) : schedule.end(job);
        if (!schedule.runsOn(job, slot)) {
            return;
        }
        if (schedule.slotOf(job) != SlotSchedule.REJECTED) {
            leave(job);
        }
        int place = jittered(schedule.firstAfter(slot, near), schedule.length(slot));
        schedule.insert(job, slot, place);
        schedule.evaluate(slot, place, place);
    }

    /** Swaps a job with one a few places later in its slot. */
    private void swapNear(int job) {
        int slot = schedule.slotOf(job);
        int first = schedule.placeOf(job);
        int second = first + 1 + random.nextInt(NEAR);
        if (second >= schedule.length(slot)) {
            return;
        }
        int other = schedule.job(slot, second);
        schedule.remove(other, second);
        schedule.remove(job, first);
        schedule.insert(other, slot, first);
        schedule.insert(job, slot, second);
        schedule.evaluate(slot, first, second);
    }

    /** Exchanges a job with one of another slot that ends at about the same time. */
    private void exchange(int job) {
        int slot = random.nextInt(schedule.slots());
        int own = schedule.slotOf(job);
        if (slot == own || schedule.length(slot) == 0) {
            return;
        }
        int place = jittered(schedule.firstAfter(slot, schedule.end(job)), schedule.length(slot) - 1);
        int other = schedule.job(slot, place);
        if (!schedule.runsOn(job, slot) || !schedule.runsOn(other, own)) {
            return;
        }
        int ownPlace = schedule.placeOf(job);
        schedule.remove(job, ownPlace);
        schedule.remove(other, place);
        schedule.insert(other, own, ownPlace);
        schedule.insert(job, slot, place);
        schedule.evaluate(own, ownPlace, ownPlace);
        schedule.evaluate(slot, place, place);
    }

    private int jittered(int place, int most) {
        return Math.max(0, Math.min(most, place - NEAR + 1 + random.nextInt(2 * NEAR - 1)));
    }
}
