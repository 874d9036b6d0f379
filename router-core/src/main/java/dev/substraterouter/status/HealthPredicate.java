package dev.substraterouter.status;

/**
 * A yes or no about a status, on top of the router's own four measures.
 *
 * <p>The router asks each predicate once for each status that arrives, on the thread that brings the status and outside every lock, and
 * keeps the answer until the next one. A predicate that throws has said no. It must be thread-safe and should not block.
 */
@FunctionalInterface
public interface HealthPredicate {
    /** Judges a status. */
    Verdict test(SubstrateStatus status, HealthContext context);

    /** Passes only when both pass; the first reason is told. */
    default HealthPredicate and(HealthPredicate other) {
        return (status, context) -> {
            Verdict first = test(status, context);
            return first.passes() ? other.test(status, context) : first;
        };
    }
}
