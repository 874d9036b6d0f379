package dev.substraterouter.examples.gateway.forward;

import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchFullException;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.CallerServlet;
import dev.substraterouter.examples.gateway.web.ClientWatch;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;

/**
 * {@code POST /v1/workloads/{name}}, and anything below it: sends the body to the worker that the workload is placed on, at the same path below
 * its endpoint, and streams the answer. In the mode batch it answers with a ticket at once. Thread-safe; a request holds its thread until it
 * is over.
 */
public final class ForwardServlet extends CallerServlet {
    /** Where it is served. */
    public static final String PATH = "/v1/workloads/*";

    private static final long serialVersionUID = 1L;
    private static final String WORKER = "http://worker";
    private static final String BELOW = "/v1/workloads/";
    private static final int TOO_LARGE = 413;
    private static final int UNAVAILABLE = 503;

    private final transient SubstrateRouter router;
    private final transient WorkerClient workers;
    private final transient ClientWatch watch;
    private final transient ReplayBudget budget;
    private final transient Delegation delegation;

    /**
     * The servlet.
     *
     * @param maxReplay how many bytes of one body are kept, to be sent again
     * @param maxReplayInAll how many bytes of bodies are kept in all
     * @param delegation takes what is asked for in the mode batch
     */
    public ForwardServlet(
            SubstrateRouter router,
            IdentityResolver identities,
            WorkerClient workers,
            ClientWatch watch,
            int maxReplay,
            int maxReplayInAll,
            Delegation delegation) {
        super(identities);
        this.router = router;
        this.workers = workers;
        this.watch = watch;
        this.budget = new ReplayBudget(maxReplay, maxReplayInAll);
        this.delegation = delegation;
    }

    @Override
    protected void serve(Caller caller, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!is(request, response, "POST")) {
            return;
        }
        try {
            String below = below(request);
            int slash = below.indexOf('/');
            String name = URLDecoder.decode(slash < 0 ? below : below.substring(0, slash), StandardCharsets.UTF_8);
            String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
            String path = readable((slash < 0 ? "" : below.substring(slash)) + query);
            RouteRequest asked = caller.asking(Options.read(request, RouteRequest.workload(name)));
            forward(request, response, caller, asked, path);
        } catch (IllegalArgumentException wrong) {
            Problem.of(HttpServletResponse.SC_BAD_REQUEST, "Bad request", wrong.getMessage())
                    .write(response);
        }
    }

    /** What follows in the path, still encoded, without {@code ..} that would lead out of it. */
    private static String below(HttpServletRequest request) {
        String path = ServletContextRequest.getServletContextRequest(request)
                .getHttpURI()
                .getCanonicalPath();
        return path.length() < BELOW.length() ? "" : path.substring(BELOW.length());
    }

    private static String readable(String path) {
        try {
            return new URI(WORKER + path).toString().substring(WORKER.length());
        } catch (URISyntaxException wrong) {
            throw new IllegalArgumentException(
                    "path: " + path + " (expected: a path and query as RFC 3986 has them; " + wrong.getReason() + ")",
                    wrong);
        }
    }

    private void forward(
            HttpServletRequest request, HttpServletResponse response, Caller caller, RouteRequest asked, String path)
            throws IOException {
        try (ClientBody body = ClientBody.read(request.getInputStream(), request.getContentLengthLong(), budget)) {
            if (asked.mode() == PlacementMode.BATCH) {
                delegate(request, response, caller, asked, path, body);
                return;
            }
            ClientWatch.Watched client = watch.of(request);
            try (client) {
                new Exchange(request, response, path, body, workers, client).run(router, asked);
            }
        }
    }

    private void delegate(
            HttpServletRequest request,
            HttpServletResponse response,
            Caller caller,
            RouteRequest asked,
            String path,
            ClientBody body)
            throws IOException {
        if (!body.whole()) {
            Problem.of(TOO_LARGE, "Too large", "the body of a batch job may not be larger than what is kept for replay")
                    .write(response);
            return;
        }
        String type = request.getContentType() == null ? "application/octet-stream" : request.getContentType();
        try {
            String ticket = delegation.accept(caller, asked, path, type, body.bytes());
            response.setHeader("Location", "/v1/tickets/" + ticket);
            Json.write(response, HttpServletResponse.SC_ACCEPTED, Map.of("ticket", ticket));
        } catch (RoutingException refusal) {
            Problem.of(refusal).write(response);
        } catch (BatchFullException full) {
            Problem.of(UNAVAILABLE, "The batch queue is full", full.getMessage())
                    .write(response);
        }
    }
}
