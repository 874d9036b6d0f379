package dev.substraterouter.batch;

/** The store has no room for another job; the message carries the numbers. Carries no stack trace: a refusal is an answer, not a defect. */
public final class BatchFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A refusal with its numbers in words, for example {@code "batch store full: jobs 1000/1000"}. */
    public BatchFullException(String message) {
        super(message, null, true, false);
    }
}
