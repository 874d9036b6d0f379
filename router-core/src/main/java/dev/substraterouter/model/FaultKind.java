package dev.substraterouter.model;

/** Whose fault a failure is; decides ejection, failover and how long the lease keeps counting. */
public enum FaultKind {
    /** The substrate failed while or after it had the request. Counts towards ejection; fails over when the request is idempotent. */
    NODE,
    /** The substrate never had the request (connection refused, no route). Counts towards ejection; always fails over. */
    NODE_NOT_STARTED,
    /** The substrate is full or out of memory. Marks it busy, fails over, ejects nothing. */
    BUSY,
    /** Nobody's fault: the caller cancelled or was interrupted. Moves nothing. */
    NEUTRAL,
    /** The request's or the caller's own fault. Goes back as it is, without failover. */
    REQUEST;

    /** Whether it counts as evidence against the substrate. */
    public boolean nodeFault() {
        return this == NODE || this == NODE_NOT_STARTED;
    }
}
