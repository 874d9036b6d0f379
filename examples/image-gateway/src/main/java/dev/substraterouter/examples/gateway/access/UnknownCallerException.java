package dev.substraterouter.examples.gateway.access;

/** No token where one is needed, or one that nobody has. The message does not tell which tokens there are. */
public final class UnknownCallerException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong. */
    public UnknownCallerException(String message) {
        super(message);
    }
}
