package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a change of the policy changes: who is placed where, in which situations. Thread-safe: it has no state.
 *
 * <p>Both policies are asked, by the decision that the router itself makes, about every workload and need class of either, by everybody who
 * may ask, with every priority, while the substrates of either route stand in every combination of <i>free</i> and <i>blocked</i>; beyond
 * 8 substrates, while up to two of them are blocked. Limits of health that differ are tried at just their values, one substrate at a time.
 * What changes only with time, figures that order candidates, or the queue is not seen. Takes seconds for large policies and blocks
 * meanwhile.
 */
public final class PolicyDiff {

    private final Side before;
    private final Side after;
    private final Map<Key, Entry> changes = new LinkedHashMap<>();

    private PolicyDiff(Policy before, Policy after) {
        this.before = new Side(Stage.of(before));
        this.after = new Side(Stage.of(after));
    }

    /** What is different, in the order of the new policy and then of what only the old one has; empty: no placement that was looked at. */
    public static List<PlacementChange> between(Policy before, Policy after) {
        return new PolicyDiff(before, after).changes();
    }

    private record Key(String workload, List<String> roles, Answer before, Answer after) {}

    private static final class Entry {
        private final Situation smallest;
        private long count;

        Entry(Situation smallest) {
            this.smallest = smallest;
        }
    }

    /** One of the two policies. */
    private record Side(Stage stage) {
        /** A case as this policy sees it; null: it gives it no route, and the answer is always the same. */
        @Nullable
        Walk walk(Case subject) {
            RoutePlan route = subject.route();
            return route == null || route.candidates.length == 0 ? null : new Walk(stage, subject, route);
        }

        Case of(RouteRequest request, List<String> roles, Duration waited) {
            return Case.of(stage, request, roles, waited);
        }

        /** The answer to a request that has no route or no candidate. */
        Answer without(Case subject) {
            if (!stage.constraints.knows(subject.request())) {
                return Answer.refused(RefusalReason.UNKNOWN_WORKLOAD);
            }
            return Answer.refused(
                    subject.route() == null ? RefusalReason.NOT_AUTHORIZED : RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        }

        /** The answer while its substrates stand as they do in a scene. */
        Answer answer(@Nullable Walk walk, Case subject, Scene scene) {
            if (walk == null) {
                return without(subject);
            }
            Stand[] stands = new Stand[walk.substrates.length];
            for (int place = 0; place < stands.length; place++) {
                stands[place] = scene.stand(stage, walk.id(place), walk.substrates[place]);
            }
            return walk.answer(walk.decide(stands, false), QueueState.PLACE_FREE);
        }
    }

    /**
     * How the substrates of both stand.
     *
     * @param blocked the ids of those that are blocked
     * @param odd the id of one that says something at a limit; null: none
     * @param probe what that one says
     */
    private record Scene(
            Set<String> blocked,
            @Nullable String odd,
            @Nullable Probe probe) {
        Stand stand(Stage stage, String id, int substrate) {
            if (probe != null && id.equals(odd)) {
                return new Stand(
                        stage.told(substrate, probe.status()), Stand.Extra.NOTHING, probe.standing(), 0, 0, null);
            }
            return blocked.contains(id) ? stage.blocked(substrate) : stage.free(substrate);
        }

        Standing standing(String id) {
            if (probe != null && id.equals(odd)) {
                return probe.standing();
            }
            return blocked.contains(id) ? Standing.BLOCKED : Standing.FREE;
        }
    }

    private List<PlacementChange> changes() {
        for (RouteRequest subject : subjects()) {
            for (Cases.Asker asker : askers()) {
                for (Priority priority : List.of(Priority.NORMAL, Priority.HIGH, Priority.LOW)) {
                    compare(asker.asks(subject).priority(priority), Duration.ZERO);
                }
            }
        }
        List<PlacementChange> all = new ArrayList<>();
        changes.forEach((key, entry) -> all.add(new PlacementChange(
                entry.smallest.subject(),
                key.roles,
                key.before,
                key.after,
                entry.smallest,
                entry.count,
                Story.of(key.before, entry.smallest, entry.count))));
        return all;
    }

