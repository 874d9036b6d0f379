package dev.substraterouter.policy;

/** In what order waiters are served. */
public enum QueueOrder {
    /** By priority with age, then first come, first served. */
    ARRIVAL,
    /** By arrival plus the weight of the declared priority times expected latency, smallest first. */
    WEIGHTED,
    /**
     * As weighted, with requests that can no longer meet their deadline behind the others; when the places are full and nobody of a lower
     * priority waits, one of them leaves for an equal that can meet its own.
     */
    DEADLINE
}
