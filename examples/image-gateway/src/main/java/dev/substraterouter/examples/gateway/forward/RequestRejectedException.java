package dev.substraterouter.examples.gateway.forward;

/** The worker says that the request is wrong. Its answer went to the client; the worker is not at fault. */
final class RequestRejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    RequestRejectedException(String substrate, int status) {
        super(substrate + " answered " + status);
    }
}
