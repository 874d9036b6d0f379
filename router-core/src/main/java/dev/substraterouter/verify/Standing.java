package dev.substraterouter.verify;

import dev.substraterouter.trace.Reason;
import java.util.Objects;
import java.util.Optional;

/**
 * How one substrate stands in a situation.
 *
 * @param reason what keeps everybody, or this request, from it; empty: it is free
 * @param words the same for people, for example {@code taken out by an operator}
 */
public record Standing(Optional<Reason> reason, String words) {
    /** Nothing keeps anybody from it. */
    static final Standing FREE = new Standing(Optional.empty(), "free");

    /** An operator has taken it out, which keeps everybody from it. */
    static final Standing BLOCKED = Standing.of(Reason.CORDONED, "taken out by an operator");

    /** Checks that nothing is null. */
    public Standing {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(words, "words");
    }

    static Standing of(Reason reason, String words) {
        return new Standing(Optional.of(reason), words);
    }

    /** Whether nothing keeps anybody from it. */
    public boolean free() {
        return reason.isEmpty();
    }

    @Override
    public String toString() {
        return words;
    }
}
