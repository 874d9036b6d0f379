package dev.substraterouter.trace;

/** Takes the trace of each request when it has ended. */
@FunctionalInterface
public interface TraceSink {
    /**
     * Takes a trace. Runs on the router's executor, one call at a time per sink; what it throws is logged and hurts nobody. A sink that
     * does not keep up loses traces, and the loss is counted.
     */
    void accept(RoutingTrace trace);

    /**
     * Takes what became known of a request's answer later, after its trace or without one: the router does not ask whether it knows the id.
     * Runs as {@link #accept}, in order with it. By default it is dropped.
     */
    default void observed(String requestId, Observation observation) {}
}
