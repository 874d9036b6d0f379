package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.batch.BatchState;
import dev.substraterouter.batch.BatchTicket;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.CallerServlet;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code /v1/tickets/{id}}: work that was taken for later, for the identity that handed it in. {@code GET} tells how it stands, {@code GET} of
 * {@code /{id}/result} its result as often as it is asked for, {@code DELETE} cancels it. Thread-safe.
 */
public final class TicketServlet extends CallerServlet {
    private static final long serialVersionUID = 1L;

    private static final String RESULT = "/result";
    private static final int STORE_SECONDS = 10;

    private final transient Tools tools;

    /**
     * Serves the tickets of these tools.
     *
     * @param tools the tools
     * @param identities find out who asks
     */
    public TicketServlet(Tools tools, IdentityResolver identities) {
        super(identities);
        this.tools = tools;
    }

    @Override
    protected void serve(Caller caller, HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = rest(request);
        boolean result = path.endsWith(RESULT);
        String id = result ? path.substring(0, path.length() - RESULT.length()) : path;
        Optional<BatchTicket> ticket = id.isEmpty() ? Optional.empty() : tools.ticket(caller, id);
        if (ticket.isEmpty()) {
            notFound(response);
        } else if (result) {
            if (is(request, response, "GET")) {
                result(ticket.get(), response);
            }
        } else if (is(request, response, "GET", "DELETE")) {
            state(ticket.get(), request.getMethod().equals("DELETE"), response);
        }
    }

    private static void state(BatchTicket ticket, boolean cancel, HttpServletResponse response) throws IOException {
        if (cancel) {
            ticket.cancel(); // one that has ended stays as it is, which the answer says
        }
        Json.write(response, HttpServletResponse.SC_OK, Ticket.of(ticket));
    }

    private static void result(BatchTicket ticket, HttpServletResponse response) throws IOException {
        BatchState state = ticket.state();
        if (state != BatchState.SUCCEEDED) {
            none(ticket, state).write(response);
            return;
        }
        CompletableFuture<byte[]> result = ticket.result();
        try {
            write(Parcel.read(result.get(STORE_SECONDS, TimeUnit.SECONDS)), response);
        } catch (ExecutionException gone) {
            Problem.of(HttpServletResponse.SC_GONE, "The result is gone", String.valueOf(gone.getCause()))
                    .write(response);
        } catch (TimeoutException late) {
            Problem.of(
                            HttpServletResponse.SC_GATEWAY_TIMEOUT,
                            "The batch queue does not answer",
                            "result of " + ticket.id() + ": none within " + STORE_SECONDS + " s")
                    .write(response);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            Problem.of(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The gateway is going down", "cut short")
                    .write(response);
        } finally {
            result.cancel(false); // nobody waits for it any more
        }
    }

    private static void write(Message result, HttpServletResponse response) throws IOException {
        LinkServlet.bytes(response, result.contentType());
        response.setContentLength(result.body().length);
        response.getOutputStream().write(result.body());
    }

    /** Why there is no result: it may come, or it never will. */
    private static Problem none(BatchTicket ticket, BatchState state) {
        String reasons = String.join("; ", Ticket.of(ticket).reasons());
        String detail =
                "state: " + Served.small(state) + (reasons.isEmpty() ? "" : ": " + reasons) + " (expected: succeeded)";
        return state.ended()
                ? Problem.of(HttpServletResponse.SC_GONE, "There is no result", detail)
                : Problem.of(HttpServletResponse.SC_CONFLICT, "There is no result yet", detail);
    }
}
