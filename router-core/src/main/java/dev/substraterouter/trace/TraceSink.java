package dev.substraterouter.trace;

/** Takes the trace of each request when it has ended. */
@FunctionalInterface
public interface TraceSink {
    /**
     * Takes a trace. Runs on the router's executor, one call at a time per sink; what it throws is logged and hurts nobody. A sink that
     * does not keep up loses traces, and the loss is counted.
     */
    void accept(RoutingTrace trace);
}
