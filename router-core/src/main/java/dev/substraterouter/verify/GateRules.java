package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules about what a status does to a substrate. The gate alone does not say it: a pin is judged by facts only, and memory by what a job
 * takes. So each workload with a candidate there asks the decision that the router makes.
 */
record GateRules(String id) implements PolicyRule.Gate {
    private static final int MOST_TOLD = 3;

    @Override
    public PolicyRule closedAt(SubstrateStatus status) {
        return new AtStatus(id, Objects.requireNonNull(status, "status"), false);
    }

    @Override
    public PolicyRule openAt(SubstrateStatus status) {
        return new AtStatus(id, Objects.requireNonNull(status, "status"), true);
    }

    private record AtStatus(String id, SubstrateStatus status, boolean open) implements PolicyRule {
        @Override
        public String name() {
            return id + (open ? " open at " : " closed at ") + status;
        }

        @Override
        public Optional<String> objection(Policy policy) {
            Stage stage = Stage.of(policy);
            SubstratePlan substrate = stage.compiled().substrate(id);
            if (substrate == null) {
                return Optional.of("the policy has no substrate '" + id + "'");
            }
            Tried tried = new Tried(stage, stage.told(substrate.index, status));
            stage.compiled().routes().forEach(tried::place);
            List<Reason> general = tried.nobody() ? stage.objections(id, status) : List.of();
            boolean isOpen = tried.nobody() ? general.isEmpty() : tried.anyPlaced();
            if (open == isOpen) {
                return Optional.empty();
            }
            String why = tried.nobody() ? (general.isEmpty() ? "" : ": " + general) : ": " + tried.words();
            return Optional.of(id + (isOpen ? " is open" : " is closed") + why);
        }
    }

    /** The workloads that have a candidate on a substrate, tried one after the other. */
    private static final class Tried {
        private final Stage stage;
        private final CellState state;
        private final Set<String> placed = new LinkedHashSet<>();
        private final Map<String, List<Finding>> refused = new LinkedHashMap<>();

        Tried(Stage stage, CellState state) {
            this.stage = stage;
            this.state = state;
        }

        /** By its route, and by its batch path. */
        void place(RoutePlan route) {
            Stream.of(route.candidates).forEach(candidate -> place(route, candidate));
            RoutePlan later = route.batch;
            if (later != null) {
                Stream.of(later.candidates).forEach(candidate -> place(later, candidate));
            }
        }

        private void place(RoutePlan route, CandidatePlan candidate) {
            if (candidate.unusable != null || candidate.substrate.index != state.plan.index) {
                return; // what it may not do for good says nothing of the status
            }
            RouteRequest request = RouteRequest.workload(route.workload).priority(Priority.HIGH);
            Ask ask = Ask.of(request, 1, Stage.NOW - route.overflowAfterNanos);
            Decision decision = Objects.requireNonNull(
                    Decider.only(number -> state, stage.revision, route, candidate, ask, null, Stage.NOW));
            if (decision.placed()) {
                placed.add(route.workload);
            } else {
                refused.putIfAbsent(route.workload, findings(decision));
            }
        }

        private static List<Finding> findings(Decision decision) {
            return decision.considered().stream()
                    .map(Considered::findings)
                    .flatMap(List::stream)
                    .toList();
        }

        boolean nobody() {
            return placed.isEmpty() && refused.isEmpty();
        }

        boolean anyPlaced() {
            return !placed.isEmpty();
        }

        /** Who is placed, or else who is not and why. */
        String words() {
            if (anyPlaced()) {
                return "placed there is " + first(List.copyOf(placed), ", ");
            }
            List<String> told = new ArrayList<>();
            refused.forEach((workload, findings) -> told.add(reasons(findings) + " for " + workload + ", "
                    + findings.stream().map(Finding::text).collect(Collectors.joining(", "))));
            return first(told, "; ");
        }

        private static List<Reason> reasons(List<Finding> findings) {
            return findings.stream().map(Finding::reason).distinct().toList();
        }

        private static String first(List<String> all, String between) {
            int more = all.size() - MOST_TOLD;
            return all.stream().limit(MOST_TOLD).collect(Collectors.joining(between))
                    + (more > 0 ? " and " + more + " more" : "");
        }
    }
}
