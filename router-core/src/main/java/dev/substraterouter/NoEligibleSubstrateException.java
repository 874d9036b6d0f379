package dev.substraterouter;

/** No substrate could ever serve the request. A host answers 422. */
public final class NoEligibleSubstrateException extends RoutingException {
    private static final long serialVersionUID = 1L;

    NoEligibleSubstrateException(Refusal refusal) {
        super(refusal);
    }
}
