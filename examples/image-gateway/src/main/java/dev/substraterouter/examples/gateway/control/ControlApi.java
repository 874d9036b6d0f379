package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.access.IdentityResolver;
import dev.substraterouter.examples.gateway.web.Guard;
import dev.substraterouter.policy.Operation;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Everything that operators can ask of the gateway, for a listener of its own. But for the page's own file, {@code /healthz} and
 * {@code /readyz}, whoever asks must be known by a bearer token and have the right by a role of the policy.
 *
 * <pre>{@code
 * Listener.builder("control", address).serve("/", api.servlet()).start();
 * }</pre>
 *
 * <p>Immutable and thread-safe. Nothing here blocks.
 */
public final class ControlApi {
    private final SubstrateRouter router;
    private final IdentityResolver identities;
    private final Guard guard;
    private final List<Route> routes;

    /**
     * Operating a router.
     *
     * @param events what the router's builder was given as a listener and as a trace sink
     * @param history what the router's builder was given as a trace sink
     * @param policyFile where the policy comes from, to be told
     * @param hostNames under which names, beside addresses and {@code localhost}, operators reach the listener
     * @param draining whether the gateway is going down
     */
    public ControlApi(
            SubstrateRouter router,
            IdentityResolver identities,
            PrometheusMeterRegistry metrics,
            Events events,
            History history,
            Path policyFile,
            Set<String> hostNames,
            BooleanSupplier draining) {
        this.router = router;
        this.identities = identities;
        this.guard = Guard.of(hostNames);
        HealthAnswers health = new HealthAnswers(router, draining);
        PoolAnswers pool = new PoolAnswers(router);
        RouteAnswers byRoute = new RouteAnswers(router);
        PolicyAnswers policy = new PolicyAnswers(router, policyFile);
        OperatorAnswers operators = new OperatorAnswers(router, events);
        this.routes = List.of(
                Route.open("/", Page.load()::show),
                Route.open("/healthz", health::alive),
                Route.open("/readyz", health::ready),
                Route.view("/metrics", new MetricsAnswer(metrics)::scrape),
                Route.view("/admin/pool", pool::pool),
                Route.view("/admin/traces", pool::traces),
                Route.view("/admin/routes", byRoute::routes),
                Route.view("/admin/queue", byRoute::queue),
                Route.view("/admin/history", call -> call.answer(200, history.hour())),
                Route.view("/admin/events", new EventsAnswer(router, events)::open),
                Route.view("/admin/policy", policy::show),
                Route.post("/admin/policy", Operation.RELOAD, policy::replace),
                Route.post("/admin/recommend", Operation.VIEW, new RecommendAnswer(router)::recommend),
                Route.post("/admin/substrates/{id}/cordon", Operation.CORDON, operators::cordon),
                Route.post("/admin/substrates/{id}/uncordon", Operation.CORDON, operators::uncordon),
                Route.post("/admin/substrates/{id}/drain", Operation.DRAIN, operators::drain),
                Route.post("/admin/substrates/{id}/reset", Operation.RESET, operators::reset),
                Route.post("/admin/substrates/{id}/kick", Operation.KICK, operators::kick));
    }

    /** What answers; to be served at {@code /}. */
    public HttpServlet servlet() {
        return new ControlServlet(router, identities, guard, routes);
    }
}
