package dev.substraterouter.examples.gateway.forward;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.model.RouteRequest;

/** Accepts work that nobody waits for. Thread-safe. */
@FunctionalInterface
public interface Delegation {
    /**
     * Accepts a request for the batch path.
     *
     * @param caller who asks
     * @param request the request, as this caller's
     * @param path what is asked of the worker, below its endpoint
     * @param contentType what the body is
     * @param body the body
     * @return the id of its ticket
     * @throws RuntimeException as {@code BatchDispatcher.submit} does
     */
    String accept(Caller caller, RouteRequest request, String path, String contentType, byte[] body);
}
