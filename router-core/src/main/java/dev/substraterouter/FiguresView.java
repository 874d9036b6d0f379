package dev.substraterouter;

import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Learned;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.CompiledPolicy;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.Priority;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Puts the figures of a router together. Thread-safe. */
final class FiguresView {
    private final Engine engine;
    private final Reloads reloads;
    private volatile @Nullable Look last;

    FiguresView(Engine engine, Reloads reloads) {
        this.engine = engine;
        this.reloads = reloads;
    }

    /** What was seen, and when. */
    private record Look(long nanos, RouterFigures figures) {}

    /** The figures of a moment that lies at most so long back. */
    RouterFigures notOlderThan(long nanos) {
        Look known = last;
        return known != null && engine.time().nanos() - known.nanos() < nanos ? known.figures() : now();
    }

    /** The figures of this moment. */
    RouterFigures now() {
        Revision revision = engine.revision();
        long now = engine.time().nanos();
        List<Pending> waiting = engine.waiting().everyone();
        RouterFigures figures = new RouterFigures(
                revision.number,
                revision.number - 1,
                reloads.rejections(),
                reloads.rejected().isPresent(),
                engine.observers().droppedEvents(),
                engine.observers().droppedTraces(),
                byPriority(waiting),
                queues(revision.compiled, waiting),
                Arrays.stream(revision.compiled.substrates)
                        .map(plan -> substrate(plan, revision.current(plan.index), now))
                        .toList(),
                candidates(revision));
        last = new Look(now, figures);
        return figures;
    }

    private static Map<Priority, Integer> byPriority(List<Pending> waiting) {
        Map<Priority, Integer> counts = new EnumMap<>(Priority.class);
        for (Priority priority : Priority.values()) {
            counts.put(priority, 0);
        }
        waiting.forEach(one -> counts.merge(one.journey().priority(), 1, Integer::sum));
        return counts;
    }

    private static List<RouterFigures.QueueFigures> queues(CompiledPolicy policy, List<Pending> waiting) {
        Map<String, Integer> capacities = new LinkedHashMap<>();
        capacities.put(CompiledPolicy.SHARED_PLACES, policy.policy.queue().capacity());
        policy.routes().forEach(route -> capacities.put(route.places, route.capacity));
        List<RouterFigures.QueueFigures> queues = new ArrayList<>();
        capacities.forEach((places, capacity) -> queues.add(new RouterFigures.QueueFigures(
                places.equals(CompiledPolicy.SHARED_PLACES) ? Optional.empty() : Optional.of(places),
                (int) waiting.stream()
                        .filter(one -> one.places().equals(places))
                        .count(),
                capacity)));
        return queues;
    }

    private static RouterFigures.SubstrateFigures substrate(SubstratePlan plan, CellState state, long now) {
        Reading figures = state.gate.health.figures();
        int free = state.freeSlots(now);
        Reason out = state.gate.ejected(now);
        return new RouterFigures.SubstrateFigures(
                plan.id,
                state.jobs(now),
                free == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(free),
                figures == null ? Optional.empty() : Optional.of(Duration.ofNanos(Math.max(0, now - figures.at()))),
                state.passesGate(now),
                out == Reason.EJECTED,
                out == Reason.TRIAL_RUNNING,
                state.gate.cordoned(),
                !state.gate.health.suspicions().isEmpty());
    }

    private static List<RouterFigures.CandidateFigures> candidates(Revision revision) {
        List<RouterFigures.CandidateFigures> candidates = new ArrayList<>();
        for (RoutePlan route : revision.compiled.routes()) {
            for (CandidatePlan candidate : route.candidates) {
                candidates.add(new RouterFigures.CandidateFigures(
                        route.workload,
                        candidate.substrate.id,
                        Optional.ofNullable(candidate.model),
                        drift(revision.book.of(candidate), candidate.latencyNanos)));
            }
        }
        return candidates;
    }

    private static OptionalDouble drift(@Nullable Learned learned, long declaredNanos) {
        if (learned == null || declaredNanos <= 0) {
            return OptionalDouble.empty();
        }
        Learned.Summary seen = learned.summary();
        return seen.count() < Learned.ENOUGH
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) seen.median() / declaredNanos);
    }
}
