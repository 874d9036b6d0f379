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

    private static final String CALLER = "gateway.caller";
    /** What the transport speaks. Nothing else, of which TRACE would show a token, gets to it. */
    private static final String[] METHODS = {"GET", "POST", "DELETE"};

    private final transient HttpServlet transport;
    private final transient Sessions sessions;

    McpServlet(HttpServlet transport, IdentityResolver identities, Sessions sessions) {
        super(identities);
        this.transport = transport;
        this.sessions = sessions;
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
        transport.service(request, new Noting(response, caller));
        if (session != null && request.getMethod().equals("DELETE")) {
            sessions.closed(session);
        }
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
