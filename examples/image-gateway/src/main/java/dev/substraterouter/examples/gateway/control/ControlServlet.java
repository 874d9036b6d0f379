package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.access.UnknownCallerException;
import dev.substraterouter.examples.gateway.web.Bearer;
import dev.substraterouter.examples.gateway.web.Guard;
import dev.substraterouter.examples.gateway.web.Problem;
import dev.substraterouter.policy.Operation;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lets requests in: host, path, site, identity, right, in this order; then the route's handler answers. Thread-safe. */
@SuppressWarnings("serial") // servlets are serializable by inheritance only; nobody serializes this one
final class ControlServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final SubstrateRouter router;
    private final IdentityResolver identities;
    private final Guard guard;
    private final List<Route> routes;

    ControlServlet(SubstrateRouter router, IdentityResolver identities, Guard guard, List<Route> routes) {
        this.router = router;
        this.identities = identities;
        this.guard = guard;
        this.routes = List.copyOf(routes);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            refuseIf(guard.againstHost(request));
            answer(request, response);
        } catch (ProblemException refused) {
            refused.problem().write(response);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException, ProblemException {
        String path = path(request);
        List<Route> there =
                routes.stream().filter(route -> route.match(path).isPresent()).toList();
        Optional<Route> route = there.stream()
                .filter(one -> one.method().equals(request.getMethod()))
                .findFirst();
        if (route.isEmpty()) {
            throw notHere(request, response, path, there);
        }
        Caller caller = admitted(request, route.get());
        String id = route.get().match(path).orElse("");
        route.get().handler().handle(new Call(request, response, caller, id));
    }

    private static ProblemException notHere(
            HttpServletRequest request, HttpServletResponse response, String path, List<Route> there) {
        if (there.isEmpty()) {
            return new ProblemException(404, "Nothing here", path + ": no such path on the operator's listener");
        }
        String allowed = there.stream().map(Route::method).collect(Collectors.joining(", "));
        response.setHeader("Allow", allowed);
        return new ProblemException(
                405, "Not by this method", request.getMethod() + " " + path + " (expected: " + allowed + ")");
    }

    private Caller admitted(HttpServletRequest request, Route route) throws ProblemException {
        if (route.right().isEmpty()) {
            return Caller.ANYBODY;
        }
        refuseIf(guard.againstSite(request));
        Operation right = route.right().get();
        Caller caller = caller(request);
        if (!caller.mayOperate(router, right)) {
            throw new ProblemException(
                    403,
                    "Not allowed",
                    "'" + caller + "' may not " + right.name().toLowerCase(Locale.ROOT)
                            + " (expected: a role of the policy whose operate names it)");
        }
        return caller;
    }

    private Caller caller(HttpServletRequest request) throws ProblemException {
        try {
            return identities.resolve(Bearer.token(request));
        } catch (UnknownCallerException unknown) {
            throw new ProblemException(401, "Who asks is not known", String.valueOf(unknown.getMessage()));
        }
    }

    private static void refuseIf(Optional<Problem> problem) throws ProblemException {
        if (problem.isPresent()) {
            throw new ProblemException(problem.get());
        }
    }

    private static String path(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }
}
