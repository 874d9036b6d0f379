package dev.substraterouter;

/** Who asks may not ask for this. Tells nothing of the pool. */
public final class NotAuthorizedException extends RoutingException {
    private static final long serialVersionUID = 1L;

    NotAuthorizedException(Refusal refusal) {
        super(refusal);
    }
}
