package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.GateState;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Fills substrates with the router's own work: with as many jobs as they take, which need no memory. */
final class Leases {
    private static final int MOST = 1_000;
    private static final long LONG_AGO = Duration.ofDays(366).toNanos();

    private static final String ANYONE = "anyone";
    private static final RouteRequest ANYTHING = RouteRequest.need(
                    Need.builder().privacy(Trust.PUBLIC).build())
            .identity(ANYONE)
            .priority(Priority.HIGH);

    private final Stage stage;
    private final Revision anyone;
    private final RoutePlan route;

    Leases(Stage stage) {
        this.stage = stage;
        this.anyone = Revision.of(openToAll(stage.policy), new HashMap<>(), null, () -> 1);
        RoutePlan found = anyone.compiled.route(ANYTHING);
        if (found == null) {
            throw new IllegalStateException("whoever has every role may ask for anything");
        }
        this.route = found;
    }

    /** The same substrates under the same limits, for somebody who has every role there is, and every role may do anything. */
    private static Policy openToAll(Policy policy) {
        Policy.Builder open = Policy.builder()
                .health(policy.health())
                .ejection(policy.ejection())
                .queue(policy.queue())
                .poll(policy.poll());
        policy.substrates().forEach(open::substrate);
        for (Role role : policy.roles()) {
            open.role(Role.builder(role.name())
                    .identities(ANYONE)
                    .capabilities("*")
                    .workloads("*")
                    .adhoc(true)
                    .external(true)
                    .maxPriority(Priority.HIGH)
                    .build());
        }
        return open.build().withRevision(1);
    }

    /** Every slot taken; empty: it has no limit, or one that is too far away. */
    Optional<Stand> full(SubstratePlan plan) {
        return filled(plan, gate -> gate)
                .filter(cell -> cell.get().jobs(Stage.NOW) == plan.maxJobs)
                .map(cell -> Stand.of(cell.get(), Reason.RUNNING_JOBS, "full of the router's own work", null)
                        .withJobs(plan.maxJobs));
    }

    /** Back after faults, with its share of slots taken; empty: its share is all of them, or faults are forgotten sooner. */
    Optional<Stand> rampedUp(SubstratePlan plan) {
        GateState due = Singles.trialDue(stage, plan).orElse(null);
        if (due == null) {
            return Optional.empty();
        }
        GateState back = due.trialTaken(plan.id, Stage.NOW, 0)
                .ended(plan.id, due.epoch(Stage.NOW), true, GateState.End.SUCCEEDED, Stage.NOW);
        return filled(plan, gate -> back)
                .filter(cell -> cell.get().jobs(Stage.NOW) < plan.maxJobs)
                .map(cell -> Stand.of(cell.get(), Reason.RAMP, "back after faults, its share used up", null));
    }

    private Optional<Cell> filled(SubstratePlan plan, UnaryOperator<GateState> before) {
        CandidatePlan candidate = candidate(plan.index);
        if (candidate == null || plan.maxJobs > MOST) {
            return Optional.empty();
        }
        Cell cell = anyone.newCell(plan.index);
        Stage.told(cell, stage.idle(plan.declared).build(), Stage.NOW);
        cell.changeGate(before);
        Ask ask = Ask.of(ANYTHING, 1, Stage.NOW - LONG_AGO);
        for (int taken = 0; taken < plan.maxJobs; taken++) {
            Decision decision =
                    Decider.only(substrate -> cell.get(), anyone, routeOf(candidate), candidate, ask, null, Stage.NOW);
            if (decision == null || !decision.placed() || cell.take(decision) == null) {
                return Optional.of(cell);
            }
        }
        return Optional.of(cell);
    }

    private @Nullable CandidatePlan candidate(int substrate) {
        for (RoutePlan one : new RoutePlan[] {route, route.batch}) {
            for (int at = 0; one != null && at < one.candidates.length; at++) {
                if (one.candidates[at].substrate.index == substrate) {
                    return one.candidates[at];
                }
            }
        }
        return null;
    }

    private RoutePlan routeOf(CandidatePlan candidate) {
        return candidate.batch && route.batch != null ? route.batch : route;
    }
}
