package dev.substraterouter.examples.whatif.reference;

/** How a reference chooses among the substrates on which a request may run. */
public enum Rule {
    /** The first of the route that is free. */
    STATIC,
    /** The first of the route, or none. */
    PIN,
    /**
     * The first of the route, without looking at its health or memory: what a client does that knows one worker and no router. A worker that
     * queues gets everything at once; otherwise there is an endless line in front of it. Nothing is ever turned away for want of a place.
     */
    WORKER_QUEUE,
    /** Each in turn. */
    ROUND_ROBIN,
    /** The one with the least jobs for its size; among equals by chance. */
    LEAST_LOADED,
    /** The less loaded of two free ones drawn by chance. */
    TWO_CHOICES,
    /** The free one that is fastest for the workload. */
    FASTEST,
    /** Where the answer would come first, perhaps only after a wait. */
    EARLIEST
}
