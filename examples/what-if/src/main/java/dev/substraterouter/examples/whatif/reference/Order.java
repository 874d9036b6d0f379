package dev.substraterouter.examples.whatif.reference;

/** Whose turn it is in the waiting line, and who leaves when it is too long. */
public enum Order {
    /** First come, first served; the newcomer leaves. */
    ARRIVAL,
    /** By arrival plus the weighted shortest service time; the newest batch request leaves, without one the newest. */
    WEIGHTED,
    /** As weighted, with interactive requests that are late in any case behind; the last in this order leaves. */
    DEADLINE
}
