package dev.substraterouter.probe.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers one question for the status. Thread-safe. */
final class StatusHandler implements HttpHandler {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final SharedReading card;
    private final UnaryOperator<SubstrateStatus> live;
    private final byte @Nullable [] authorization;
    private final String path;

    /**
     * A handler.
     *
     * @param live what is added to a shared reading for each answer
     * @param token the bearer token; null: none is needed
     * @param path the only path that is answered; empty: any
     */
    StatusHandler(SharedReading card, UnaryOperator<SubstrateStatus> live, @Nullable String token, String path) {
        this.card = card;
        this.live = live;
        authorization = token == null ? null : ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        this.path = path;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!path.isEmpty() && !path.equals(exchange.getRequestURI().getPath())) {
                send(exchange, NOT_FOUND, StatusWriter.error("nothing here (expected: " + path + ")"));
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, METHOD_NOT_ALLOWED, StatusWriter.error("not this method (expected: GET or HEAD)"));
            } else if (!isAuthorized(exchange)) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                send(exchange, UNAUTHORIZED, StatusWriter.error("the token is missing or not the right one"));
            } else {
                tell(exchange);
            }
        }
    }

    private void tell(HttpExchange exchange) throws IOException {
        byte[] body;
        int code;
        try {
            SubstrateStatus status = live.apply(card.ask());
            code = status.reachable() ? OK : UNAVAILABLE;
            body = StatusWriter.write(status);
        } catch (NoStatusException none) {
            SubstrateStatus jobs = live.apply(SubstrateStatus.builder()
                    .attribute(NvidiaSmiText.CARD, none.reason())
                    .odd(NvidiaSmiText.CARD + ": " + none.reason())
                    .build());
            boolean counted =
                    jobs.runningJobs().isPresent(); // then a card without a reading is unknown, and the jobs are not
            code = counted ? OK : UNAVAILABLE;
            body = counted ? StatusWriter.write(jobs) : StatusWriter.error(none.reason());
        }
        send(exchange, code, body);
    }

    /** In the same time for every wrong token, so that none can be guessed piece by piece. */
    private boolean isAuthorized(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        return authorization == null
                || (given != null && MessageDigest.isEqual(authorization, given.getBytes(StandardCharsets.UTF_8)));
    }

    /** Sends JSON that nobody may keep; its head alone to who asked for no more. */
    static void send(HttpExchange exchange, int code, byte[] json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(code, -1);
            return;
        }
        exchange.sendResponseHeaders(code, json.length);
        exchange.getResponseBody().write(json);
    }
}
