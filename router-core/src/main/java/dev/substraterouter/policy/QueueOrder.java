package dev.substraterouter.policy;

/** In what order waiters are served. */
public enum QueueOrder {
    /** By priority with age, then first come, first served. */
    ARRIVAL,
    /** By arrival plus the weight of the priority with age times expected latency, smallest first. */
    WEIGHTED,
    /** As weighted, with requests that can no longer meet their deadline behind the others. */
    DEADLINE
}
