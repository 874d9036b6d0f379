package dev.substraterouter.verify;

/** How the queue stands for a request that finds nothing free. */
public enum QueueState {
    /** A place is free. */
    PLACE_FREE("a waiting place is free"),
    /** Every place is taken, one of them by somebody of a lower priority. */
    FULL_WITH_A_LOWER("every waiting place is taken, one of them by a lower priority"),
    /** Every place is taken by somebody of the same or a higher priority. */
    FULL("every waiting place is taken"),
    /** The request does not wait. */
    NO_WAIT("the request does not wait");

    private final String words;

    QueueState(String words) {
        this.words = words;
    }

    /** The state in words. */
    public String words() {
        return words;
    }
}
