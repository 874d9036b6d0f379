package dev.substraterouter.trace;

/** Hears what happens in a router. */
@FunctionalInterface
public interface RouterListener {
    /**
     * Hears an event. Runs on the router's executor, one call at a time per listener, a substrate's events in the order in which they
     * happened; what it throws is logged and hurts nobody. A listener that does not keep up loses events, and the loss is counted.
     */
    void on(RouterEvent event);
}