    private Set<RouteRequest> subjects() {
        Map<String, RouteRequest> workloads = new LinkedHashMap<>();
        Set<Need> needs = new LinkedHashSet<>();
        for (Side side : List.of(after, before)) {
            for (RouteRequest subject : new Cases(side.stage).subjects()) {
                subject.need().ifPresentOrElse(needs::add, () -> workloads.put(subject.workload(), subject));
            }
        }
        Set<RouteRequest> all = new LinkedHashSet<>(workloads.values());
        needs.forEach(need -> all.add(RouteRequest.need(need)));
        return all;
    }

    private List<Cases.Asker> askers() {
        List<Cases.Asker> all = new ArrayList<>(Cases.askers(after.stage.policy));
        for (Cases.Asker asker : Cases.askers(before.stage.policy)) {
            if (all.stream().noneMatch(known -> known.identity().equals(asker.identity()))) {
                all.add(asker);
            }
        }
        return all;
    }

    private void compare(RouteRequest request, Duration waited) {
        List<String> roles = Cases.roles(after.stage.policy, request.identity());
        Case old = before.of(request, Cases.roles(before.stage.policy, request.identity()), waited);
        Case now = after.of(request, roles, waited);
        Walk oldWalk = before.walk(old);
        Walk nowWalk = after.walk(now);
        List<String> ids = ids(oldWalk, nowWalk);
        for (Scene scene : scenes(ids)) {
            Answer was = before.answer(oldWalk, old, scene);
            Answer is = after.answer(nowWalk, now, scene);
            if (!was.equals(is)) {
                Map<String, Standing> standings = new LinkedHashMap<>();
                ids.forEach(id -> standings.put(id, scene.standing(id)));
                Situation situation = new Situation(request, roles, waited, QueueState.PLACE_FREE, standings, is);
                note(new Key(request.workload(), roles, was, is), situation); // all needs under one name
            }
        }
    }

    private void note(Key key, Situation situation) {
        changes.computeIfAbsent(key, one -> new Entry(situation)).count++; // those with the fewest blocked come first
    }

    private static List<String> ids(@Nullable Walk old, @Nullable Walk now) {
        Set<String> ids = new LinkedHashSet<>();
        for (Walk walk : Arrays.asList(now, old)) {
            for (int place = 0; walk != null && place < walk.substrates.length; place++) {
                ids.add(walk.id(place));
            }
        }
        return List.copyOf(ids);
    }

    private List<Scene> scenes(List<String> ids) {
        List<Scene> scenes = new ArrayList<>();
        for (Set<String> blocked : blocked(ids)) {
            scenes.add(new Scene(blocked, null, null));
        }
        for (String id : ids) {
            for (Probe probe : probes(id)) {
                scenes.add(new Scene(Set.of(), id, probe));
                Set<String> others = new LinkedHashSet<>(ids);
                others.remove(id);
                scenes.add(new Scene(others, id, probe));
            }
        }
        return scenes;
    }

    private static List<Set<String>> blocked(List<String> ids) {
        List<Set<String>> all = new ArrayList<>();
        if (ids.size() <= Verification.MOST_EXACT) {
            for (byte[] ways : Assignments.of(ids.size(), 2)) {
                Set<String> blocked = new LinkedHashSet<>();
                for (int place = 0; place < ways.length; place++) {
                    if (ways[place] == 1) {
                        blocked.add(ids.get(place));
                    }
                }
                all.add(blocked);
            }
            return all;
        }
        all.add(Set.of());
        ids.forEach(id -> all.add(Set.of(id)));
        for (int one = 0; one < ids.size(); one++) {
            for (int other = one + 1; other < ids.size(); other++) {
                all.add(Set.of(ids.get(one), ids.get(other)));
            }
        }
        return all;
    }

    /** What a substrate says at the limits that differ between the policies. */
    private List<Probe> probes(String id) {
        Substrate old = before.stage.policy.substrate(id).orElse(null);
        Substrate now = after.stage.policy.substrate(id).orElse(null);
        return old == null || now == null ? List.of() : Probe.between(before.stage, old, after.stage, now);
    }
}
