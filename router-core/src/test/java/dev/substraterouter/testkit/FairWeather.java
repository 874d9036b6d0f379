package dev.substraterouter.testkit;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** What a policy does while every substrate is healthy and idle and one request comes at a time. */
final class FairWeather implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final Policy policy;
    private final HandDrivenTime time = new HandDrivenTime();
    private final SubstrateRouter router;

    private FairWeather(Policy policy) {
        this.policy = policy;
        router = SubstrateRouter.builder()
                .policy(policy.withoutNetwork()) // nobody looks names up here
                .timeSource(time)
                .executor(Runnable::run)
                .log(false)
                .seed(1)
                .build();
        fresh();
    }

    /** The workloads that nobody who may ask for them is served, each with why. */
    static List<String> unserved(Policy policy) {
        try (FairWeather weather = new FairWeather(policy)) {
            List<String> unserved = new ArrayList<>();
            policy.workloads().forEach(workload -> weather.unserved(workload).ifPresent(unserved::add));
            return unserved;
        }
    }

    private void fresh() {
        for (Substrate substrate : policy.substrates()) {
            router.reportStatus(substrate.id(), StatusArbitraries.idle(policy, substrate));
        }
    }

    private Optional<String> unserved(Workload workload) {
        List<String> refusals = new ArrayList<>();
        for (RouteRequest request : asked(workload).toList()) {
            for (PlacementMode mode : List.of(PlacementMode.INTERACTIVE, PlacementMode.BATCH)) {
                Optional<String> refusal = refusal(request.mode(mode), workload.overflowAfter());
                if (refusal.isEmpty()) {
                    return Optional.empty();
                }
                refusals.add(
                        "  " + request.identity().map(who -> "'" + who + "': ").orElse("") + refusal.get());
            }
        }
        return Optional.of("nobody is served '" + workload.name() + "':\n"
                + String.join("\n", refusals.stream().distinct().toList()));
    }

    /** By somebody of each role; by nobody in particular where there are no roles. */
    private Stream<RouteRequest> asked(Workload workload) {
        RouteRequest request = RouteRequest.workload(workload.name());
        return policy.roles().isEmpty()
                ? Stream.of(request)
                : policy.roles().stream()
                        .map(Role::identities)
                        .flatMap(List::stream)
                        .map(pattern -> request.identity(RequestArbitraries.named(pattern)));
    }

    /** Why it is not served; empty: it is, at the latest once the overflow is open. */
    private Optional<String> refusal(RouteRequest request, Duration overflowAfter) {
        Duration wait = overflowAfter.plus(LONGEST);
        CompletableFuture<Placement> placing = router.placeAsync(request.maxWait(wait));
        if (!placing.isDone()) {
            time.advance(overflowAfter);
            fresh();
            time.advance(LONGEST);
        }
        try (Placement placement = placing.join()) {
            placement.succeed();
            return Optional.empty();
        } catch (CompletionException refused) {
            if (refused.getCause() instanceof RoutingException refusal) {
                return Optional.of(refusal.getMessage());
            }
            throw refused;
        }
    }

    @Override
    public void close() {
        router.close();
    }
}
