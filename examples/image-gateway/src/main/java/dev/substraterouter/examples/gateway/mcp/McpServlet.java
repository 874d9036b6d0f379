package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.CallerServlet;
import dev.substraterouter.examples.gateway.web.Problem;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.HttpHeaders;
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
        String session = request.getHeader(HttpHeaders.MCP_SESSION_ID);
        if (session != null && !sessions.belongs(session, caller)) {
            Problem.of(
                            HttpServletResponse.SC_NOT_FOUND,
                            "No such session",
                            "none of this caller's (expected: open one)")
                    .write(response);
            return;
        }
        request.setAttribute(CALLER, caller);
        long length = length(request);
        if (length > McpEndpoint.MOST_BYTES) {
            tooLarge(length).write(response);
        } else if (!budget.take(length)) {
            busy("bytes of MCP requests under way: " + budget).write(response);
        } else {
            try {
                transport.service(request, new Noting(response, caller));
            } finally {
                budget.giveBack(length);
            }
        }
        if (session != null && request.getMethod().equals("DELETE")) {
            sessions.closed(session);
        }
    }

    /** How much it may bring; who does not say may bring the most. */
    private static long length(HttpServletRequest request) {
        if (!request.getMethod().equals("POST")) {
            return 0; // the transport reads nothing of it
        }
        long length = request.getContentLengthLong();
        return length < 0 ? McpEndpoint.MOST_BYTES : length;
    }

    private static Problem tooLarge(long length) {
        return Problem.of(
                HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
                "The request is too large",
                "Content-Length: " + length + " (expected: at most " + McpEndpoint.MOST_BYTES + " bytes)");
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
    private final class Noting extends HttpServletResponseWrapper {
        private final Caller caller;

        Noting(HttpServletResponse response, Caller caller) {
            super(response);
            this.caller = caller;
        }

        @Override
        public void setHeader(String name, String value) {
            if (HttpHeaders.MCP_SESSION_ID.equalsIgnoreCase(name) && value != null) {
                sessions.opened(value, caller);
            }
            super.setHeader(name, value);
        }
    }
}
