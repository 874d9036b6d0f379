package dev.substraterouter;

/** All candidates are busy, unhealthy or out, and the request could not or would not wait longer. A host answers 503 with {@link #retryAfter()}. */
public final class SubstratesBusyException extends RoutingException {
    private static final long serialVersionUID = 1L;

    SubstratesBusyException(Refusal refusal) {
        super(refusal);
    }
}
