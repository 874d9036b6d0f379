package dev.substraterouter.internal.plan;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The substrates of a route's many candidates, by which those that are shut are skipped. The first few are never skipped, so that there are
 * words for them. Immutable.
 */
public final class Many {
    /** How many are few: so many a person is told of. */
    public static final int FEW = 64;

    private final int[] substrates;
    /** Those that may be skipped, a bit each. */
    private final long[] later;

    private Many(int[] substrates, long[] later) {
        this.substrates = substrates;
        this.later = later;
    }

    /** Those of some candidates; null where they are few, or one is ruled out for good, or one may serve though its substrate is shut. */
    static @Nullable Many of(CandidatePlan[] candidates) {
        if (candidates.length <= FEW) {
            return null;
        }
        int[] substrates = new int[candidates.length];
        BitSet later = new BitSet();
        for (int at = 0; at < substrates.length; at++) {
            if (candidates[at].unusable != null || candidates[at].factsOnly) {
                return null;
            }
            substrates[at] = candidates[at].substrate.index;
            if (at >= FEW) {
                later.set(substrates[at]);
            }
        }
        return new Many(substrates, later.toLongArray());
    }

    /** How many there are. */
    public int count() {
        return substrates.length;
    }

    /** The substrate of a candidate. */
    public int substrate(int at) {
        return substrates[at];
    }

    /** The first candidate from a place on that must be looked at; {@link #count} when there is none. */
    public int next(Shutters shutters, int from) {
        if (from == FEW && !shutters.anyOpen(later)) { // word by word, while the order plays no part
            return substrates.length;
        }
        int at = from;
        while (at >= FEW && at < substrates.length && shutters.shut(substrates[at])) {
            at++;
        }
        return at;
    }
}
