package dev.substraterouter.trace;

/** By which way a placement was made. */
public enum ServingPath {
    /** The first candidate of the route as declared. */
    PRIMARY,
    /** A later candidate. */
    FALLBACK,
    /** An overflow substrate. */
    OVERFLOW,
    /** The batch path. */
    BATCH
}
