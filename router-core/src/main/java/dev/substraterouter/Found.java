package dev.substraterouter;

import org.jspecify.annotations.Nullable;

/**
 * What came of looking for a place: one of the three is there.
 *
 * @param grant a lease was taken
 * @param refusal it was turned down
 * @param pending it waits
 */
record Found(
        @Nullable Grant grant,
        @Nullable Refusal refusal,
        @Nullable Pending pending) {
    static Found granted(Grant grant) {
        return new Found(grant, null, null);
    }

    static Found refused(Refusal refusal) {
        return new Found(null, refusal, null);
    }

    static Found waits(Pending pending) {
        return new Found(null, null, pending);
    }
}
