package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.RefusalReason;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of the two policies of a {@link PolicyDiff}. Not thread-safe. */
final class Side {
    final Stage stage;
    private final Map<String, Substrate> substrates = new LinkedHashMap<>();
    private final IdentityHashMap<Probe, Stand> told = new IdentityHashMap<>();

    Side(Policy policy) {
        stage = Stage.of(policy);
        policy.substrates().forEach(substrate -> substrates.put(substrate.id(), substrate));
    }

    Policy policy() {
        return stage.policy;
    }

    Optional<Substrate> substrate(String id) {
        return Optional.ofNullable(substrates.get(id));
    }

    /**
     * One request as this policy sees it, ready to be answered in many scenes.
     *
     * @param subject the case
     * @param walk its decisions; null: it has no candidate, live or later, and the answer is always the same
     * @param places where each of its substrates is among those of the walk, by id
     * @param free the substrates of the walk while all are free
     * @param blocked the same while all are blocked
     */
    record Seen(
            Case subject, @Nullable Walk walk, Map<String, Integer> places, List<Stand> free, List<Stand> blocked) {}

    Seen seen(Case subject) {
        RoutePlan route = subject.route();
        if (route == null || subject.candidates().isEmpty()) {
            return new Seen(subject, null, Map.of(), List.of(), List.of());
        }
        Walk walk = new Walk(stage, subject, route);
        Map<String, Integer> places = new LinkedHashMap<>();
        List<Stand> free = new ArrayList<>();
        List<Stand> blocked = new ArrayList<>();
        for (int place = 0; place < walk.substrates.length; place++) {
            places.put(walk.id(place), place);
            free.add(stage.free(walk.substrates[place]));
            blocked.add(stage.blocked(walk.substrates[place]));
        }
        return new Seen(subject, walk, places, free, blocked);
    }

    /** The answer while its substrates stand as they do in a scene. */
    Answer answer(Seen seen, Scene scene) {
        Walk walk = seen.walk;
        if (walk == null) {
            return without(seen.subject);
        }
        List<Stand> usual = scene.blocked() ? seen.blocked : seen.free;
        List<Stand> unusual = scene.blocked() ? seen.free : seen.blocked;
        Stand[] stands = usual.toArray(Stand[]::new);
        for (String id : scene.others()) {
            Integer place = seen.places.get(id);
            if (place != null) {
                stands[place] = unusual.get(place);
            }
        }
        Probe probe = scene.probe();
        Integer odd = probe == null ? null : seen.places.get(probe.id());
        if (probe != null && odd != null) {
            stands[odd] = told.computeIfAbsent(probe, this::tell);
        }
        return walk.answer(walk.decide(stands, false), QueueState.PLACE_FREE);
    }

    /** A request that has no candidate. */
    private Answer without(Case subject) {
        if (!stage.constraints.knows(subject.request())) {
            return Answer.refused(RefusalReason.UNKNOWN_WORKLOAD);
        }
        boolean may = stage.compiled().route(subject.request()) != null;
        return Answer.refused(may ? RefusalReason.NO_ELIGIBLE_SUBSTRATE : RefusalReason.NOT_AUTHORIZED);
    }

    private Stand tell(Probe probe) {
        SubstratePlan plan = Objects.requireNonNull(stage.compiled().substrate(probe.id()), probe.id());
        Cell cell = stage.revision.newCell(plan.index);
        CellState state = probe.status() == null
                ? cell.get()
                : Stage.told(cell, probe.status(), Stage.NOW - probe.age().toNanos());
        return new Stand(state, Stand.Extra.NOTHING, probe.standing(), 0, 0, null);
    }

    /** Whether a request is the same to two policies in all that an answer depends on, so that no scene need be looked at. */
    static boolean alike(Side one, Case its, Side other, Case others) {
        return one.policy().health().equals(other.policy().health())
                && one.policy().strategy().equals(other.policy().strategy())
                && one.policy().queue().equals(other.policy().queue())
                && one.stage
                        .constraints
                        .workload(its.request())
                        .equals(other.stage.constraints.workload(others.request()))
                && one.without(its).equals(other.without(others))
                && alike(its.route(), others.route())
                && alike(its.batch(), others.batch());
    }

    private static boolean alike(@Nullable RoutePlan one, @Nullable RoutePlan other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        boolean alike = one.candidates.length == other.candidates.length
                && one.strategy == other.strategy
                && one.maxWaitNanos == other.maxWaitNanos
                && one.capacity == other.capacity
                && one.defaultPriority == other.defaultPriority;
        for (int at = 0; alike && at < one.candidates.length; at++) {
            alike = alike(one.candidates[at], other.candidates[at]);
        }
        return alike;
    }

    private static boolean alike(CandidatePlan one, CandidatePlan other) {
        return one.substrate.declared.equals(other.substrate.declared)
                && one.substrate.idleMib.equals(other.substrate.idleMib)
                && one.declared.equals(other.declared)
                && one.batch == other.batch
                && one.primary == other.primary
                && one.needMib == other.needMib
                && one.factsOnly == other.factsOnly
                && one.spansGpus == other.spansGpus
                && one.latencyNanos == other.latencyNanos
                && one.minAvailability == other.minAvailability
                && one.never.equals(other.never);
    }
}
