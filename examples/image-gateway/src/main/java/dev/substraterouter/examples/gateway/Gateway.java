package dev.substraterouter.examples.gateway;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.forward.ClientWatch;
import dev.substraterouter.examples.gateway.forward.ForwardServlet;
import dev.substraterouter.examples.gateway.settings.GatewaySettings;
import dev.substraterouter.examples.gateway.web.Listener;
import dev.substraterouter.examples.gateway.worker.WorkerClient;
import dev.substraterouter.policy.yaml.YamlPolicy;
import dev.substraterouter.probe.http.HttpStatusProbe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The gateway: one router, what clients ask it by on one listener, and what operators look at and turn on another. Thread-safe.
 *
 * <p>{@link #close} takes no new connections, refuses who waits, gives the work that runs the time to end, and closes everything. It blocks for as long.
 */
public final class Gateway implements AutoCloseable {
    private final GatewaySettings settings;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final SubstrateRouter router;
    private final Listener clients;

    private Gateway(GatewaySettings settings) throws IOException {
        this.settings = settings;
        try {
            IdentityResolver identities = BearerTokens.of(settings.tokens());
            router = opened(SubstrateRouter.builder()
                    .policySource(YamlPolicy.watch(settings.policy()))
                    .statusSource(HttpStatusProbe.create())
                    .build());
            ClientWatch watch = opened(new ClientWatch());
            WorkerClient workers = new WorkerClient(router::policy, settings.connect());
            clients = opened(Listener.builder("clients", settings.clients())
                    .stalledAfter(settings.stalled())
                    .graceful(Duration.ofSeconds(5))
                    .serve(
                            ForwardServlet.PATH,
                            new ForwardServlet(
                                    router,
                                    identities,
                                    workers,
                                    watch,
                                    settings.maxReplay(),
                                    settings.maxReplayInAll(),
                                    (request, path, type, body) -> ""))
                    .start());
        } catch (IOException | RuntimeException failed) {
            closeAll(failed);
            throw failed;
        }
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

    /** Where clients are listened to. */
    public InetSocketAddress clients() {
        return clients.address();
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
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
