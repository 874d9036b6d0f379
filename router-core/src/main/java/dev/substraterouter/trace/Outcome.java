package dev.substraterouter.trace;

/** How an attempt ended. */
public enum Outcome {
    /** Not yet. */
    OPEN,
    /** The work was done. */
    SUCCEEDED,
    /** The substrate failed while or after it had the request. */
    NODE_FAULT,
    /** The substrate never had the request. */
    NOT_STARTED,
    /** The substrate was full. */
    BUSY,
    /** The request or the caller was at fault. */
    REQUEST_FAULT,
    /** Closed without an outcome, cancelled or interrupted. */
    NEUTRAL
}
