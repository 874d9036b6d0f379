package dev.substraterouter.policy;

/** What a role may do to a running router. */
public enum Operation {
    /** Look at the pool and the traces. */
    VIEW,
    /** Take a substrate out and put it back. */
    CORDON,
    /** Take a substrate out and wait until its leases are gone. */
    DRAIN,
    /** End an ejection. */
    RESET,
    /** Have a substrate restarted. */
    KICK,
    /** Change the policy. */
    RELOAD
}
