package dev.substraterouter.status;

/** One question to a substrate. The first call wins; later ones do nothing. Thread-safe; never blocks. */
public interface StatusTicket {
    /** The answer. Dropped when a question asked later was answered before, or when the substrate is no longer in the policy. */
    void answered(SubstrateStatus status);

    /** There was no answer, and why. What is known keeps ageing; one missed answer is not an outage. */
    void failed(String reason);
}
