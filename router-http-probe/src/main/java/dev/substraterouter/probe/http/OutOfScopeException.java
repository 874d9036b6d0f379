package dev.substraterouter.probe.http;

import java.net.NoRouteToHostException;

/**
 * An address is out of the scope that the policy declares, and nothing was connected to. Thrown by work, it counts as any other place that
 * cannot be reached: the work has not begun, and the router goes elsewhere.
 */
public final class OutOfScopeException extends NoRouteToHostException {
    private static final long serialVersionUID = 1L;

    OutOfScopeException(String message) {
        super(message);
    }
}
