package dev.substraterouter;

/** The router takes no new work. A host answers 503. */
public final class RouterClosedException extends RoutingException {
    private static final long serialVersionUID = 1L;

    RouterClosedException(Refusal refusal) {
        super(refusal);
    }
}
