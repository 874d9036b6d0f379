package dev.substraterouter.probe.http;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.status.SubstrateStatus;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a worker's refusal: what to throw from work so that the router goes elsewhere, comes back in time and ejects nothing.
 *
 * <pre>{@code
 * HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
 * Optional<BackpressureException> full = Backpressure.of(answer);
 * if (full.isPresent()) {
 *     throw full.get();
 * }
 * }</pre>
 *
 * <p>Stateless and thread-safe; never blocks and keeps no part of the answer.
 */
public final class Backpressure {
    /** The longest time to come back that is believed: 1 hour. */
    public static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int MAX_DIGITS = 9;
    private static final SubstrateStatus NOTHING = SubstrateStatus.builder().build();

    private Backpressure() {}

    /**
     * What the answer means, if it means that the worker is full: 429, or 503 that says when to come back or how the worker stands. A 503
     * without either is a fault of the node, as any other code of 500 and above.
     *
     * <p>{@code Retry-After} is read as seconds or as a date, which is compared with the answer's own {@code Date} where it has one; what is
     * neither counts as not said, and more than {@link #MAX_RETRY_AFTER} as that. A body in the router's own format, as {@link WorkerGate}
     * sends it, is the worker's status; of any other body nothing is taken.
     */
    public static Optional<BackpressureException> of(HttpResponse<byte[]> answer) {
        return of(answer, answer.body());
    }

    /**
     * The same for an answer whose body comes in pieces.
     *
     * @param body the body, or its beginning
     */
    public static Optional<BackpressureException> of(HttpResponse<?> answer, byte[] body) {
        String retryAfter = answer.headers().firstValue("Retry-After").orElse(null);
        Instant now =
                answer.headers().firstValue("Date").flatMap(Backpressure::date).orElseGet(Instant::now);
        return of(answer.statusCode(), retryAfter, body, now);
    }

    /** The same for an answer in pieces, for other clients; a date is compared with the given time. */
    static Optional<BackpressureException> of(int code, @Nullable String retryAfter, byte[] body, Instant now) {
        if (code != TOO_MANY_REQUESTS && code != UNAVAILABLE) {
            return Optional.empty();
        }
        SubstrateStatus status = status(body);
        if (code == UNAVAILABLE && retryAfter == null && status == null) {
            return Optional.empty();
        }
        Duration wait = retryAfter == null ? Duration.ZERO : wait(retryAfter.strip(), now);
        return Optional.of(new BackpressureException(wait, status));
    }

    private static Duration wait(String said, Instant now) {
        boolean digits = !said.isEmpty() && said.chars().allMatch(c -> c >= '0' && c <= '9');
        Duration wait = digits
                ? Duration.ofSeconds(said.length() > MAX_DIGITS ? Integer.MAX_VALUE : Long.parseLong(said))
                : date(said).map(at -> Duration.between(now, at)).orElse(Duration.ZERO);
        return wait.isNegative() ? Duration.ZERO : wait.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : wait;
    }

    private static Optional<Instant> date(String said) {
        try {
            return Optional.of(ZonedDateTime.parse(said, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
    }

    private static @Nullable SubstrateStatus status(byte[] body) {
        if (body.length > StatusFormat.DEFAULT_MAX_BYTES) {
            return null;
        }
        try {
            SubstrateStatus status = new SubstrateFormat().read(new StatusAnswer(200, "", "application/json", body));
            return status.equals(NOTHING) ? null : status;
        } catch (NoStatusException none) {
            return null;
        }
    }
}
