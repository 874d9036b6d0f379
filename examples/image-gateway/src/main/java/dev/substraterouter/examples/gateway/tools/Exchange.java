package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.worker.WorkerAnswer;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.Attempt;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends a message to whom it is placed on, and takes the answer: a small one here, a large one behind a link. Thread-safe; blocks until the
 * answer has ended. As nothing of an answer is told before its end, any failure on the way lets the router go elsewhere.
 */
final class Exchange {
    /** How large an answer may be that is told as it is. */
    static final int INLINE = 256 * 1024;
    /** How large one may be, or several together, that are told within data: in Base64, and by MCP twice, as data and as text. */
    static final int WITHIN = INLINE / 4;

    private final SubstrateRouter router;
    private final WorkerClient worker;
    private final Links links;
    private final Patience patience;

    Exchange(SubstrateRouter router, WorkerClient worker, Links links, Patience patience) {
        this.router = router;
        this.worker = worker;
        this.links = links;
        this.patience = patience;
    }

    /**
     * Places a request and sends its message there, or elsewhere when that one fails. An answer of more than so many bytes goes behind a link.
     *
     * @throws RoutingException when it is refused
     * @throws WorkerFailedException when nobody has done it
     * @throws InterruptedException when the thread is interrupted
     */
    Reply call(Caller caller, RouteRequest request, Message message, int inline)
            throws WorkerFailedException, InterruptedException {
        AtomicReference<@Nullable Served> last = new AtomicReference<>();
        try {
            return router.<Reply, Exception>call(caller.asking(request), placement -> {
                last.set(Served.by(placement));
                return send(caller, placement, message, inline);
            });
        } catch (InterruptedException | WorkerFailedException e) {
            throw e;
        } catch (LinksFullException e) {
            throw WorkerFailedException.of(e, last.get());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw WorkerFailedException.of(e, last.get());
        }
    }

    /**
     * Sends a message to where it was placed. An answer of more than so many bytes goes behind a link.
     *
     * @throws WorkerFailedException when it cannot be sent there
     * @throws Exception what is to be told to the placement as its failure
     */
    Reply send(Caller caller, Placement placement, Message message, int inline) throws Exception {
        Served served = Served.by(placement);
        if (placement.trace().lastAttempt().flatMap(Attempt::endpoint).isEmpty()) {
            throw WorkerFailedException.unreachable(
                    served,
                    router.policy()
                            .substrate(served.substrate())
                            .flatMap(Substrate::mcpUrl)
                            .map(URI::toString));
        }
        Reply reply = patience.within(() -> {
            try (WorkerAnswer answer = worker.send(placement, message.request())) {
                return reply(caller, answer, served, inline);
            }
        });
        if (reply.isRefusal()) {
            // its time says nothing of how long the work takes
            placement.fail(new IllegalArgumentException(served.substrate() + " answered " + reply.status()));
        }
        return reply;
    }

    private Reply reply(Caller caller, WorkerAnswer answer, Served served, int inline) throws IOException {
        byte[] beginning = answer.body().readNBytes(inline + 1);
        if (beginning.length <= inline) {
            return new Reply(answer.status(), answer.contentType(), beginning, null, served);
        }
        Link link = links.keep(caller, answer.contentType(), beginning, answer.body());
        return new Reply(answer.status(), answer.contentType(), new byte[0], link, served);
    }
}
