package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.CallerServlet;
import dev.substraterouter.examples.gateway.web.Problem;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.HttpHeaders;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** Lets only those reach the MCP transport whom it knows, and each only its own sessions. Thread-safe. */
final class McpServlet extends CallerServlet {
    private static final long serialVersionUID = 1L;

    private static final long RETRY_SECONDS = 1;
    private static final String CALLER = "gateway.caller";
    /** What the transport speaks. Nothing else, of which TRACE would show a token, gets to it. */
    private static final String[] METHODS = {"GET", "POST", "DELETE"};

    private final transient HttpServlet transport;
    private final transient Sessions sessions;
    private final transient BodyBudget budget;

    McpServlet(HttpServlet transport, IdentityResolver identities, Sessions sessions, BodyBudget budget) {
        super(identities);
        this.transport = transport;
        this.sessions = sessions;
        this.budget = budget;
    }

    /** Who sent a request that came this way, as the transport hands it on. */
    static McpTransportContext context(HttpServletRequest request) {
        return McpTransportContext.create(Map.of(CALLER, Objects.requireNonNull(request.getAttribute(CALLER))));
    }

    static Caller caller(McpTransportContext context) {
        return (Caller) Objects.requireNonNull(context.get(CALLER), CALLER);
    }

    @Override
    protected void serve(Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (!is(request, response, METHODS)) {
            return;
        }
        request.setAttribute(CALLER, caller);
        String session = request.getHeader(HttpHeaders.MCP_SESSION_ID);
        if (session != null) {
            use(session, caller, request, response);
        } else if (request.getMethod().equals("POST")) {
            open(caller, request, response);
        } else {
            transport.service(request, response); // which says what is missing
        }
    }

    private void use(String session, Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (!sessions.use(session, caller)) {
            Problem.of(
                            HttpServletResponse.SC_NOT_FOUND,
                            "No such session",
                            "none of this caller's (expected: open one)")
                    .write(response);
            return;
        }
        try {
            bounded(request, response, McpEndpoint.MOST_BYTES);
            if (request.getMethod().equals("DELETE") || response.getStatus() == HttpServletResponse.SC_NOT_FOUND) {
                sessions.gone(session);
            }
        } finally {
            ended(request, () -> sessions.used(session));
        }
    }

    private void open(Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try (Sessions.Opening opening = sessions.opening(caller)) {
            if (opening == null) {
                busy("sessions: no room for another (expected: " + sessions + ")")
                        .write(response);
                return;
            }
            if (request.getContentLengthLong() < 0) { // the transport would read as much as of any other
                Problem.of(
                                HttpServletResponse.SC_LENGTH_REQUIRED,
                                "How long is it?",
                                "Content-Length: absent (expected: at most " + McpEndpoint.MOST_OPENING_BYTES
                                        + " bytes)")
                        .write(response);
                return;
            }
            bounded(request, new Noting(response, opening), McpEndpoint.MOST_OPENING_BYTES);
        }
    }

    private void bounded(HttpServletRequest request, HttpServletResponse response, int most)
            throws ServletException, IOException {
        long length = length(request, most);
        if (length > most) {
            tooLarge(length, most).write(response);
        } else if (!budget.take(length)) {
            busy("bytes of MCP requests under way: " + budget).write(response);
        } else {
            try {
                transport.service(request, response);
            } finally {
                budget.giveBack(length);
            }
        }
    }

    /** Does it when the request has ended, which for a stream is later than when it was begun. */
    private static void ended(HttpServletRequest request, Runnable end) {
        if (request.isAsyncStarted()) {
            request.getAsyncContext().addListener(new Ended(end));
        } else {
            end.run();
        }
    }

    /** How much it may bring; who does not say may bring the most. */
    private static long length(HttpServletRequest request, int most) {
        if (!request.getMethod().equals("POST")) {
            return 0; // the transport reads nothing of it
        }
        long length = request.getContentLengthLong();
        return length < 0 ? most : length;
    }

    private static Problem tooLarge(long length, int most) {
        return Problem.of(
                HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
                "The request is too large",
                "Content-Length: " + length + " (expected: at most " + most + " bytes)");
    }

    private static Problem busy(String detail) {
        return new Problem(
                "about:blank",
                "The gateway is busy",
                HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                detail,
                null,
                null,
                RETRY_SECONDS,
                null);
    }

    /** Notes whose the session is before its id can be known to anybody. */
    private static final class Noting extends HttpServletResponseWrapper {
        private final Sessions.Opening opening;

        Noting(HttpServletResponse response, Sessions.Opening opening) {
            super(response);
            this.opening = opening;
        }

        @Override
        public void setHeader(String name, String value) {
            if (HttpHeaders.MCP_SESSION_ID.equalsIgnoreCase(name) && value != null) {
                opening.opened(value);
            }
            super.setHeader(name, value);
        }
    }

    /** Every end of a stream is followed by its completion. */
    private record Ended(Runnable end) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            end.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
