package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchDispatcher;
import dev.substraterouter.batch.BatchFullException;
import dev.substraterouter.batch.BatchReport;
import dev.substraterouter.batch.BatchTicket;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What the gateway can be asked, by whichever way it is asked. Every answer is for its caller: what the policy's roles do not allow is refused
 * with a {@link RoutingException}.
 *
 * <p>Thread-safe. What asks a worker blocks until the answer has ended, also when whoever asked has gone in the meantime: an interrupt cuts it short,
 * and the {@link Patience} bounds it. The others do not block.
 */
public final class Tools implements AutoCloseable {
    private final SubstrateRouter router;
    private final BatchDispatcher dispatcher;
    private final Exchange exchange;
    private final KnowledgeGap gap;
    private final Broadcaster broadcaster;
    private final PoolInstances pool;

    /**
     * Tools on a router. None of what they are given is closed with them.
     *
     * @param router decides where work runs
     * @param worker calls the workers
     * @param dispatcher does what is for later; its work must be a {@link DelegatedWork}
     * @param links keeps answers that are too large to be told
     * @param patience how long one worker may take for its whole answer
     */
    public Tools(
            SubstrateRouter router, WorkerClient worker, BatchDispatcher dispatcher, Links links, Patience patience) {
        this.router = router;
        this.dispatcher = dispatcher;
        this.exchange = new Exchange(router, worker, links, patience);
        this.gap = new KnowledgeGap(router, exchange);
        this.broadcaster = new Broadcaster(router, exchange);
        this.pool = new PoolInstances(router);
    }

    /**
     * Finds out of words what is needed, and asks whom the router chooses. That nobody could serve it, that all are busy and that the worker
     * failed are answers too, as they come with the need that was understood.
     *
     * @throws RoutingException when the caller may not ask for it, or the gateway is going down
     * @throws InterruptedException when the thread is interrupted
     */
    public GapAnswer knowledgeGap(Caller caller, GapQuestion question) throws InterruptedException {
        return gap.ask(caller, question);
    }

    /**
     * Which nodes fit a need now. Nothing is placed.
     *
     * @throws RoutingException when the caller may not ask for it, or nobody could ever serve it
     */
    public Ranking recommend(Caller caller, RouteQuestion question) {
        Need need = question.need();
        return Ranking.of(need, router.recommend(caller.asking(RouteRequest.need(need))), router.policy());
    }

    /**
     * Sends a message to a node, to every node, or to one that has time later. It is sent again only where nobody can have begun with it.
     *
     * @throws RoutingException when it is refused
     * @throws WorkerFailedException when nobody has answered
     * @throws BatchFullException when there is no room for more that is done later
     * @throws InterruptedException when the thread is interrupted
     */
    public Outcome meshSend(Caller caller, MeshMessage message) throws WorkerFailedException, InterruptedException {
        Message body = Message.of(message.message());
        RouteRequest request = reachable(caller, message.request());
        return switch (message.action()) {
            case INVOKE -> exchange.call(caller, request, body, Exchange.INLINE);
            case DELEGATE -> Ticket.of(delegate(caller, request, body));
            case BROADCAST -> broadcaster.send(caller, request, body);
        };
    }

    private RouteRequest reachable(Caller caller, RouteRequest request) {
        return Ranking.reachable(Ranking.nodes(router.recommend(caller.asking(request)), router.policy()), request);
    }

    /**
     * The pool. Who may view it sees all of it, anyone else the nodes that could serve something it may ask for.
     *
     * @throws RoutingException when the caller may ask for nothing at all
     */
    public Pool poolInstances(Caller caller) {
        return pool.show(caller);
    }

    /**
     * The pool, for who asks with arguments, of which there are none.
     *
     * @throws IllegalArgumentException if there are some
     * @throws RoutingException when the caller may ask for nothing at all
     */
    public Pool poolInstances(Caller caller, JsonNode arguments) {
        Arguments.of(arguments).end();
        return poolInstances(caller);
    }

    /**
     * Runs a workload and waits for its answer; in {@link PlacementMode#BATCH} gives a ticket.
     *
     * @throws RoutingException when it is refused
     * @throws WorkerFailedException when nobody has done it
     * @throws BatchFullException when there is no room for more that is done later
     * @throws InterruptedException when the thread is interrupted
     */
    public Outcome runWorkload(Caller caller, WorkloadRun run) throws WorkerFailedException, InterruptedException {
        return run.mode() == PlacementMode.BATCH
                ? Ticket.of(delegate(caller, run.request(), run.message()))
                : exchange.call(caller, run.request(), run.message(), Exchange.INLINE);
    }

    /**
     * Takes work for later.
     *
     * @param caller who asks, and who may ask for the result
     * @param request what to place
     * @param contentType what the body is
     * @param body what is sent to the worker
     * @param path what is appended to the worker's endpoint; starts with a slash, or is empty
     * @throws RoutingException when it could never be placed
     * @throws BatchFullException when there is no room for more, or the gateway is going down
     */
    public BatchTicket delegate(Caller caller, RouteRequest request, String contentType, byte[] body, String path) {
        return delegate(caller, request, new Message(path, contentType, body));
    }

    private BatchTicket delegate(Caller caller, RouteRequest request, Message message) {
        byte[] payload = Parcel.write(message);
        try {
            return dispatcher.submit(caller.asking(request), payload);
        } catch (IllegalStateException closed) {
            throw new BatchFullException("nothing more is taken for later: " + closed.getMessage());
        }
    }

    /** The ticket of work that this caller has handed in; empty: there is none that it has. */
    public Optional<BatchTicket> ticket(Caller caller, String id) {
        return dispatcher.ticket(id).filter(ticket -> ticket.report().map(BatchReport::job).stream()
                .anyMatch(job -> job.request().identity().equals(caller.identity())));
    }

    /** Cancels the broadcasts under way. */
    @Override
    public void close() {
        broadcaster.close();
    }
}
