package dev.substraterouter.examples.gateway.forward;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.web.ClientWatch;
import dev.substraterouter.examples.gateway.web.Problem;
import dev.substraterouter.examples.gateway.worker.WorkerAnswer;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.examples.gateway.worker.WorkerRequest;
import dev.substraterouter.model.RouteRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to a worker and its answer on the way back.
 *
 * <p>Until the first byte of an answer has come, another substrate may be tried; the client has seen nothing by then. From there on the placement
 * is committed: an answer that breaks off is broken off for the client too, so that nobody takes a part for the whole.
 *
 * <p>A client that goes interrupts the thread that serves it, wherever it waits: for a place, for the worker, or for the client itself. That
 * cancels the call, and the lease ends; as the worker may go on for a moment, it counts until the next status, as of any interrupted call.
 */
final class Exchange {
    private static final System.Logger LOG = System.getLogger(Exchange.class.getName());
    private static final int BUFFER = 32 * 1024;
    private static final int CLIENT_ERROR = 400;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final String path;
    private final ClientBody body;
    private final WorkerClient workers;
    private final ClientWatch.Watched client;
    private @Nullable String requestId; // once it was placed

    /**
     * An exchange.
     *
     * @param path what is asked of the worker, below its endpoint
     * @param client the watch of the client, whose thread this is
     */
    Exchange(
            HttpServletRequest request,
            HttpServletResponse response,
            String path,
            ClientBody body,
            WorkerClient workers,
            ClientWatch.Watched client) {
        this.request = request;
        this.response = response;
        this.path = path;
        this.body = body;
        this.workers = workers;
        this.client = client;
    }

    /**
     * Serves it; when this returns, the answer is complete, but for its end.
     *
     * @throws IOException if the answer has broken off, on either side
     */
    void run(SubstrateRouter router, RouteRequest asked) throws IOException {
        try {
            if (body.whole()) {
                client.start();
            }
            router.call(asked, placement -> {
                stream(placement);
                return true;
            });
        } catch (InterruptedException stopped) {
            throw new IOException(client.gone() ? "the client has gone" : words(stopped), stopped);
        } catch (Exception failed) {
            if (response.isCommitted()) {
                throw new IOException("the answer broke off: " + words(failed), failed);
            }
            tell(failed);
        }
    }

    private void tell(Exception failed) throws IOException {
        String id = failed instanceof RoutingException refusal ? refusal.trace().requestId() : requestId;
        response.reset();
        if (id != null) {
            response.setHeader("X-Request-Id", ForwardedHeaders.safe(id));
        }
        Problem problem = problem(failed);
        (id == null ? problem : problem.of(id)).write(response);
    }

    private static Problem problem(Exception failed) {
        if (failed instanceof RoutingException refusal) {
            return Problem.of(refusal);
        }
        if (failed instanceof BackpressureException full) {
            return Problem.busy("every worker that may serve this is full: " + words(full), full.retryAfter());
        }
        if (failed instanceof SubstrateFaultException || failed instanceof IOException) {
            return Problem.of(HttpServletResponse.SC_BAD_GATEWAY, "The worker failed", words(failed));
        }
        LOG.log(
                System.Logger.Level.ERROR,
                "a request could not be forwarded",
                failed); // its words may name what is inside
        return Problem.of(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "The gateway failed", "its log tells why");
    }

    private void stream(Placement placement)
            throws BackpressureException, SubstrateFaultException, IOException, InterruptedException {
        String id = placement.trace().requestId();
        requestId = id;
        WorkerRequest ask = new WorkerRequest(
                request.getMethod(),
                path,
                ForwardedHeaders.ofRequest(request, id),
                body.publisher(placement::commit, client::start));
        try (WorkerAnswer answer = workers.send(placement, ask)) {
            copy(placement, answer);
            if (answer.status() >= CLIENT_ERROR) {
                placement.fail(new RequestRejectedException(placement.substrateId(), answer.status()));
            }
        } catch (IOException broken) {
            if (body.broken() || client.gone()) {
                throw gone(broken);
            }
            throw broken;
        }
    }

    private void copy(Placement placement, WorkerAnswer answer)
            throws SubstrateFaultException, IOException, InterruptedException {
        InputStream from = answer.body();
        byte[] buffer = new byte[BUFFER];
        int read = from.read(buffer);
        Map<String, String> headers = ForwardedHeaders.ofAnswer(answer, placement);
        placement.commit();
        response.setStatus(answer.status());
        headers.forEach(response::setHeader);
        while (read >= 0) {
            write(buffer, read);
            read = from.read(buffer);
        }
    }

    /** What the client does not take is not the worker's fault. */
    private void write(byte[] buffer, int bytes) throws InterruptedException {
        try {
            OutputStream to = response.getOutputStream();
            to.write(buffer, 0, bytes);
            to.flush();
        } catch (IOException lost) {
            throw gone(lost);
        }
    }

    private static InterruptedException gone(IOException why) {
        InterruptedException gone = new InterruptedException("the client has gone: " + why.getMessage());
        gone.initCause(why);
        return gone;
    }

    private static String words(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
