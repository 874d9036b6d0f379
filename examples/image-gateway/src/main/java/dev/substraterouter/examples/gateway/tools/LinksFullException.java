package dev.substraterouter.examples.gateway.tools;

/** An answer cannot be kept for its caller: it is too large, or there is no room for it now. Not the worker's fault. */
public final class LinksFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LinksFullException(String message) {
        super(message);
    }

    LinksFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
