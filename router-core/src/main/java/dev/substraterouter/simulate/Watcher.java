package dev.substraterouter.simulate;

/** Looks at a run after each event, to measure or to check. Called on the run's only thread. */
@FunctionalInterface
public interface Watcher {
    /**
     * Something has happened, and everything that follows from it at the same moment has happened too.
     *
     * @param world the run
     * @param what a word for it, such as {@code arrival}, {@code status}, {@code end}
     */
    void after(World world, String what);
}
