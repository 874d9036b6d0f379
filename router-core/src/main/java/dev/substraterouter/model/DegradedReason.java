package dev.substraterouter.model;

/** In what way a placement is less than the primary as it was declared. */
public enum DegradedReason {
    /** Another candidate than the route's first serves it. */
    NOT_PRIMARY,
    /** Its expected latency is above the primary's. */
    SLOWER,
    /** Its declared quality is below the primary's. */
    LOWER_QUALITY,
    /** The substrate reports its models, and this one's is not among them: it has to be loaded first. */
    COLD,
    /** The status it was judged by is stale and was held ({@code on_stale: hold}). */
    STALE_HELD,
    /** It goes to the batch path. */
    BATCH
}
