package dev.substraterouter.examples.gateway.mcp;

import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.tools.Tools;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.DefaultServerTransportSecurityValidator;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import jakarta.servlet.http.HttpServlet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The tools as MCP over streamable HTTP: a servlet for the clients' listener. Who has no known token is turned away before MCP is reached, and a
 * session belongs to the identity that opened it. Thread-safe. A tool call is done on the thread of its request.
 */
public final class McpEndpoint implements AutoCloseable {
    /** Where it is served. */
    public static final String PATH = "/mcp";

    static final String NAME = "substrate-gateway";
    static final String INSTRUCTIONS =
            "Runs inference where it runs best now. Use run_workload for a workload that you can name, knowledge_gap to"
                    + " describe in words what you lack, instance_route_recommend to see where a need would go, mesh_send to talk to nodes, and"
                    + " pool_instances to see them. A refusal says why, and when to try again.";

    /** How large a message may be. What it becomes on its way to a worker is several times that. */
    static final int MOST_BYTES = 2 << 20;

    /** How large one may be that opens a session: what it says of the client is kept as long as the session. */
    static final int MOST_OPENING_BYTES = 64 << 10;

    private static final int MOST_SESSIONS = 256;
    private static final int MOST_SESSIONS_OF_ONE = 32;
    /** The transport ends what has had no use from one sweep to the next. */
    private static final Duration SWEEP = Duration.ofMinutes(5);
    /** Two sweeps, and some time for them to be late. */
    private static final Duration GONE = SWEEP.multipliedBy(2).plusSeconds(30);

    private static final int MOST_BYTES_IN_ALL = 8 << 20;

    private final McpSyncServer server;
    private final McpServlet servlet;
    private final Sweepers sweepers;

    private McpEndpoint(McpSyncServer server, McpServlet servlet, Sweepers sweepers) {
        this.server = server;
        this.servlet = servlet;
        this.sweepers = sweepers;
    }

    /**
     * An endpoint.
     *
     * @param tools what it offers
     * @param identities find out who asks
     * @param hosts the names under which clients reach the listener, without ports; IPv6 addresses in brackets. A request for another host is
     *     turned down, and one that a page of another origin sends, so that no web page can talk to a gateway in the browser's network
     */
    public static McpEndpoint create(Tools tools, IdentityResolver identities, Set<String> hosts) {
        Sweepers sweepers = new Sweepers();
        HttpServletStreamableServerTransportProvider transport =
                sweepers.noting(() -> HttpServletStreamableServerTransportProvider.builder()
                        .mcpEndpoint(PATH)
                        .contextExtractor(McpServlet::context)
                        .httpHeaderValidator(validator(hosts))
                        .maxRequestSize(MOST_BYTES)
                        .sessionSweepInterval(SWEEP)
                        .build());
        McpSyncServer server = McpServer.sync(transport)
                .serverInfo(NAME, version())
                .instructions(INSTRUCTIONS)
                .capabilities(ServerCapabilities.builder().tools(false).build())
                .validateToolInputs(false) // the tools do, in the same words for every way of asking
                .immediateExecution(true) // a pool of few threads would make calls wait for each other
                .tools(new Handlers(tools, McpServlet::caller).specifications())
                .build();
        McpServlet servlet = new McpServlet(
                transport,
                identities,
                new Sessions(MOST_SESSIONS, MOST_SESSIONS_OF_ONE, GONE, System::nanoTime),
                new BodyBudget(MOST_BYTES_IN_ALL));
        return new McpEndpoint(server, servlet, sweepers);
    }

    /** The names under which clients reach an address that is listened to, or the public one; for a loopback address all its names. */
    public static Set<String> hosts(InetSocketAddress clients, Optional<String> publicUrl) {
        Set<String> hosts = new LinkedHashSet<>();
        InetAddress address = clients.getAddress();
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            hosts.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
        }
        if (!address.isAnyLocalAddress()) {
            String literal = address.getHostAddress();
            hosts.add(literal.contains(":") ? "[" + literal + "]" : literal);
        }
        publicUrl.map(URI::create).map(URI::getHost).ifPresent(hosts::add);
        return hosts;
    }

    /** To be served at {@link #PATH}. */
    public HttpServlet servlet() {
        return servlet;
    }

    /** Ends every session and takes no more. Calls under way are not waited for. */
    @Override
    public void close() {
        server.closeGracefully();
        sweepers.close();
    }

    static String version() {
        return Optional.ofNullable(McpEndpoint.class.getPackage().getImplementationVersion())
                .orElse("0");
    }

    private static DefaultServerTransportSecurityValidator validator(Set<String> hosts) {
        DefaultServerTransportSecurityValidator.Builder validator = DefaultServerTransportSecurityValidator.builder();
        for (String host : hosts) { // ":*" is any port or none
            validator.allowedHost(host + ":*");
            validator.allowedOrigin("http://" + host + ":*").allowedOrigin("https://" + host + ":*");
        }
        return validator.build();
    }
}
