package dev.substraterouter.policy;

/** What happens to the last verdict when the status is too old. */
public enum OnStale {
    /** Nothing is placed until a fresh status comes. */
    CLOSED,
    /** The last verdict and figures stay in force, marked in the trace; a substrate never seen stays closed. */
    HOLD
}
