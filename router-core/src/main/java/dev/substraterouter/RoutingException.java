package dev.substraterouter;

import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.Optional;

/**
 * A request was turned down. Carries no stack trace: a refusal is an answer, not a defect. The message, which names every candidate's reason
 * with its numbers, is put together when it is read.
 */
public abstract sealed class RoutingException extends RuntimeException
        permits SubstratesBusyException,
                NoEligibleSubstrateException,
                NotAuthorizedException,
                UnknownWorkloadException,
                RouterClosedException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RoutingException(Refusal refusal) {
        super(null, null, true, false);
        this.refusal = refusal;
    }

    /** Why. */
    public RefusalReason reason() {
        return refusal.reason();
    }

    /** When it may be worth asking again; empty when asking again is of no use. */
    public Optional<Duration> retryAfter() {
        return refusal.retryAfter();
    }

    /** The request's trace. */
    public RoutingTrace trace() {
        return refusal.journey().trace();
    }

    /** Why in words, with the numbers. */
    @Override
    public String getMessage() {
        return refusal.message();
    }
}
