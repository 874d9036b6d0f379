package dev.substraterouter.batch;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A piece of work that may wait: what to route, and the payload that only the host's work understands. Immutable and thread-safe. */
public final class BatchJob {
    /** How long an id or an idempotency key may be, in characters. */
    public static final int MAX_TEXT = 256;

    private final String id;
    private final RouteRequest request;
    private final byte[] payload;
    private final @Nullable String idempotencyKey;
    private final int attempts;
    private final Instant submittedAt;

    private BatchJob(
            String id,
            RouteRequest request,
            byte[] payload,
            @Nullable String idempotencyKey,
            int attempts,
            Instant submittedAt) {
        this.id = id;
        this.request = request;
        this.payload = payload;
        this.idempotencyKey = idempotencyKey;
        this.attempts = attempts;
        this.submittedAt = submittedAt;
    }

    /**
     * A job as it is handed in, and as a durable store brings it back.
     *
     * @param id unlike every other job's; at most {@value #MAX_TEXT} characters
     * @param request what to route, as it was submitted
     * @param payload what the work needs; copied
     * @param idempotencyKey what makes handing it in again the same job, for the same identity; null: nothing does
     * @param attempts how many attempts have been counted
     * @param submittedAt when it was handed in, by the wall clock of who did, for people
     * @throws IllegalArgumentException if a text is empty or too long, or {@code attempts} is negative
     */
    public static BatchJob of(
            String id,
            RouteRequest request,
            byte[] payload,
            @Nullable String idempotencyKey,
            int attempts,
            Instant submittedAt) {
        if (attempts < 0) {
            throw new IllegalArgumentException("attempts: " + attempts + " (expected: >= 0)");
        }
        return new BatchJob(
                text("id", id),
                Objects.requireNonNull(request, "request"),
                payload.clone(),
                idempotencyKey == null ? null : text("idempotencyKey", idempotencyKey),
                attempts,
                Objects.requireNonNull(submittedAt, "submittedAt"));
    }

    /** Its id. */
    public String id() {
        return id;
    }

    /** What to route, as it was submitted. The dispatcher asks for it with priority LOW, live, and under the job's id if it has none. */
    public RouteRequest request() {
        return request;
    }

    /** A copy of what the work needs. */
    public byte[] payload() {
        return payload.clone();
    }

    /** What makes handing it in again the same job, for the same identity; empty: nothing does. */
    public Optional<String> idempotencyKey() {
        return Optional.ofNullable(idempotencyKey);
    }

    /** How many attempts have been counted; inside a run, the run itself included. */
    public int attempts() {
        return attempts;
    }

    /** When it was handed in, by the wall clock of who did, for people. */
    public Instant submittedAt() {
        return submittedAt;
    }

    /** This job with another count of attempts. */
    BatchJob attempts(int count) {
        return new BatchJob(id, request, payload, idempotencyKey, count, submittedAt);
    }

    /** Whether its deadline, counted from when it was accepted, has passed. */
    boolean expired(Duration age) {
        return request.deadline()
                .filter(deadline -> deadline.compareTo(age) <= 0)
                .isPresent();
    }

    /** The request as the dispatcher asks for it, with what is left of its deadline. */
    RouteRequest drained(Duration age) {
        RouteRequest low = request.priority(Priority.LOW).mode(PlacementMode.INTERACTIVE);
        RouteRequest named = low.requestId().isPresent() ? low : low.requestId(id);
        return named.deadline()
                .map(deadline -> named.deadline(deadline.minus(age)))
                .orElse(named);
    }

    int payloadBytes() {
        return payload.length;
    }

    private static String text(String name, String value) {
        if (value.isEmpty() || value.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    name + ": " + value.length() + " characters (expected: 1 to " + MAX_TEXT + ")");
        }
        return value;
    }

    @Override
    public String toString() {
        return "BatchJob[" + id + ", " + request + ", " + payload.length + " bytes, attempts " + attempts + "]";
    }
}
