package dev.substraterouter.examples.gateway.tools;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.batch.BatchDispatcher;
import dev.substraterouter.batch.InMemoryBatchQueue;
import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.mcp.McpEndpoint;
import dev.substraterouter.examples.gateway.web.ClientWatch;
import dev.substraterouter.examples.gateway.web.Listener;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.time.SystemTimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The tools on a small quiet pool, over real sockets. Two nodes hold {@code mirage}; {@code furnace} is too hot, {@code grave} has nobody behind its
 * address, {@code oracle} is virtual.
 */
public final class Rig implements AutoCloseable {
    public static final Caller AGENT = Caller.of("agent-1");
    public static final Caller OTHER = Caller.of("agent-2");
    public static final Caller GUEST = Caller.of("guest-1");
    public static final Caller OPS = Caller.of("ops-1");
    /** Nobody listens there. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

    public final SubstrateRouter router;
    public final BatchDispatcher dispatcher;
    public final Links links;
    public final Tools tools;
    public final IdentityResolver identities;
    public final Listener listener;
    private final McpEndpoint mcp;
    private final ClientWatch watch = new ClientWatch();
    private final SystemTimeSource time = new SystemTimeSource("gateway-time");

    public Rig(URI first, URI second) throws IOException {
        this(first, second, Duration.ofSeconds(30), Duration.ofSeconds(5));
    }

    public Rig(URI first, URI second, Duration limit, Duration stalled) throws IOException {
        router = SubstrateRouter.builder()
                .policy(policy(first, second))
                .statusSource(StatusSource.none())
                .log(false)
                .build();
        router.policy().substrates().forEach(substrate -> router.reportStatus(substrate.id(), status(substrate)));
        Patience patience = new Patience(time, limit);
        WorkerClient worker = new WorkerClient(router::policy, Duration.ofSeconds(5));
        dispatcher = BatchDispatcher.builder(router, InMemoryBatchQueue.create(), new DelegatedWork(worker, patience))
                .every(Duration.ofMillis(20))
                .backoff(Duration.ofMillis(1), Duration.ofMillis(5))
                .build();
        AtomicReference<String> base = new AtomicReference<>("");
        links = new Links(base::get, LinkLimits.STANDARD, time);
        tools = new Tools(router, worker, dispatcher, links, patience);
        identities = BearerTokens.of(Map.of(
                "agent-1", BearerTokens.sha256(token(AGENT)),
                "agent-2", BearerTokens.sha256(token(OTHER)),
                "guest-1", BearerTokens.sha256(token(GUEST)),
                "ops-1", BearerTokens.sha256(token(OPS))));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        mcp = McpEndpoint.create(tools, identities, McpEndpoint.hosts(address, Optional.empty()));
        listener = Listener.builder("clients", address)
                .serve("/v1/gap", ToolServlet.gap(tools, identities, watch))
                .serve("/v1/needs", ToolServlet.needs(tools, identities, watch))
                .serve(Links.PATH + "*", new LinkServlet(links, identities))
                .serve(Ticket.PATH + "*", new TicketServlet(tools, identities))
                .serve(McpEndpoint.PATH, mcp.servlet())
                .stalledAfter(stalled)
                .start();
        base.set(base());
    }

    /** Where the clients' listener is. */
    public String base() {
        return "http://127.0.0.1:" + listener.address().getPort();
    }

    /** What this caller shows to prove who it is. */
    public static String token(Caller caller) {
        return "secret-of-" + caller;
    }

    private static Policy policy(URI first, URI second) {
        return Policy.builder()
                .health(HealthLimits.builder()
                        .staleAfter(Duration.ofMinutes(10))
                        .build())
                .substrate(node("mirror", first, 64)
                        .hardware("2 x V100 32 GB")
                        .gpus(2)
                        .capabilities("cuda", "volta")
                        .codebases("mirage", "crypt")
                        .costPerHour(0.12)
                        .build())
                .substrate(node("legion", second, 32)
                        .capabilities("cuda", "blackwell")
                        .codebases("mirage")
                        .costPerHour(0.30)
                        .build())
                .substrate(node("furnace", first, 32).capabilities("kiln").build())
                .substrate(node("brimful", second, 32).capabilities("plenty").build())
                .substrate(node("grave", NOWHERE, 32)
                        .capabilities("cemetery")
                        .codebases("crypt")
                        .build())
                .substrate(Substrate.builder("oracle")
                        .virtual(true)
                        .mcpUrl("http://127.0.0.1:8090/mcp")
                        .capabilities("prophecy")
                        .vramGb(32)
                        .maxConcurrentJobs(1)
                        .build())
                .substrate(node("vault", second, 32)
                        .capabilities("gold")
                        .acceptsRoles("operator")
                        .build())
                .workload(Workload.builder("flux-dev")
                        .vramGb(12)
                        .route(candidate("mirror"), candidate("legion"))
                        .build())
                .workload(Workload.builder("spill").vramGb(12).route("brimful").build())
                .workload(Workload.builder("glaze").vramGb(8).route("furnace").build())
                .workload(Workload.builder("exhume")
                        .vramGb(8)
                        .route("grave", "mirror")
                        .build())
                .role(Role.builder("agent")
                        .identities("agent-*")
                        .capabilities("*")
                        .workloads("*")
                        .adhoc(true)
                        .maxPriority(Priority.NORMAL)
                        .build())
                .role(Role.builder("operator")
                        .identities("ops-*")
                        .capabilities("*")
                        .workloads("*")
                        .adhoc(true)
                        .maxPriority(Priority.HIGH)
                        .operate(Operation.VIEW)
                        .build())
                .role(Role.builder("guest")
                        .identities("guest-*")
                        .workloads("glaze")
                        .adhoc(false)
                        .maxPriority(Priority.LOW)
                        .build())
                .build();
    }

    private static Substrate.Builder node(String id, URI endpoint, double vram) {
        return Substrate.builder(id).endpoint(endpoint).vramGb(vram).maxConcurrentJobs(4);
    }

    private static Candidate candidate(String on) {
        return Candidate.builder(on)
                .model("flux1-dev")
                .expectedLatency(Duration.ofSeconds(on.equals("mirror") ? 40 : 50))
                .build();
    }

    private static SubstrateStatus status(Substrate substrate) {
        return SubstrateStatus.builder()
                .gpuUtilPct(substrate.id().equals("furnace") ? 97 : 3)
                .gpuTempC(50)
                .vramUsedGb(1)
                .vramTotalGb(substrate.vramGb().orElse(0))
                .runningJobs(0)
                .queuedJobs(0)
                .build();
    }

    @Override
    public void close() throws IOException {
        mcp.close();
        listener.close();
        watch.close();
        tools.close();
        dispatcher.close();
        router.close();
        links.close();
        time.close();
    }
}
