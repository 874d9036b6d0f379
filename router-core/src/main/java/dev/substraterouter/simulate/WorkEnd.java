package dev.substraterouter.simulate;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How work on a node ended.
 *
 * @param kind how
 * @param retryAfter {@link Kind#REFUSED}, {@link Kind#OUT_OF_MEMORY}: when to come back; else zero
 * @param status {@link Kind#REFUSED}: the node's status; else null
 */
public record WorkEnd(
        Kind kind, Duration retryAfter, @Nullable SubstrateStatus status) {
    static WorkEnd of(Kind kind) {
        return new WorkEnd(kind, Duration.ZERO, null);
    }

    /** How work can end. */
    public enum Kind {
        /** Done. */
        DONE,
        /** The node was full and said so at once. */
        REFUSED,
        /** It did not fit into the node's memory. */
        OUT_OF_MEMORY,
        /** The connection was refused or timed out: it never began. */
        NOT_REACHED,
        /** The node failed while it ran. */
        NODE_FAILED,
        /** The host gave up on it. */
        GIVEN_UP
    }
}
