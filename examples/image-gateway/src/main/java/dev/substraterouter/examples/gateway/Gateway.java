package dev.substraterouter.examples.gateway;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchDispatcher;
import dev.substraterouter.batch.InMemoryBatchQueue;
import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.control.ControlApi;
import dev.substraterouter.examples.gateway.control.Events;
import dev.substraterouter.examples.gateway.control.History;
import dev.substraterouter.examples.gateway.forward.ForwardServlet;
import dev.substraterouter.examples.gateway.mcp.McpEndpoint;
import dev.substraterouter.examples.gateway.mcp.McpStdio;
import dev.substraterouter.examples.gateway.settings.GatewaySettings;
import dev.substraterouter.examples.gateway.tools.DelegatedWork;
import dev.substraterouter.examples.gateway.tools.LinkLimits;
import dev.substraterouter.examples.gateway.tools.LinkServlet;
import dev.substraterouter.examples.gateway.tools.Links;
import dev.substraterouter.examples.gateway.tools.Patience;
import dev.substraterouter.examples.gateway.tools.Ticket;
import dev.substraterouter.examples.gateway.tools.TicketServlet;
import dev.substraterouter.examples.gateway.tools.ToolServlet;
import dev.substraterouter.examples.gateway.tools.Tools;
import dev.substraterouter.examples.gateway.web.ClientWatch;
import dev.substraterouter.examples.gateway.web.Guard;
import dev.substraterouter.examples.gateway.web.Listener;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.metrics.RouterMetrics;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import dev.substraterouter.time.SystemTimeSource;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The gateway: one router, what clients ask it by on one listener, and what operators look at and turn on another. Thread-safe.
 *
 * <p>{@link #close} takes no new connections, refuses who waits, gives the work that runs the time to end, and closes everything. It blocks for as long.
 */
public final class Gateway implements AutoCloseable {
    private static final int OPERATORS_THREADS = 32;
    private static final long JOB_BYTES = 8 << 20;
    private static final long RESULT_BYTES = 4 << 20;
    /** How long the last bytes of an answer may take to leave after its work has ended. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(5);

    private final GatewaySettings settings;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final SubstrateRouter router;
    private final Tools tools;
    private final Listener control;
    private final Listener clients;
    private final AtomicBoolean draining = new AtomicBoolean();

    private Gateway(GatewaySettings settings) throws IOException {
        this.settings = settings;
        try {
            SystemTimeSource time = opened(new SystemTimeSource("gateway-time"));
            IdentityResolver identities = BearerTokens.of(settings.tokens());
            Events events = new Events(time);
            History history = new History(time);
            router = opened(SubstrateRouter.builder()
                    .policySource(YamlPolicy.watch(settings.policy()))
                    .statusSource(HttpStatusProbe.create())
                    .listener(events)
                    .traceSink(events)
                    .traceSink(history)
                    .executor(opened(new Threads("gateway-router", 4)))
                    .build());
            PrometheusMeterRegistry metrics = metrics();
            WorkerClient workers = new WorkerClient(router::policy, settings.connect());
            Patience patience = new Patience(time, settings.answer());
            Links links = opened(new Links(this::publicUrl, LinkLimits.STANDARD, time));
            BatchDispatcher dispatcher =
                    opened(BatchDispatcher.create(router, batchJobs(), new DelegatedWork(workers, patience)));
            tools = opened(new Tools(router, workers, dispatcher, links, patience));
            control = opened(control(new ControlApi(
                    router, identities, metrics, events, history, settings.policy(), operatorsNames(), draining::get)));
            opened(events); // closed before their listener, which would wait for their streams
            McpEndpoint mcp = mcp(identities);
            clients = opened(clients(identities, workers, links, mcp));
            opened(mcp); // likewise
        } catch (IOException | RuntimeException failed) {
            closeAll(failed);
            throw failed;
        }
    }

    private PrometheusMeterRegistry metrics() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        opened(RouterMetrics.of(router)).bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        return registry;
    }

    /** By which name, beside addresses and {@code localhost}, operators reach their listener. */
    private Set<String> operatorsNames() {
        Set<String> names = new HashSet<>(Set.of(settings.control().getHostString()));
        settings.controlUrl().map(URI::create).map(URI::getHost).ifPresent(names::add);
        return names;
    }

    /** Jobs and what came of them, as much as a small heap has room for. Who must not lose any puts a queue of its own here. */
    private static InMemoryBatchQueue batchJobs() {
        return InMemoryBatchQueue.builder()
                .capacityBytes(JOB_BYTES)
                .keptBytes(RESULT_BYTES)
                .build();
    }

    private Listener control(ControlApi api) throws IOException {
        return Listener.builder("control", settings.control())
                .threads(OPERATORS_THREADS)
                .stalledAfter(settings.stalled())
                .serve("/", api.servlet())
                .start();
    }

    private Listener clients(IdentityResolver identities, WorkerClient workers, Links links, McpEndpoint mcp)
            throws IOException {
        ClientWatch watch = opened(new ClientWatch());
        ForwardServlet forward = new ForwardServlet(
                router, identities, workers, watch, settings.maxReplay(), settings.maxReplayInAll(), this::delegate);
        return Listener.builder("clients", settings.clients())
                .stalledAfter(settings.stalled())
                .graceful(LAST_BYTES)
                .guard(settings.tokens().isEmpty() ? Guard.of(clientsNames()) : Guard.ofAnyHost())
                .serve(ForwardServlet.PATH, forward)
                .serve("/v1/gap", ToolServlet.gap(tools, identities, watch))
                .serve("/v1/needs", ToolServlet.needs(tools, identities, watch))
                .serve(Ticket.PATH + "*", new TicketServlet(tools, identities))
                .serve(Links.PATH + "*", new LinkServlet(links, identities))
                .serve(McpEndpoint.PATH, mcp.servlet())
                .start();
    }

    private McpEndpoint mcp(IdentityResolver identities) {
        return McpEndpoint.create(tools, identities, clientsNames());
    }

    /** By which names and addresses clients reach their listener. */
    private Set<String> clientsNames() {
        return McpEndpoint.hosts(settings.clients(), settings.publicUrl());
    }

    private String delegate(Caller caller, RouteRequest request, String path, String contentType, byte[] body) {
        return tools.delegate(caller, request, contentType, body, path).id();
    }

    private String publicUrl() {
        return settings.publicUrl().orElseGet(() -> url(clients.address()));
    }

    /** The address of a listener as a URL. */
    static String url(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /**
     * Starts a gateway.
     *
     * @throws IOException if it cannot listen, or read the policy
     */
    public static Gateway start(GatewaySettings settings) throws IOException {
        return new Gateway(settings);
    }

    /** The router. */
    public SubstrateRouter router() {
        return router;
    }

    /**
     * Speaks MCP on the standard streams of this process, too; to be closed before the gateway.
     *
     * @param caller who asks there
     */
    public McpStdio onStandardStreams(Caller caller) {
        return McpStdio.standard(tools, caller);
    }

    /** Where clients are listened to. */
    public InetSocketAddress clients() {
        return clients.address();
    }

    /** Where operators are listened to. */
    public InetSocketAddress control() {
        return control.address();
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        draining.set(true);
        clients.stopAccepting();
        try {
            router.shutdown(settings.drain());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        RuntimeException failed = new IllegalStateException("the gateway did not close cleanly");
        closeAll(failed);
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }

    /** Closes what was opened, the last first. */
    private void closeAll(Exception failed) {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
    }
}
