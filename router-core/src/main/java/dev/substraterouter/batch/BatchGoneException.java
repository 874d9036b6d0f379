package dev.substraterouter.batch;

/**
 * This ticket will not tell how its job ended: the store does not keep it any more, or the dispatcher was closed before the job ended. In
 * the second case the job goes on, and another dispatcher on the same store has a ticket for it. Carries no stack trace.
 */
public final class BatchGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String id;

    BatchGoneException(String id, String why) {
        super("batch job " + id + ": " + why, null, true, false);
        this.id = id;
    }

    /** The job's id. */
    public String id() {
        return id;
    }
}
