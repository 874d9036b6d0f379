package dev.substraterouter.trace;

import org.jspecify.annotations.Nullable;

/**
 * Tells in which trace of the host's tracing a request is made, so that the router's own record of it can be found from there and back.
 * With OpenTelemetry it is one line:
 *
 * <pre>{@code
 * SubstrateRouter.builder().traceContext(() -> Span.current().getSpanContext().getTraceId())
 * }</pre>
 *
 * <p>Asked once for each request, on the thread that asks the router, when the request arrives. Must be thread-safe and must not block. What
 * it throws is told in the log and leaves the request without an id.
 */
@FunctionalInterface
public interface TraceContext {
    /** How long an id may be, in characters; a longer one is left out and told in the log. */
    int MAX_LENGTH = 64;

    /**
     * The id of the current trace.
     *
     * @return at most {@value #MAX_LENGTH} characters; null, empty or nothing but zeros, as OpenTelemetry says it: there is none
     */
    @Nullable
    String traceId();
}
