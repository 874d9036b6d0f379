package dev.substraterouter.trace;

/** How a wait in the queue ended. */
public enum WaitEnd {
    /** With a place. */
    PLACED,
    /** With a refusal. */
    REFUSED,
    /** Whoever asked has given it up: interrupted, cancelled, or past its own time. */
    WITHDRAWN
}
