package dev.substraterouter.examples.gateway.web;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.access.UnknownCallerException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet that answers nobody whom it does not know. */
public abstract class CallerServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient IdentityResolver identities;

    /** A servlet that asks this resolver. */
    protected CallerServlet(IdentityResolver identities) {
        this.identities = identities;
    }

    /** Answers a caller. */
    protected abstract void serve(Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException;

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Caller caller;
        try {
            caller = identities.resolve(Bearer.token(request));
        } catch (UnknownCallerException unknown) {
            Problem.of(HttpServletResponse.SC_UNAUTHORIZED, "Who asks?", unknown.getMessage())
                    .write(response);
            return;
        }
        serve(caller, request, response);
    }

    /** Whether it is one of these methods; if not, that is the answer. */
    protected static boolean is(HttpServletRequest request, HttpServletResponse response, String... methods)
            throws IOException {
        String allowed = String.join(", ", methods);
        for (String method : methods) {
            if (method.equals(request.getMethod())) {
                return true;
            }
        }
        response.setHeader("Allow", allowed);
        Problem.of(
                        HttpServletResponse.SC_METHOD_NOT_ALLOWED,
                        "Method not allowed",
                        "method: " + request.getMethod() + " (expected: " + allowed + ")")
                .write(response);
        return false;
    }

    /** Nothing here, or nothing for this caller: which of the two is not told. */
    protected static void notFound(HttpServletResponse response) throws IOException {
        Problem.of(HttpServletResponse.SC_NOT_FOUND, "Not found", "nothing here for this caller")
                .write(response);
    }

    /** What stands behind the servlet's path, without the slash; empty: nothing. */
    protected static String rest(HttpServletRequest request) {
        String path = request.getPathInfo();
        return path == null || path.isEmpty() ? "" : path.substring(1);
    }
}
