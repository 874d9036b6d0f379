package dev.substraterouter.verify;

import dev.substraterouter.trace.RefusalReason;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * What the router does with a request.
 *
 * @param substrateId where it is placed; empty: nowhere
 * @param batch whether it is placed by the batch path
 * @param external whether it is placed on an external substrate
 * @param refusal why it is turned down; empty: it is placed, or it waits
 */
public record Answer(Optional<String> substrateId, boolean batch, boolean external, Optional<RefusalReason> refusal) {
    /** It waits. */
    static final Answer WAITS = new Answer(Optional.empty(), false, false, Optional.empty());

    /** Checks that it is one answer. */
    public Answer {
        Objects.requireNonNull(substrateId, "substrateId");
        if (substrateId.isPresent() && refusal.isPresent()) {
            throw new IllegalArgumentException("placed on " + substrateId.get() + " and refused as " + refusal.get()
                    + " (expected: one of the two)");
        }
    }

    static Answer placed(String substrateId, boolean batch, boolean external) {
        return new Answer(Optional.of(substrateId), batch, external, Optional.empty());
    }

    static Answer refused(RefusalReason reason) {
        return new Answer(Optional.empty(), false, false, Optional.of(reason));
    }

    /** Whether it is placed. */
    public boolean placed() {
        return substrateId.isPresent();
    }

    /** Whether it waits in the queue. */
    public boolean waits() {
        return substrateId.isEmpty() && refusal.isEmpty();
    }

    @Override
    public String toString() {
        if (placed()) {
            return "placed on " + substrateId.orElseThrow() + (batch ? " by the batch path" : "")
                    + (external ? ", outside" : "");
        }
        return refusal.map(reason ->
                        "refused: " + reason.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .orElse("waits");
    }
}
