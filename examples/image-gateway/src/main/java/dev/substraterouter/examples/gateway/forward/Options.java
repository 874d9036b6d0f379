package dev.substraterouter.examples.gateway.forward;

import dev.substraterouter.examples.gateway.settings.Durations;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What a client says of its request in headers, each of which may be left out: {@code X-Request-Id}, {@code X-Priority} (high, normal, low),
 * {@code X-Mode} (interactive, batch; default interactive), {@code X-Max-Wait} and {@code X-Deadline} ({@code 500ms}, {@code 5s},
 * {@code 2m}), {@code X-Idempotent} (true, false), {@code X-Prefer} (a substrate). Stateless.
 */
final class Options {
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

    private Options() {}

    /**
     * The request with what its headers say.
     *
     * @throws IllegalArgumentException if a header cannot be read; the message names it, its value and what was expected
     */
    static RouteRequest read(HttpServletRequest http, RouteRequest request) {
        RouteRequest read =
                with(http, "X-Mode", request.mode(PlacementMode.INTERACTIVE), Options::mode, RouteRequest::mode);
        read = with(http, "X-Request-Id", read, Options::requestId, RouteRequest::requestId);
        read = with(
                http,
                "X-Priority",
                read,
                text -> constant(Priority.class, text, "high, normal, low"),
                RouteRequest::priority);
        read = with(http, "X-Max-Wait", read, Durations::parse, RouteRequest::maxWait);
        read = with(http, "X-Deadline", read, Durations::parse, RouteRequest::deadline);
        read = with(http, "X-Idempotent", read, Options::bool, RouteRequest::idempotent);
        return with(http, "X-Prefer", read, text -> text, RouteRequest::prefer);
    }

    private static <T, R> R with(
            HttpServletRequest http, String name, R request, Function<String, T> read, BiFunction<R, T, R> put) {
        String text = http.getHeader(name);
        if (text == null) {
            return request;
        }
        try {
            return put.apply(request, read.apply(text.strip()));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(name + ": " + text + " (" + wrong.getMessage() + ")", wrong);
        }
    }

    private static String requestId(String text) {
        if (!REQUEST_ID.matcher(text).matches()) {
            throw new IllegalArgumentException("expected: 1 to 128 letters, digits and any of ._:/+=-");
        }
        return text;
    }

    /** Who wants either asks twice: an answer is a stream or a ticket, and the client must know which. */
    private static PlacementMode mode(String text) {
        PlacementMode mode = constant(PlacementMode.class, text, "interactive, batch");
        if (mode == PlacementMode.EITHER) {
            throw new IllegalArgumentException("expected: one of interactive, batch");
        }
        return mode;
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String text, String names) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected: one of " + names));
    }

    private static boolean bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("expected: true or false");
        }
        return text.equals("true");
    }
}
