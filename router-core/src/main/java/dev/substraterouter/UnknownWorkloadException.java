package dev.substraterouter;

/** The policy has no such workload. A host answers 404. */
public final class UnknownWorkloadException extends RoutingException {
    private static final long serialVersionUID = 1L;

    UnknownWorkloadException(Refusal refusal) {
        super(refusal);
    }
}
