package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.Learned;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.decide.Survey;
import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.status.Verdict;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks, and changes nothing. Thread-safe. */
final class Views {
    private final Engine engine;

    Views(Engine engine) {
        this.engine = engine;
    }

    List<SubstrateView> substrates() {
        Revision revision = engine.revision();
        long now = engine.time().nanos();
        return Arrays.stream(revision.compiled.substrates)
                .map(plan -> substrate(plan, revision.current(plan.index), now))
                .toList();
    }

    List<RouteView> routes() {
        while (true) {
            List<RouteView> views = routes(engine.revision(), engine.time().nanos());
            if (views != null) {
                return views;
            }
        }
    }

    /** The routes of a revision; null when it is not the newest any more. */
    private @Nullable List<RouteView> routes(Revision revision, long now) {
        List<RouteView> views = new ArrayList<>();
        for (RoutePlan route : revision.compiled.routes()) {
            Decision decision =
                    Decider.decide(revision, route, Ask.uncounted(RouteRequest.workload(route.workload), now), 0, now);
            if (decision == null) {
                return null;
            }
            views.add(new RouteView(
                    route.workload,
                    mechanism(route),
                    Arrays.stream(route.candidates)
                            .filter(candidate -> candidate.unusable == null)
                            .map(candidate -> candidate.substrate.id)
                            .toList(),
                    decision.placed() ? Optional.of(decision.candidate().substrate.id) : Optional.empty(),
                    engine.waiting().waiting(route),
                    route.capacity));
        }
        return views;
    }

    private static RouteView.Mechanism mechanism(RoutePlan route) {
        if (route.matched()) {
            return RouteView.Mechanism.NEED;
        }
        return route.pinned() ? RouteView.Mechanism.PIN : RouteView.Mechanism.ROUTE;
    }

    /** The candidates whose work takes a different time than declared, by more than the policy's factor. */
    List<Drift> drift() {
        Revision revision = engine.revision();
        double factor = revision.compiled.policy.strategy().driftFactor();
        List<Drift> drifts = new ArrayList<>();
        for (RoutePlan route : revision.compiled.routes()) {
            for (CandidatePlan candidate : route.candidates) {
                drift(revision, route, candidate, factor).ifPresent(drifts::add);
            }
        }
        return drifts;
    }

    private static Optional<Drift> drift(Revision revision, RoutePlan route, CandidatePlan candidate, double factor) {
        Learned learned = revision.book.of(candidate);
        if (learned == null || candidate.latencyNanos <= 0) {
            return Optional.empty();
        }
        Learned.Summary seen = learned.summary();
        double times = (double) seen.median() / candidate.latencyNanos;
        boolean off = times > factor || times < 1 / factor;
        return seen.count() < Learned.ENOUGH || !off
                ? Optional.empty()
                : Optional.of(new Drift(
                        route.workload,
                        candidate.substrate.id,
                        Duration.ofNanos(candidate.latencyNanos),
                        Duration.ofNanos(seen.median()),
                        seen.count(),
                        Duration.ofNanos(seen.low()),
                        Duration.ofNanos(seen.high())));
    }

    /** What {@code tryPlace} would find, from copies. */
    Recommendation recommend(RouteRequest request) {
        Journey journey = engine.peek(request);
        while (true) {
            Revision revision = engine.revision();
            Refusal barred = engine.placing().barred(journey, revision);
            if (barred != null) {
                throw refused(journey, barred);
            }
            RoutePlan route = journey.route();
            Survey survey = engine.waiting().rehearse(journey, revision, route);
            if (survey != null && !survey.couldCome()) {
                Decision none = Decider.decide(revision, route, journey.ask(), 0, journey.arrivalNanos());
                throw refused(journey, Refusal.of(RefusalReason.NO_ELIGIBLE_SUBSTRATE, journey, none, route, 0));
            }
            if (survey != null) {
                return new Recommendation(journey.subject(), route.why(), survey.revision(), ranked(survey));
            }
        }
    }

    private static RoutingException refused(Journey journey, Refusal refusal) {
        journey.foundNone(refusal.decision());
        journey.refused(refusal.reason());
        return refusal.exception();
    }

    /** Whether every workload has a candidate that passes its gate. */
    boolean ready() {
        Revision revision = engine.revision();
        long now = engine.time().nanos();
        for (RoutePlan route : revision.compiled.routes()) {
            if (!route.matched()
                    && Arrays.stream(route.candidates).noneMatch(candidate -> passes(revision, candidate, now))) {
                return false;
            }
        }
        return true;
    }

    /** How many leases count now, those on removed substrates included. */
    static int leases(List<Cell> cells, long now) {
        return cells.stream().mapToInt(cell -> cell.settle(now).ledger.jobs()).sum();
    }

    private static boolean passes(Revision revision, CandidatePlan candidate, long now) {
        return revision.current(candidate.substrate.index).passesGate(candidate, now);
    }

    private static List<RankedCandidate> ranked(Survey survey) {
        List<Survey.Entry> entries = new ArrayList<>(survey.entries());
        entries.sort(Comparator.comparing(
                (Survey.Entry entry) -> !entry.admissible())); // stable: each group keeps its order
        List<RankedCandidate> ranked = new ArrayList<>();
        for (Survey.Entry entry : entries) {
            CandidatePlan candidate = entry.candidate();
            ranked.add(new RankedCandidate(
                    ranked.size() + 1,
                    candidate.substrate.id,
                    Optional.ofNullable(candidate.endpoint),
                    candidate.substrate.declared.mcpUrl(),
                    entry.admissible(),
                    entry.findings(),
                    entry.comesAfter(),
                    entry.latencyNanos() < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(entry.latencyNanos())),
                    candidate.declared.why().or(candidate.substrate.declared::why),
                    Double.isNaN(entry.cost()) ? OptionalDouble.empty() : OptionalDouble.of(entry.cost())));
        }
        return ranked;
    }

    private SubstrateView substrate(SubstratePlan plan, CellState state, long now) {
        List<Finding> reasons = state.objections(now).stream()
                .map(reason -> new Finding(reason, state.describe(reason, now)))
                .toList();
        Reading figures = state.gate.health.figures();
        long out = state.gate.ejectedFor(now);
        Instant until = engine.wallAt(now + out);
        return new SubstrateView(
                plan.id,
                plan.declared.kind(),
                plan.declared.hardware(),
                plan.declared.capabilities(),
                plan.declared.codebases(),
                figures == null ? Optional.empty() : Optional.of(figures.status()),
                figures == null ? Optional.empty() : Optional.of(Duration.ofNanos(now - figures.at())),
                sources(state, now),
                reasons.isEmpty()
                        ? Verdict.pass()
                        : Verdict.fail(reasons.stream().map(Finding::text).collect(Collectors.joining(", "))),
                reasons,
                state.gate.health.suspicions(),
                state.jobs(now),
                plan.maxJobs,
                out > 0 ? Optional.of(until) : Optional.empty(),
                state.gate.lastError(),
                state.gate.cordoned(),
                state.gate.health.availability());
    }

    private static List<SourceStatus> sources(CellState state, long now) {
        return state.gate.health.readings().stream()
                .map(one -> new SourceStatus(
                        StatusIntake.sourceName(one.source()), one.status(), Duration.ofNanos(now - one.at())))
                .sorted(Comparator.comparing(SourceStatus::age))
                .toList();
    }
}
