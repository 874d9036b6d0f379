package dev.substraterouter;

import dev.substraterouter.model.FaultKind;

/** Finds out whose fault a failure is. Thread-safe; must not block. What it throws counts as {@link FaultKind#REQUEST}. */
@FunctionalInterface
public interface FaultClassifier {
    /** Whose fault it is. */
    FaultKind classify(Throwable t);

    /**
     * The router's own rules. They look through {@link java.util.concurrent.CompletionException},
     * {@link java.util.concurrent.ExecutionException} and {@link java.io.UncheckedIOException}:
     *
     * <ul>
     *   <li>connection refused or timed out, no route, unknown host: {@link FaultKind#NODE_NOT_STARTED};
     *   <li>every other {@link java.io.IOException}, {@link java.util.concurrent.TimeoutException}, {@link SubstrateFaultException}:
     *       {@link FaultKind#NODE};
     *   <li>{@link BackpressureException}, and the worker's out-of-memory: {@link FaultKind#BUSY};
     *   <li>interruption and cancellation: {@link FaultKind#NEUTRAL};
     *   <li>everything else, errors of the caller's JVM included: {@link FaultKind#REQUEST}.
     * </ul>
     */
    static FaultClassifier standard() {
        return new StandardFaultClassifier();
    }
}
