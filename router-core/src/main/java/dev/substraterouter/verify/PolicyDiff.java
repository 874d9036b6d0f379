package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a change of the policy changes: who is placed where, in which situations. Thread-safe: it has no state.
 *
 * <p>Both policies are asked, by the decision that the router itself makes, about every workload and need class of either, by everybody who
 * may ask (for each combination of the roles that somebody has under the old policy and under the new one), with every priority, live and by
 * the batch path, while the substrates of either route stand in every combination of <i>free</i> and <i>blocked</i>. What is the same
 * to both policies in all that a decision depends on is not looked at further, so that equal policies cost nothing.
 *
 * <p>Gates that differ are tried at the edge, one substrate at a time, beside others that are all free and all blocked: each measure at
 * the limit, or unknown; a status that is stale, or never came; the attributes as the one policy wants them and as the other does, each
 * of them missing and with another value; as much memory used, and as many jobs of others, as only one of the policies lets pass.
 *
 * <p>Beyond 8 substrates of a route, these scenes are looked at: all free; the first few that either policy takes, blocked one after the
 * other; each one blocked, beyond 64 only those first few and 64 drawn by lot; 32 pairs drawn by lot; and gates of 64 substrates at most. The
 * lot has a fixed seed: the same policies give the same changes.
 *
 * <p>Not seen is what changes only with time, as faults, margins of hysteresis, availability and what overflows after a while; figures that
 * only order candidates, unless the order shows in these scenes; the queue beyond its first place; and what several GPUs of one substrate say
 * apart. Takes seconds for large policies and blocks meanwhile.
 */
public final class PolicyDiff {
    private final Side before;
    private final Side after;
    private final Set<Double> needs = new TreeSet<>();
    private final Map<String, List<Probe>> probes = new HashMap<>();
    private final Map<Key, Entry> changes = new LinkedHashMap<>();

    private PolicyDiff(Policy before, Policy after) {
        this.before = new Side(before);
        this.after = new Side(after);
    }

    /** What is different, in the order of the new policy and then of what only the old one has; empty: no placement that was looked at. */
    public static List<PlacementChange> between(Policy before, Policy after) {
        return before.equals(after) ? List.of() : new PolicyDiff(before, after).changes();
    }

    private record Key(String workload, List<String> roles, List<String> rolesBefore, Answer before, Answer after) {}

    private static final class Entry {
        private final Situation smallest;
        private long count;

        Entry(Situation smallest) {
            this.smallest = smallest;
        }
    }

    private List<PlacementChange> changes() {
        Set<RouteRequest> subjects = subjects();
        List<Askers.Asker> askers = Askers.of(after.policy(), before.policy()).all();
        for (RouteRequest subject : subjects) {
            for (Askers.Asker asker : askers) {
                for (Priority priority : List.of(Priority.NORMAL, Priority.HIGH, Priority.LOW)) {
                    compare(asker.asks(subject).priority(priority), asker.roles());
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
        Set<Need> asked = new LinkedHashSet<>();
        for (Side side : List.of(after, before)) {
            for (RouteRequest subject : new Cases(side.stage).subjects()) {
                subject.need().ifPresentOrElse(asked::add, () -> workloads.put(subject.workload(), subject));
            }
        }
        Set<RouteRequest> all = new LinkedHashSet<>(workloads.values());
        for (Need need : asked) {
            all.add(RouteRequest.need(need));
            need.vramGb().ifPresent(needs::add);
        }
        return all;
    }

    private void compare(RouteRequest request, List<String> roles) {
        List<String> rolesBefore = Askers.roles(before.policy(), request.identity());
        compareAs(request, roles, rolesBefore);
        if (hasBatchPath(before, request) || hasBatchPath(after, request)) {
            compareAs(request.mode(PlacementMode.BATCH), roles, rolesBefore);
        }
    }

    private static boolean hasBatchPath(Side side, RouteRequest request) {
        RoutePlan route = side.stage.compiled().route(request);
        return route != null && route.batch != null;
    }

    private void compareAs(RouteRequest request, List<String> roles, List<String> rolesBefore) {
        Case old = Case.of(before.stage, request, rolesBefore, Duration.ZERO);
        Case now = Case.of(after.stage, request, roles, Duration.ZERO);
        if (!Side.alike(before, old, after, now)) {
            new Comparison(before.seen(old), after.seen(now)).all();
        }
    }

    private List<Probe> probes(String id) {
        return probes.computeIfAbsent(id, some -> Probes.between(before, after, some, needs));
    }

    /** One request under both policies, in all scenes. */
    private final class Comparison {
        private final Side.Seen old;
        private final Side.Seen now;
        private final List<String> ids;

        Comparison(Side.Seen old, Side.Seen now) {
            this.old = old;
            this.now = now;
            Set<String> all = new LinkedHashSet<>(now.places().keySet());
            all.addAll(old.places().keySet());
            this.ids = List.copyOf(all);
        }

        void all() {
            List<String> probed = ids;
            if (few()) {
                Scenes.all(ids).forEach(blocked -> compare(Scene.blocked(blocked)));
            } else {
                List<String> taken = taken();
                Scenes.some(ids, taken).forEach(blocked -> compare(Scene.blocked(blocked)));
                probed = Scenes.probed(ids, taken, id -> !probes(id).isEmpty());
            }
            for (String id : probed) {
                for (Probe probe : probes(id)) {
                    Scene.of(probe).forEach(this::compare);
                }
            }
        }

        private boolean few() {
            return ids.size() <= Verification.MOST_EXACT;
        }

        /** What either policy takes when all are free, and then, when that is blocked, and so on. */
        private List<String> taken() {
            Set<String> taken = new LinkedHashSet<>();
            int known = -1;
            while (taken.size() > known && taken.size() < Scenes.MOST_TAKEN) {
                known = taken.size();
                Scene scene = Scene.blocked(Set.copyOf(taken));
                before.answer(old, scene).substrateId().ifPresent(taken::add);
                after.answer(now, scene).substrateId().ifPresent(taken::add);
            }
            return List.copyOf(taken);
        }

        private void compare(Scene scene) {
            Answer was = before.answer(old, scene);
            Answer is = after.answer(now, scene);
            if (!was.equals(is)) {
                Case subject = now.subject();
                Key key = new Key( // all needs under one name
                        subject.request().workload(),
                        subject.roles(),
                        old.subject().roles(),
                        was,
                        is);
                // those with the fewest blocked come first
                changes.computeIfAbsent(key, one -> new Entry(situation(scene, was, is))).count++;
            }
        }

        private Situation situation(Scene scene, Answer was, Answer is) {
            Case subject = now.subject();
            Map<String, Standing> standings = few() ? scene.standings(ids) : scene.standings(ids, was, is);
            return new Situation(
                    subject.request(), subject.roles(), subject.waited(), QueueState.PLACE_FREE, standings, is);
        }
    }
}
