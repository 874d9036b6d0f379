package dev.substraterouter.batch;

/** A job was cancelled. Carries no stack trace. */
public final class BatchCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String id;

    BatchCancelledException(String id) {
        super("batch job " + id + " was cancelled", null, true, false);
        this.id = id;
    }

    /** The job's id. */
    public String id() {
        return id;
    }
}
