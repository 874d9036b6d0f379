package dev.substraterouter.probe.http;

/**
 * There is no status, and why, in words for people. The message never holds a token or a part of a body. It has no stack trace: an expected
 * answer of the network, not a fault of this code.
 */
public final class NoStatusException extends Exception {
    private static final long serialVersionUID = 1L;

    /** There is none, for this reason: short, and with no part of the body. */
    public NoStatusException(String reason) {
        super(reason, null, false, false);
    }

    /** Why there is none. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
