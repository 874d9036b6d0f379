package dev.substraterouter.internal.decide;

import org.jspecify.annotations.Nullable;

/** Where a decision reads the states of substrates: the live ones, copies, or states that somebody has put together. */
public interface States {
    /** The state of a substrate now; null when the revision that asks is not the newest any more. */
    @Nullable
    CellState state(int substrate);
}
