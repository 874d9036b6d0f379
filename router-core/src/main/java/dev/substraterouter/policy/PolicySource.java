package dev.substraterouter.policy;

/** Where a policy comes from when it may change while the router runs, for example a watched file. Thread-safe. */
public interface PolicySource {
    /**
     * The policy as it is now.
     *
     * @throws PolicyException if it cannot be used
     */
    Policy current();

    /**
     * Begins to tell the sink of changes: of whatever differs from what {@link #current()} has given before. Called once.
     *
     * @throws IllegalStateException if it was called, or the source closed, before; one that throws has started nothing, and is not closed
     */
    void start(PolicySink sink);

    /** Stops and frees everything. Calling it again does nothing. */
    void close();
}
