package dev.substraterouter.examples.gateway.forward;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.examples.gateway.web.RouteReason;
import dev.substraterouter.examples.gateway.worker.WorkerAnswer;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.RoutingTrace;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which headers go on to the worker and come back, and those that the gateway adds. What belongs to one connection stays there (RFC 9110,
 * section 7.6.1), and the caller's token is the gateway's business only. Stateless.
 */
final class ForwardedHeaders {
    private static final int LONGEST = 512;
    private static final int MOST = 48 * 1024;
    private static final Set<String> OF_A_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");
    private static final Set<String> KEPT_HERE = Set.of(
            "authorization",
            "content-length",
            "cookie",
            "expect",
            "host",
            "x-request-id",
            "x-priority",
            "x-mode",
            "x-max-wait",
            "x-deadline",
            "x-idempotent",
            "x-prefer");
    private static final Set<String> NOT_TAKEN_BACK = Set.of("set-cookie", "server", "date");
    private static final String OURS = "x-(substrate|model|route-reason|degraded|expected-seconds|request-id)";

    private ForwardedHeaders() {}

    static Map<String, List<String>> ofRequest(HttpServletRequest request, String requestId) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> named = named(Collections.list(request.getHeaders("Connection")));
        for (String name : Collections.list(request.getHeaderNames())) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!OF_A_CONNECTION.contains(lower) && !KEPT_HERE.contains(lower) && !named.contains(lower)) {
                headers.put(name, Collections.list(request.getHeaders(name)));
            }
        }
        headers.put("X-Request-Id", List.of(requestId));
        return headers;
    }

    /**
     * The headers of an answer.
     *
     * @throws SubstrateFaultException if they are more than a client would take
     */
    static Map<String, String> ofAnswer(WorkerAnswer answer, Placement placement) throws SubstrateFaultException {
        Map<String, String> headers = new LinkedHashMap<>();
        Set<String> named = named(answer.headers().allValues("Connection"));
        answer.headers().map().forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!OF_A_CONNECTION.contains(lower)
                    && !NOT_TAKEN_BACK.contains(lower)
                    && !named.contains(lower)
                    && !lower.matches(OURS)) {
                headers.put(name, String.join(", ", values));
            }
        });
        headers.putAll(ofPlacement(placement));
        int bytes = headers.entrySet().stream()
                .mapToInt(one -> one.getKey().length() + one.getValue().length())
                .sum();
        if (bytes > MOST) {
            throw new SubstrateFaultException(placement.substrateId() + " answered with " + bytes
                    + " bytes of headers (expected: at most " + MOST + ")");
        }
        return headers;
    }

    private static Map<String, String> ofPlacement(Placement placement) {
        Map<String, String> headers = new LinkedHashMap<>();
        RoutingTrace trace = placement.trace();
        Optional<Attempt> attempt = trace.lastAttempt();
        headers.put("X-Request-Id", safe(trace.requestId()));
        headers.put("X-Substrate", safe(placement.substrateId()));
        attempt.flatMap(Attempt::model).ifPresent(model -> headers.put("X-Model", safe(model)));
        attempt.ifPresent(one -> headers.put("X-Route-Reason", safe(RouteReason.of(one))));
        if (!placement.degraded().isEmpty()) {
            headers.put("X-Degraded", safe(RouteReason.degraded(placement.degraded())));
        }
        placement
                .expectedLatency()
                .ifPresent(latency -> headers.put(
                        "X-Expected-Seconds", String.format(Locale.ROOT, "%.1f", latency.toMillis() / 1000.0)));
        return headers;
    }

    /** The headers that Connection headers declare to be of this connection too. */
    private static Set<String> named(List<String> connection) {
        return connection.stream()
                .flatMap(value -> Arrays.stream(value.toLowerCase(Locale.ROOT).split(",")))
                .map(String::strip)
                .collect(Collectors.toSet());
    }

    /** What may stand in a header: visible ASCII and spaces, and not too much of it. */
    static String safe(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST - 3) + "...";
    }
}
