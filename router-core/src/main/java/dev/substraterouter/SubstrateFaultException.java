package dev.substraterouter;

import org.jspecify.annotations.Nullable;

/** Thrown by work: the substrate is at fault (a 5xx answer, a crashed worker). Counts towards its ejection. */
public class SubstrateFaultException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean outOfMemory;

    /** The substrate is at fault. */
    public SubstrateFaultException(String message) {
        this(message, null);
    }

    /** The substrate is at fault, because of something. */
    public SubstrateFaultException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private SubstrateFaultException(String message, @Nullable Throwable cause, boolean outOfMemory) {
        super(message, cause);
        this.outOfMemory = outOfMemory;
    }

    /** The worker ran out of GPU memory: it is full, not broken, so the router goes elsewhere and ejects nothing. */
    public static SubstrateFaultException outOfMemory(String message) {
        return new SubstrateFaultException(message, null, true);
    }

    /** Whether the worker ran out of GPU memory. */
    public final boolean isOutOfMemory() {
        return outOfMemory;
    }
}
