package dev.substraterouter.internal.decide;

import org.jspecify.annotations.Nullable;

/**
 * The substrates that a request has had its answer from: failed there, for good, or told to come back later. By id, since a reload may
 * renumber. Immutable.
 *
 * @param earlier what came before, or null
 * @param substrateId the substrate
 * @param forGood whether it is for the rest of the request
 * @param until until when it is not asked again, unless for good
 */
public record Exclusions(@Nullable Exclusions earlier, String substrateId, boolean forGood, long until) {
    /** With a newer entry, which replaces an earlier one for the same substrate. */
    static Exclusions with(@Nullable Exclusions before, String substrateId, boolean forGood, long until) {
        return new Exclusions(without(before, substrateId), substrateId, forGood, until);
    }

    @SuppressWarnings("ReferenceEquality") // an unchanged rest is handed on as it is
    private static @Nullable Exclusions without(@Nullable Exclusions all, String substrateId) {
        if (all == null || all.substrateId.equals(substrateId)) {
            return all == null ? null : all.earlier;
        }
        Exclusions rest = without(all.earlier, substrateId);
        return rest == all.earlier ? all : new Exclusions(rest, all.substrateId, all.forGood, all.until);
    }

    /** The newest entry for a substrate, or null. */
    static @Nullable Exclusions of(@Nullable Exclusions newest, String substrateId) {
        for (Exclusions one = newest; one != null; one = one.earlier) {
            if (one.substrateId.equals(substrateId)) {
                return one;
            }
        }
        return null;
    }
}
