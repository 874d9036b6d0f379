package dev.substraterouter.testkit;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/**
 * Requests that callers of a policy may make: for its workloads and, now and then, for needs of their own; by people whom its roles know and
 * by strangers; in every mode and priority; preferring and avoiding its substrates. Request ids are not set. Stateless and thread-safe.
 */
public final class RequestArbitraries {
    private static final String STRANGER = "stranger";

    private RequestArbitraries() {}

    /** Requests for anything. */
    public static Arbitrary<RouteRequest> of(Policy policy) {
        Arbitrary<RouteRequest> needs = needs(policy).map(RouteRequest::need);
        Arbitrary<RouteRequest> asked = policy.workloads().isEmpty()
                ? needs
                : Arbitraries.frequencyOf(
                        Tuple.of(
                                6,
                                Arbitraries.of(policy.workloads())
                                        .map(Workload::name)
                                        .map(RouteRequest::workload)),
                        Tuple.of(1, needs));
        return dressed(policy, asked);
    }

    /** Requests for one workload. */
    public static Arbitrary<RouteRequest> of(Policy policy, String workload) {
        return dressed(policy, Arbitraries.just(RouteRequest.workload(workload)));
    }

    private static Arbitrary<RouteRequest> dressed(Policy policy, Arbitrary<RouteRequest> asked) {
        Arbitrary<String> ids = Arbitraries.of(policy.substrates()).map(Substrate::id);
        Arbitrary<Duration> spans = Arbitraries.integers().between(0, 20).map(Duration::ofSeconds);
        return Mix.of(() -> RouteRequest.workload("-"))
                .always(asked, (none, request) -> request)
                .maybe(0.9, identities(policy), RouteRequest::identity)
                .maybe(0.3, Arbitraries.of(Priority.class), RouteRequest::priority)
                .maybe(0.25, Arbitraries.of(PlacementMode.class), RouteRequest::mode)
                .maybe(0.2, ids, RouteRequest::prefer)
                .maybe(
                        0.2,
                        ids.set().ofMinSize(1).ofMaxSize(2),
                        (request, some) -> request.avoid(some.toArray(String[]::new)))
                .maybe(0.3, spans, RouteRequest::maxWait)
                .maybe(0.1, spans, RouteRequest::deadline)
                .maybe(0.2, Arbitraries.of(false, true), RouteRequest::idempotent)
                .build(request -> request);
    }

    /** Needs made of what the policy's substrates offer, and sometimes a little more. */
    public static Arbitrary<Need> needs(Policy policy) {
        return Mix.of(Need::builder)
                .maybe(offered(policy, Substrate::capabilities), Need.Builder::capabilities)
                .maybe(0.2, offered(policy, Substrate::codebases), Need.Builder::codebase)
                .maybe(0.2, offered(policy, Substrate::reaches), Need.Builder::reaches)
                .maybe(Arbitraries.of(2.0, 8.0, 12.0, 24.0, 48.0), Need.Builder::vramGb)
                .maybe(0.2, Arbitraries.of(true, false), Need.Builder::spansGpus)
                .maybe(0.7, Arbitraries.of(Trust.class), Need.Builder::privacy)
                .maybe(0.1, Arbitraries.of(0.5, 0.8), Need.Builder::minQuality)
                .maybe(Arbitraries.integers().between(1, 120).map(Duration::ofSeconds), Need.Builder::duration)
                .maybe(0.2, Arbitraries.of(0.1, 1.0), Need.Builder::maxCost)
                .build(Need.Builder::build);
    }

    /** Who may ask: a name for each pattern of the policy's roles, and a stranger. */
    public static Arbitrary<String> identities(Policy policy) {
        List<String> known = policy.roles().stream()
                .map(Role::identities)
                .flatMap(List::stream)
                .map(RequestArbitraries::named)
                .distinct()
                .toList();
        return known.isEmpty()
                ? Arbitraries.of(STRANGER, "somebody")
                : Arbitraries.frequencyOf(Tuple.of(5, Arbitraries.of(known)), Tuple.of(1, Arbitraries.just(STRANGER)));
    }

    /** Somebody whom a role knows by a pattern. */
    static String named(String pattern) {
        return pattern.replace("*", "1");
    }

    private static Arbitrary<String> offered(Policy policy, Function<Substrate, Collection<String>> what) {
        List<String> names = policy.substrates().stream()
                .map(what)
                .flatMap(Collection::stream)
                .filter(name -> !name.equals("*"))
                .distinct()
                .toList();
        return names.isEmpty()
                ? Arbitraries.just("unheard-of")
                : Arbitraries.frequencyOf(
                        Tuple.of(9, Arbitraries.of(names)), Tuple.of(1, Arbitraries.just("unheard-of")));
    }
}
