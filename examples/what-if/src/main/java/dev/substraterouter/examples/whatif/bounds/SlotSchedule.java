package dev.substraterouter.examples.whatif.bounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sequence of jobs in each slot, and from it when each job ends. A change re-evaluates its slots only from the changed place on and only
 * until a job ends as before; what was changed since the last {@link #mark} can be taken back. Not thread-safe.
 */
final class SlotSchedule {
    /** The slot of a job that is rejected. */
    static final int REJECTED = -1;

    private final SchedulingProblem problem;
    private final double[] arrival;
    private final double[][] seconds;
    private final int[] machine;
    private final int[][] sequence;
    private final int[] length;
    private final int[] slot;
    /** When each job ends; a rejected one when its charge has passed. */
    private final double[] end;

    private double total;

    private final Undo undo = new Undo();

    SlotSchedule(SchedulingProblem problem) {
        this.problem = problem;
        int jobs = problem.jobs().size();
        int slots = 0;
        for (SchedulingProblem.Machine one : problem.machines()) {
            slots += one.slots();
        }
        arrival = new double[jobs];
        seconds = new double[problem.machines().size()][jobs];
        machine = new int[slots];
        sequence = new int[slots][8];
        length = new int[slots];
        slot = new int[jobs];
        end = new double[jobs];
        Arrays.fill(slot, REJECTED);
        for (int job = 0; job < jobs; job++) {
            arrival[job] = problem.jobs().get(job).arrivalSeconds();
            end[job] = arrival[job] + problem.chargeSeconds();
            total += problem.chargeSeconds();
            for (int at = 0; at < seconds.length; at++) {
                seconds[at][job] = problem.jobs().get(job).seconds().get(at);
            }
        }
        for (int at = 0, next = 0; at < seconds.length; at++) {
            for (int here = 0; here < problem.machines().get(at).slots(); here++) {
                machine[next++] = at;
            }
        }
    }

    int jobs() {
        return arrival.length;
    }

    int slots() {
        return machine.length;
    }

    int slotOf(int job) {
        return slot[job];
    }

    int machineOf(int ofSlot) {
        return machine[ofSlot];
    }

    boolean runsOn(int job, int inSlot) {
        return seconds[machine[inSlot]][job] < Double.POSITIVE_INFINITY;
    }

    int length(int ofSlot) {
        return length[ofSlot];
    }

    int job(int inSlot, int place) {
        return sequence[inSlot][place];
    }

    double arrival(int job) {
        return arrival[job];
    }

    double end(int job) {
        return end[job];
    }

    /** The sum of latencies, charges included. */
    double total() {
        return total;
    }

    /** When the last job of a slot ends; 0 without one. */
    double free(int ofSlot) {
        return length[ofSlot] == 0 ? 0 : end[sequence[ofSlot][length[ofSlot] - 1]];
    }

    /** When a job would end that was ready at a moment and had a slot. */
    double finish(int job, int inSlot, double ready) {
        int at = machine[inSlot];
        return problem.machines().get(at).speeds().finish(Math.max(ready, arrival[job]), seconds[at][job]);
    }

    /** The place of a job in its slot. */
    int placeOf(int job) {
        int[] jobs = sequence[slot[job]];
        int place = firstAfter(slot[job], end[job]) - 1;
        while (jobs[place] != job) {
            place--; // only where several end at once, after which nothing ever ends
        }
        return place;
    }

    /** The place of the first job in a slot that ends after a moment. */
    int firstAfter(int inSlot, double moment) {
        int low = 0;
        int high = length[inSlot];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (end[sequence[inSlot][middle]] <= moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Puts a job that has no slot at a place, without finding ends anew. */
    void insert(int job, int inSlot, int place) {
        undo.structure(job, inSlot, place, true);
        insertRaw(job, inSlot, place);
    }

    /** Takes a job from its place, without finding ends anew. */
    void remove(int job, int place) {
        undo.structure(job, slot[job], place, false);
        removeRaw(job, place);
    }

    /** Rejects a job that has no slot. */
    void charge(int job) {
        setEnd(job, arrival[job] + problem.chargeSeconds());
    }

    private void insertRaw(int job, int inSlot, int place) {
        if (length[inSlot] == sequence[inSlot].length) {
            sequence[inSlot] = Arrays.copyOf(sequence[inSlot], 2 * length[inSlot]);
        }
        System.arraycopy(sequence[inSlot], place, sequence[inSlot], place + 1, length[inSlot] - place);
        sequence[inSlot][place] = job;
        length[inSlot]++;
        slot[job] = inSlot;
    }

    private void removeRaw(int job, int place) {
        int from = slot[job];
        length[from]--;
        System.arraycopy(sequence[from], place + 1, sequence[from], place, length[from] - place);
        slot[job] = REJECTED;
    }

    /**
     * Finds the ends in a slot anew.
     *
     * @param first the first place that may have changed
     * @param last the last place that may have changed; after it, one end as before means all are
     */
    void evaluate(int inSlot, int first, int last) {
        double free = first == 0 ? 0 : end[sequence[inSlot][first - 1]];
        for (int place = first; place < length[inSlot]; place++) {
            int job = sequence[inSlot][place];
            double found = finish(job, inSlot, free);
            if (place > last && found == end[job]) {
                return;
            }
            setEnd(job, found);
            free = found;
        }
    }

    private void setEnd(int job, double value) {
        undo.end(job, end[job]);
        total += value - end[job];
        end[job] = value;
    }

    /** What is changed from now on can be taken back. */
    void mark() {
        undo.clear();
        undo.total = total;
    }

    /** Takes back what was changed since the last mark. */
    void takeBack() {
        for (int at = undo.ends - 1; at >= 0; at--) {
            end[undo.endJob[at]] = undo.endBefore[at];
        }
        for (int at = undo.structures - 1; at >= 0; at--) {
            int[] one = undo.structure[at];
            if (one[3] == 1) {
                removeRaw(one[0], one[2]);
            } else {
                insertRaw(one[0], one[1], one[2]);
            }
        }
        total = undo.total;
        undo.clear();
    }

    /** The jobs of each slot in their order. */
    int[][] sequences() {
        int[][] copy = new int[sequence.length][];
        for (int at = 0; at < copy.length; at++) {
            copy[at] = Arrays.copyOf(sequence[at], length[at]);
        }
        return copy;
    }

    /** Brings the sequences back; what was changed before can no longer be taken back. */
    void restore(int[][] sequences) {
        Arrays.fill(slot, REJECTED);
        Arrays.fill(length, 0);
        total = 0;
        for (int job = 0; job < jobs(); job++) {
            end[job] = arrival[job] + problem.chargeSeconds();
            total += problem.chargeSeconds();
        }
        for (int at = 0; at < sequences.length; at++) {
            for (int job : sequences[at]) {
                insertRaw(job, at, length[at]);
            }
            evaluate(at, 0, length[at]);
        }
        mark();
    }

    /** The schedule as it is now. */
    Plan plan() {
        List<Placed> placed = new ArrayList<>();
        double sum = 0;
        long rejected = 0;
        for (int job = 0; job < jobs(); job++) {
            sum += end[job] - arrival[job];
            if (slot[job] == REJECTED) {
                rejected++;
                continue;
            }
            int place = placeOf(job);
            SchedulingProblem.Machine on = problem.machines().get(machine[slot[job]]);
            double free = place == 0 ? 0 : end[sequence[slot[job]][place - 1]];
            placed.add(new Placed(
                    problem.jobs().get(job).request(),
                    on.substrate(),
                    on.speeds().nextOpen(Math.max(free, arrival[job]))));
        }
        return new Plan(sum / jobs(), rejected, placed);
    }
}
