package dev.substraterouter.simulate;

/**
 * Whoever places the requests of a run: the router, or what it is compared with. Each request ends by exactly one of {@link World#served},
 * {@link World#refused} and {@link World#failed}. Called on the run's only thread.
 */
public interface Contender {
    /** What reports call it. */
    String name();

    /** Called once before anything else. */
    void begin(World world);

    /** A request has come. */
    void arrived(SimulatedRequest request);

    /** The client of a request hangs up; it counts as abandoned, whatever becomes of it. */
    void hungUp(SimulatedRequest request);

    /** How many requests wait for a place. */
    int waiting();

    /** Called once at the end. */
    default void end() {}
}
