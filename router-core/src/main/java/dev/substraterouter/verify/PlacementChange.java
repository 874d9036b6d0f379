package dev.substraterouter.verify;

import java.util.List;
import java.util.Objects;

/**
 * What becomes of some requests in another way under a new policy than under the old one.
 *
 * @param subject the workload, or the first need; all needs that change alike are one change
 * @param roles the roles of whoever asks, under the new policy; none where it has none
 * @param before what the old policy does
 * @param after what the new one does
 * @param situation the first situation that was found, with few substrates that are not free and the answer of the new policy; of a route of
 *     more than 8 substrates it names those that matter, and the rest as {@code (all others)}
 * @param situations in how many situations it happens, as far as they were looked at
 * @param story all of it for people, in several lines
 */
public record PlacementChange(
        String subject,
        List<String> roles,
        Answer before,
        Answer after,
        Situation situation,
        long situations,
        String story) {
    /** Copies the list. */
    public PlacementChange {
        roles = List.copyOf(roles);
        Objects.requireNonNull(situation, "situation");
        Objects.requireNonNull(story, "story");
    }

    @Override
    public String toString() {
        return story;
    }
}
