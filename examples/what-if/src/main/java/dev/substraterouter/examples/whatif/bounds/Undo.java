package dev.substraterouter.examples.whatif.bounds;

import java.util.Arrays;

/** What was changed in a schedule since it was last cleared. Not thread-safe. */
final class Undo {
    int[] endJob = new int[64];
    double[] endBefore = new double[64];
    int ends;
    /** Job, slot, place, and 1 for put there or 0 for taken from there. */
    final int[][] structure = new int[8][4];

    int structures;
    double total;

    void end(int job, double before) {
        if (ends == endJob.length) {
            endJob = Arrays.copyOf(endJob, 2 * ends);
            endBefore = Arrays.copyOf(endBefore, 2 * ends);
        }
        endJob[ends] = job;
        endBefore[ends] = before;
        ends++;
    }

    void structure(int job, int slot, int place, boolean put) {
        int[] one = structure[structures++];
        one[0] = job;
        one[1] = slot;
        one[2] = place;
        one[3] = put ? 1 : 0;
    }

    void clear() {
        ends = 0;
        structures = 0;
    }
}
