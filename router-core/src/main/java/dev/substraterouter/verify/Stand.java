package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.CellState;
import java.util.List;

/**
 * A substrate as it stands in a situation: its state as the router would have it, and what the request or the queue adds.
 *
 * @param state its state
 * @param extra what else keeps the request from it
 * @param standing the same for whoever reads it
 * @param code what brings it about in a test, a statement a line; null: no test can
 */
record Stand(
        CellState state,
        Extra extra,
        Standing standing,
        @org.jspecify.annotations.Nullable List<String> code) {
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

    boolean free() {
        return standing.free();
    }
}
