package dev.substraterouter;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by work: the worker said that it is full (429, or 503 with a full queue). The router goes elsewhere and ejects nothing. */
public class BackpressureException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;
    private final transient @Nullable SubstrateStatus status;

    /**
     * The worker is full.
     *
     * @param retryAfter when to come back; zero or negative: it did not say
     */
    public BackpressureException(Duration retryAfter) {
        this(retryAfter, null);
    }

    /**
     * The worker is full, and has told its status with the refusal.
     *
     * @param retryAfter when to come back; zero or negative: it did not say
     * @param status its status; null: it did not say
     */
    public BackpressureException(Duration retryAfter, @Nullable SubstrateStatus status) {
        super("the worker is full"
                + (retryAfter.isZero() || retryAfter.isNegative()
                        ? ""
                        : ", retry after " + Engine.saturated(retryAfter) / 1_000_000 + " ms"));
        this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter");
        this.status = status;
    }

    /** When to come back; zero or negative: it did not say. */
    public final Duration retryAfter() {
        return retryAfter;
    }

    /** The status that came with the refusal; empty: it came without. */
    public final Optional<SubstrateStatus> status() {
        return Optional.ofNullable(status);
    }
}
