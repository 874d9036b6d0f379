package dev.substraterouter;

import java.util.concurrent.CompletionStage;

/** How a host restarts a worker. Given to the builder; called by {@link SubstrateRouter#kick}. */
@FunctionalInterface
public interface SubstrateOperator {
    /**
     * Restarts the worker of a substrate, and decides about the work that runs there. Runs on the router's executor.
     *
     * @return completes when the worker is up again, exceptionally when it is not
     * @throws Exception when it could not be started
     */
    CompletionStage<?> kick(String substrateId) throws Exception;
}
