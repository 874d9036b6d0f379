package dev.substraterouter.batch;

/** Where a job stands. Each job ends in exactly one of {@link #SUCCEEDED}, {@link #DEAD} and {@link #CANCELLED}, and stays there. */
public enum BatchState {
    /** It waits for a place, or for its next attempt. */
    QUEUED,
    /** Its work has been started, and its claim has not run out. */
    RUNNING,
    /** Its work was done and the result recorded. */
    SUCCEEDED,
    /** It was given up, with its reasons: a dead letter. */
    DEAD,
    /** It was cancelled. */
    CANCELLED,
    /** The store does not know it: it has ended and is no longer kept, or it was never accepted. */
    FORGOTTEN;

    /** Whether it has ended. */
    public boolean ended() {
        return this != QUEUED && this != RUNNING;
    }
}
