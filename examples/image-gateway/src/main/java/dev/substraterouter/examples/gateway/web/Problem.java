package dev.substraterouter.examples.gateway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.NoEligibleSubstrateException;
import dev.substraterouter.NotAuthorizedException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.UnknownWorkloadException;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.RoutingTrace;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was not done, as RFC 9457 has it ({@code application/problem+json}).
 *
 * @param type {@code about:blank}, or {@code urn:substrate-router:} and the router's reason
 * @param title the sort of problem in words
 * @param status the HTTP status
 * @param detail this problem in words, with the numbers
 * @param requestId the request; null: none was known yet
 * @param reason the router's reason code; null: it is not the router that refused
 * @param retryAfterSeconds when it may be worth asking again; null: asking again is of no use
 * @param candidates the substrates that were looked at, with why not; null: none were
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String requestId,
        @Nullable String reason,
        @Nullable Long retryAfterSeconds,
        @Nullable List<Candidate> candidates) {
    private static final String MEDIA_TYPE = "application/problem+json";

    /**
     * One substrate that was looked at.
     *
     * @param substrate its id
     * @param reasons why it was not taken, with the numbers
     */
    public record Candidate(String substrate, List<String> reasons) {}

    /**
     * A problem that is not a refusal of the router.
     *
     * @param detail this problem in words; null: there are none but the title
     */
    public static Problem of(int status, String title, @Nullable String detail) {
        return new Problem("about:blank", title, status, detail == null ? title : detail, null, null, null, null);
    }

    /** All workers are busy, as they say themselves. */
    public static Problem busy(String detail, Duration retryAfter) {
        return of(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "All substrates are busy", detail)
                .retryAfter(retryAfter);
    }

    /** A refusal of the router. */
    public static Problem of(RoutingException refusal) {
        RoutingTrace trace = refusal.trace();
        return new Problem(
                "urn:substrate-router:" + code(refusal),
                title(refusal),
                status(refusal),
                refusal.getMessage(),
                trace.requestId(),
                code(refusal),
                refusal.retryAfter().map(Problem::wholeSeconds).orElse(null),
                trace.considered().stream().map(Problem::candidate).toList());
    }

    /** This problem of a request. */
    public Problem of(String request) {
        return new Problem(type, title, status, detail, request, reason, retryAfterSeconds, candidates);
    }

    /** This problem, after which it may be worth asking again in so long; told in whole seconds, at least one. */
    public Problem retryAfter(Duration wait) {
        return new Problem(type, title, status, detail, requestId, reason, wholeSeconds(wait), candidates);
    }

    /** Writes it as the whole answer. */
    public void write(HttpServletResponse response) throws IOException {
        Optional.ofNullable(retryAfterSeconds)
                .ifPresent(seconds -> response.setHeader("Retry-After", Long.toString(seconds)));
        if (status == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        Json.write(response, status, MEDIA_TYPE, this);
    }

    /** Whole seconds, rounded up and at least one: who comes back earlier would be refused again. */
    private static long wholeSeconds(Duration wait) {
        return Math.max(1, wait.plusNanos(999_999_999).toSeconds());
    }

    private static String code(RoutingException refusal) {
        return refusal.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static int status(RoutingException refusal) {
        if (refusal instanceof NotAuthorizedException) {
            return HttpServletResponse.SC_FORBIDDEN;
        }
        if (refusal instanceof UnknownWorkloadException) {
            return HttpServletResponse.SC_NOT_FOUND;
        }
        return refusal instanceof NoEligibleSubstrateException ? 422 : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
    }

    private static String title(RoutingException refusal) {
        return switch (refusal.reason()) {
            case NO_ELIGIBLE_SUBSTRATE -> "No substrate could ever serve this";
            case NOT_AUTHORIZED -> "Not allowed";
            case UNKNOWN_WORKLOAD -> "No such workload";
            case CLOSED -> "The gateway is going down";
            default -> "All substrates are busy";
        };
    }

    private static Candidate candidate(Considered considered) {
        return new Candidate(
                considered.substrateId(),
                considered.findings().stream().map(Finding::text).toList());
    }
}
