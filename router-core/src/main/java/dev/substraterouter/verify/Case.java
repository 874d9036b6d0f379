package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody asks for something: all of a situation but how the substrates stand.
 *
 * @param request the request
 * @param roles the roles of whoever asks
 * @param waited how long it has waited
 * @param route where it may run; null: it has no route
 */
record Case(
        RouteRequest request,
        List<String> roles,
        Duration waited,
        @Nullable RoutePlan route) {
    /** A case with the route that the policy in force gives it. */
    static Case of(Stage stage, RouteRequest request, List<String> roles, Duration waited) {
        RoutePlan live = stage.compiled().route(request);
        boolean later = request.mode() == PlacementMode.BATCH;
        return new Case(request, roles, waited, live != null && later ? live.batch : live);
    }

    Priority priority() {
        return request.priority().orElse(Priority.NORMAL);
    }

    /** Whether it asks for the batch path itself. */
    boolean later() {
        return request.mode() == PlacementMode.BATCH;
    }

    /** Whether it would rather take a batch path than wait: by the design, work of priority LOW that is content with either mode. */
    boolean takesBatch() {
        return request.mode() == PlacementMode.EITHER && priority() == Priority.LOW;
    }

    /** The batch path that it takes rather than wait; null: none. */
    @Nullable
    RoutePlan batch() {
        return route != null && FallbackMachine.takesBatch(request.mode(), priority()) ? route.batch : null;
    }

    /** Its candidates live, then those of the batch path that it takes. */
    List<CandidatePlan> candidates() {
        List<CandidatePlan> all = new ArrayList<>();
        if (route != null) {
            all.addAll(List.of(route.candidates));
        }
        RoutePlan later = batch();
        if (later != null) {
            all.addAll(List.of(later.candidates));
        }
        return all;
    }

    /** The numbers of the substrates that its candidates are on, in their order. */
    int[] substrates() {
        Set<Integer> numbers = new LinkedHashSet<>();
        for (CandidatePlan candidate : candidates()) {
            numbers.add(candidate.substrate.index);
        }
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }
}
