package dev.substraterouter;

/**
 * Work that is done where it is placed. It must not retry by itself: the router owns every retry.
 *
 * @param <T> what it returns
 * @param <X> what it throws
 */
@FunctionalInterface
public interface Work<T, X extends Exception> {
    /**
     * Does the work on the caller's thread.
     *
     * @param placement where; its outcome is reported by the router from what this method returns or throws, unless the work reports one
     * @return the answer
     * @throws X when it failed; {@link BackpressureException} and {@link SubstrateFaultException} say whose fault it was
     * @throws InterruptedException when interrupted
     */
    T run(Placement placement) throws X, InterruptedException;
}
