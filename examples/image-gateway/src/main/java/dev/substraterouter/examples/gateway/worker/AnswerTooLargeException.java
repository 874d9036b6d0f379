package dev.substraterouter.examples.gateway.worker;

/** The worker did its work, but its answer is larger than whoever asked can take. Not the worker's fault. */
public final class AnswerTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AnswerTooLargeException(String message) {
        super(message);
    }
}
