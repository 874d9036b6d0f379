package dev.substraterouter.policy;

/** Where a {@link PolicySource} brings changes. Thread-safe. */
public interface PolicySink {
    /** A new policy. A policy that cannot be used leaves the last good one in force. */
    void changed(Policy policy);

    /** The source changed to something that is no policy; the last good one stays in force. */
    void rejected(PolicyException problem);
}
