package dev.substraterouter;

import java.util.concurrent.CompletionStage;

/**
 * Work that is started where it is placed and ends later. It must not retry by itself: the router owns every retry.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface AsyncWork<T> {
    /**
     * Starts the work. Must not block.
     *
     * @param placement where; its lease is held until the stage has completed
     * @return the stage of the work; null is the caller's fault
     * @throws Exception when it could not be started; counts as the work's failure
     */
    CompletionStage<T> start(Placement placement) throws Exception;
}
