package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.trace.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A substrate as it stands in a situation: its state as the router would have it, and what the request or the queue adds.
 *
 * @param state its state
 * @param extra what else keeps the request from it
 * @param standing the same for whoever reads it
 * @param jobs how many job slots are taken
 * @param outNanos for how long it is out, where that is known; 0 else
 * @param code what brings it about in a test, a statement a line; null: no test can
 */
record Stand(
        CellState state,
        Extra extra,
        Standing standing,
        int jobs,
        long outNanos,
        @Nullable List<String> code) {
    /** What keeps a request from a substrate beside the substrate's state. */
    enum Extra {
        NOTHING,
        /** The request does not want it. */
        AVOIDED,
        /** It failed the request before. */
        FAILED_BEFORE,
        /** It told the request to come back later. */
        TOLD_TO_WAIT,
        /** One that waits claims it. */
        CLAIMED,
        /** One of a higher priority waits for it. */
        WANTED
    }

    /** One that is brought about by what it says of itself, or by what is done to it. */
    static Stand of(CellState state, Reason reason, String words, @Nullable List<String> code) {
        return new Stand(state, Extra.NOTHING, Standing.of(reason, words), 0, 0, code);
    }

    Stand withJobs(int taken) {
        return new Stand(state, extra, standing, taken, outNanos, code);
    }

    Stand outFor(long nanos) {
        return new Stand(state, extra, standing, jobs, nanos, code);
    }

    boolean free() {
        return standing.free();
    }
}
