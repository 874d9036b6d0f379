package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.RoutingException;
import dev.substraterouter.examples.gateway.web.Problem;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request was placed, but nobody has done it: the last worker that was asked failed, was full, or cannot be asked by HTTP. */
public final class WorkerFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_IMPLEMENTED = 501;

    private final transient Problem problem;

    private WorkerFailedException(Problem problem, @Nullable Throwable cause) {
        super(problem.detail(), cause);
        this.problem = problem;
    }

    /** It in the form that is told. */
    public Problem problem() {
        return problem;
    }

    static WorkerFailedException of(Exception failure, @Nullable Served last) {
        String id = last == null ? null : last.requestId();
        String who = last == null ? "the worker" : last.substrate();
        if (failure instanceof BackpressureException full) {
            Problem problem = problem(UNAVAILABLE, "The worker is full", who + ": " + said(full), "worker-busy", id);
            return new WorkerFailedException(retry(problem, full), failure);
        }
        Problem problem = failure instanceof LinksFullException
                ? problem(BAD_GATEWAY, "The answer cannot be kept", who + ": " + said(failure), "answer-not-kept", id)
                : problem(BAD_GATEWAY, "The worker failed", who + ": " + said(failure), "worker-failed", id);
        return new WorkerFailedException(problem, failure);
    }

    /** It has no address that work could be sent to. */
    static WorkerFailedException unreachable(Served by, Optional<String> mcpUrl) {
        String where = mcpUrl.map(url -> "; it is behind " + url).orElse("");
        String detail = by.substrate() + ": endpoint: absent (expected: an address that work can be sent to)" + where;
        return new WorkerFailedException(
                problem(NOT_IMPLEMENTED, "The node takes no work by HTTP", detail, "no-endpoint", by.requestId()),
                null);
    }

    /** Everything that could serve it is busy. */
    static WorkerFailedException busy(String detail) {
        Problem problem = problem(UNAVAILABLE, "All substrates are busy", detail, "no-wait", null);
        return new WorkerFailedException(problem.retryAfter(Duration.ofSeconds(1)), null);
    }

    private static Problem problem(int status, String title, String detail, String reason, @Nullable String requestId) {
        return new Problem("urn:substrate-router:" + reason, title, status, detail, requestId, reason, null, null);
    }

    /** Not before the worker, and whoever else could serve it, takes something again. */
    private static Problem retry(Problem problem, BackpressureException full) {
        Duration elsewhere = refusal(full).flatMap(RoutingException::retryAfter).orElse(Duration.ZERO);
        return problem.retryAfter(elsewhere.compareTo(full.retryAfter()) > 0 ? elsewhere : full.retryAfter());
    }

    private static String said(Exception failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return refusal(failure)
                .map(refusal -> message + "; and nowhere else: " + refusal.getMessage())
                .orElse(message);
    }

    /** Why it went nowhere else after the failure. */
    private static Optional<RoutingException> refusal(Exception failure) {
        return Arrays.stream(failure.getSuppressed())
                .filter(RoutingException.class::isInstance)
                .map(RoutingException.class::cast)
                .findFirst();
    }
}
