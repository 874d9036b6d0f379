package dev.substraterouter.model;

/** How urgent a request is; the order of the constants is the order of service, most urgent first. */
public enum Priority {
    /** Served before everything else. */
    HIGH,
    /** The default. */
    NORMAL,
    /** Gives way while anyone of a higher priority waits for the same substrate. */
    LOW;

    /** Whether this priority is served strictly before {@code other}. */
    public boolean outranks(Priority other) {
        return compareTo(other) < 0;
    }
}
