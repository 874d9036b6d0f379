package dev.substraterouter.policy;

/** In what order waiters of one priority class are served. */
public enum QueueOrder {
    /** First come, first served. */
    ARRIVAL,
    /** By arrival plus weight times expected latency, smallest first. */
    WEIGHTED,
    /** As weighted, with requests that can no longer meet their deadline behind the others. */
    DEADLINE
}
