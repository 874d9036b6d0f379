package dev.substraterouter.verify;

import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.verify.Expected.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One verification of one policy. Not thread-safe. */
final class Verification {
    /** Up to so many substrates of a route, every combination is looked at. */
    static final int MOST_EXACT = 8;

    /** So many looks at a candidate are made in all; the rest is drawn by lot. */
    private static final long MOST_LOOKS = 150_000_000;

    private static final int FREE_BLOCKED_NEVER = 3;
    private static final int FREE_BLOCKED = 2;
    private static final int SAMPLES = 2_000;
    private static final int FEW_SAMPLES = 10;
    private static final int LOOKS_OF_SAMPLES = 100_000;
    private static final long SEED = 20_260_504L;

    private final Policy policy;
    private final List<PolicyRule> rules;
    private final Stage stage;
    private final Singles singles;
    private final Cases cases;
    private final Found found = new Found();
    private final Map<Integer, List<byte[]>> assignments = new HashMap<>();
    private final Map<String, Integer> sampled = new LinkedHashMap<>();
    /** What was looked at already for others who are treated alike. */
    private final Set<List<Object>> seen = new HashSet<>();

    private long situations;
    private long looks;

    Verification(Policy policy, List<PolicyRule> rules) {
        this.policy = policy;
        this.rules = rules;
        this.stage = Stage.of(policy);
        this.singles = new Singles(stage);
        this.cases = new Cases(stage);
    }

    Findings run() {
        for (PolicyRule rule : rules) {
            rule.objection(policy).ifPresent(message -> found.add(rule.name(), message));
        }
        cases.forEach(this::examine);
        return new Findings(found.all(), situations, notCovered());
    }

    private void examine(Case subject) {
        boolean may = stage.constraints.mayAsk(subject.request());
        boolean known = stage.compiled().route(subject.request()) != null;
        RoutePlan route = subject.route();
        if (may != known) {
            String who = subject.roles().isEmpty() ? "nobody in particular" : "roles " + subject.roles();
            found.add("access", who + (may ? " may ask and has no route" : " may not ask and has a route"));
        } else if (route == null || subject.candidates().isEmpty()) {
            situations++;
            RefusalReason reason = may ? RefusalReason.NO_ELIGIBLE_SUBSTRATE : RefusalReason.NOT_AUTHORIZED;
            obey(situation(subject, Answer.refused(reason)), everythingFree());
            if (may) {
                withoutCandidates(subject);
            }
        } else if (!rules.isEmpty() || seen.add(alike(subject))) {
            examine(subject, route);
        }
    }

    /** For the tests of findings in which no substrate matters. */
    private List<Stand> everythingFree() {
        return IntStream.range(0, Math.min(MOST_EXACT, stage.revision.substrates()))
                .mapToObj(stage::free)
                .toList();
    }

    /** What two cases have in common between which the decision makes no difference; rules may. */
    private List<Object> alike(Case subject) {
        List<Object> alike = new ArrayList<>(List.of(
                subject.request().workload(),
                subject.request().need(),
                subject.priority(),
                subject.request().mode(),
                subject.waited()));
        subject.candidates().forEach(candidate -> alike.add(candidate.unusable == null));
        for (Constraints.Offer offer : offers(subject)) {
            alike.add(stage.constraints.violated(subject.request(), offer).isEmpty());
        }
        return alike;
    }

    private void examine(Case subject, RoutePlan route) {
        Walk walk = new Walk(stage, subject, route);
        Judge judge = new Judge(walk);
        Judge.Objection objection = judge.objection();
        if (objection != null) {
            found.add(objection.check(), objection.message());
        }
        combinations(walk, judge);
        singly(walk, judge);
        preferring(subject);
    }

    /** Whoever has nowhere to go is refused at once, and rightly so unless something could serve the request. */
    private void withoutCandidates(Case subject) {
        RouteRequest request = subject.request();
        for (Constraints.Offer offer : offers(subject)) {
            if (stage.constraints.violated(request, offer).isEmpty()) {
                found.add("refusal", request + " is refused, and " + offer.id() + " could serve it");
            }
        }
    }

    /** What the policy offers in a case, whether it satisfies the request or not. */
    private List<Constraints.Offer> offers(Case subject) {
        return Judge.offers(stage.constraints, subject);
    }

    /** A case in which no substrate matters. */
    static Situation situation(Case subject, Answer answer) {
        return new Situation(
                subject.request(), subject.roles(), subject.waited(), QueueState.PLACE_FREE, Map.of(), answer);
    }

    // how much is looked at

    /** Whether all is looked at: the route is short, and there are looks left. */
    private boolean exact(Walk walk) {
        return walk.substrates.length <= MOST_EXACT && looks < MOST_LOOKS;
    }

    private int samples(Walk walk) {
        int affordable = LOOKS_OF_SAMPLES / Math.max(1, walk.substrates.length);
        return looks < MOST_LOOKS ? Math.max(FEW_SAMPLES, Math.min(SAMPLES, affordable)) : FEW_SAMPLES;
    }

    // plain combinations

    private void combinations(Walk walk, Judge judge) {
        int places = walk.substrates.length;
        if (exact(walk)) {
            for (byte[] ways : assignments(places, FREE_BLOCKED_NEVER)) {
                plain(walk, judge, ways);
            }
        } else {
            boolean longRoute = places > MOST_EXACT;
            sampled.merge(
                    longRoute
                            ? "routes of more than " + MOST_EXACT + " substrates"
                            : "what comes after the first " + MOST_LOOKS + " looks at a candidate",
                    1,
                    Integer::sum);
            SplittableRandom random = new SplittableRandom(SEED);
            plain(walk, judge, new byte[places]);
            for (int sample = samples(walk); sample > 0; sample--) {
                plain(walk, judge, draw(places, random));
            }
        }
        if (walk.route.strategy != StrategyKind.PREFERENCE) {
            sampled.merge("order " + walk.route.strategy, 1, Integer::sum);
        }
    }

    private static byte[] draw(int places, SplittableRandom random) {
        byte[] ways = new byte[places];
        for (int place = 0; place < places; place++) {
            ways[place] = (byte) random.nextInt(FREE_BLOCKED_NEVER);
        }
        return ways;
    }

    private List<byte[]> assignments(int places, int ways) {
        return assignments.computeIfAbsent(
                places * FREE_BLOCKED_NEVER + ways % FREE_BLOCKED_NEVER, key -> Assignments.of(places, ways));
    }

    private void plain(Walk walk, Judge judge, byte[] ways) {
        look(walk, judge, walk.plain(ways), judge.effects(ways), false);
    }

    // each reason singly

    private void singly(Walk walk, Judge judge) {
        int places = walk.substrates.length;
        if (exact(walk)) {
            for (int place = 0; place < places; place++) {
                for (Stand single : singles.of(walk.substrates[place])) {
                    for (int others = 0; others < FREE_BLOCKED; others++) {
                        singly(walk, judge, place, single, others);
                    }
                }
            }
        } else {
            SplittableRandom random = new SplittableRandom(SEED);
            for (int sample = samples(walk); sample > 0; sample--) {
                int place = random.nextInt(places);
                List<Stand> all = singles.of(walk.substrates[place]);
                singly(walk, judge, place, all.get(random.nextInt(all.size())), random.nextInt(FREE_BLOCKED));
            }
        }
        if (walk.route.strategy != StrategyKind.PREFERENCE) {
            mixtures(walk, judge);
        }
    }

    private void singly(Walk walk, Judge judge, int place, Stand single, int others) {
        byte[] ways = new byte[walk.substrates.length];
        Arrays.fill(ways, (byte) others);
        Stand[] stands = walk.plain(ways);
        stands[place] = single;
        odd(walk, judge, stands);
    }

    /** All in some state drawn by lot: where the order depends on the figures, it shows only so. */
    private void mixtures(Walk walk, Judge judge) {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<List<Integer>> looked = new HashSet<>(); // of few substrates there are fewer mixtures than samples
        for (int sample = samples(walk); sample > 0; sample--) {
            List<Integer> drawn = mixture(walk, random);
            if (looked.add(drawn)) {
                odd(walk, judge, stands(walk, drawn));
            }
        }
    }

    /** For each substrate the number of one of its singles; their count: it is free. */
    private List<Integer> mixture(Walk walk, SplittableRandom random) {
        List<Integer> drawn = new ArrayList<>();
        for (int substrate : walk.substrates) {
            int all = singles.of(substrate).size();
            drawn.add(random.nextInt(2) == 0 ? all : random.nextInt(all));
        }
        return drawn;
    }

    private Stand[] stands(Walk walk, List<Integer> drawn) {
        Stand[] stands = new Stand[drawn.size()];
        for (int place = 0; place < stands.length; place++) {
            List<Stand> all = singles.of(walk.substrates[place]);
            int single = drawn.get(place);
            stands[place] = single == all.size() ? walk.plain(place, 0) : all.get(single);
        }
        return stands;
    }

    private void odd(Walk walk, Judge judge, Stand[] stands) {
        Effect[] effects = judge.effects(stands);
        look(walk, judge, stands, effects, false);
        if (walk.route.strategy == StrategyKind.EARLIEST_FINISH) {
            look(walk, judge, stands, effects, true);
        }
    }

    // preferring a substrate

    private void preferring(Case subject) {
        int[] substrates = subject.substrates();
        if (subject.roles().size() > 1 || !subject.waited().isZero() || substrates.length > MOST_EXACT) {
            return;
        }
        for (int substrate : substrates) {
            String id = stage.compiled().substrates[substrate].id;
            Case preferring = Case.of(stage, subject.request().prefer(id), subject.roles(), subject.waited());
            RoutePlan route = preferring.route();
            if (route != null && looks < MOST_LOOKS) {
                Walk walk = new Walk(stage, preferring, route);
                Judge judge = new Judge(walk);
                for (byte[] ways : assignments(walk.substrates.length, FREE_BLOCKED)) {
                    plain(walk, judge, ways);
                }
            }
        }
    }

    // what is found

    private void look(Walk walk, Judge judge, Stand[] stands, Effect[] effects, boolean mayHold) {
        Walk.Decided decided;
        List<Answer> answers;
        looks += stands.length;
        try {
            decided = walk.decide(stands, mayHold);
            answers = walk.answers(decided);
        } catch (RuntimeException failed) {
            Situation unanswered = walk.situation(stands, QueueState.PLACE_FREE, Answer.WAITS);
            found.add(
                    "answer",
                    unanswered.subject() + " is not answered while " + unanswered.standings() + ": " + failed);
            return;
        }
        situations += answers.size();
        Judge.Objection objection = judge.objection(decided, effects);
        boolean none = objection == null
                && decided.placing() == null
                && !decided.live().held();
        for (int at = 0; at < answers.size(); at++) {
            QueueState queue = QueueState.values()[at];
            Judge.Objection one = none ? judge.unplaced(answers.get(at), queue, effects, stands) : objection;
            tell(walk, stands, queue, answers.get(at), none || at == 0 ? one : null);
        }
    }

    private void tell(Walk walk, Stand[] stands, QueueState queue, Answer answer, Judge.@Nullable Objection objection) {
        if (objection == null && rules.isEmpty()) {
            return;
        }
        Situation situation = walk.situation(stands, queue, answer);
        obey(situation, List.of(stands));
        if (objection != null) {
            report(objection.check(), objection.message(), situation, List.of(stands));
        }
    }

    private void obey(Situation situation, List<Stand> stands) {
        if (situation.request().prefer().isPresent()) {
            return; // what somebody prefers only reorders, and rules speak of the policy's own order
        }
        for (PolicyRule rule : rules) {
            rule.objection(situation).ifPresent(message -> report(rule.name(), message, situation, stands));
        }
    }

    private void report(String rule, String message, Situation situation, List<Stand> stands) {
        long notFree = situation.standings().values().stream()
                .filter(standing -> !standing.free())
                .count();
        found.add(
                rule,
                situation.subject(),
                notFree,
                () -> new Found.Telling(message, Optional.of(situation), Story.test(rule, situation, stands)));
    }

    private List<String> notCovered() {
        List<String> all = new ArrayList<>();
        sampled.forEach((what, count) -> all.add(what + ": sampled, in " + count + " cases"));
        all.add(
                "several different reasons at once: each is looked at singly, beside others that are free or taken out");
        all.add("what a running router learns and counts: latencies, drift, availability, ejections over time");
        all.add("rules for requests that prefer a substrate, which reorders their candidates");
        all.add("the order among those who wait; their claims are looked at as one more reason");
        all.add(
                "needs beyond one capability, codebase or reach each with no memory or the most there is: their quality, latency,"
                        + " cost and availability, and names beyond the first " + Cases.MOST_NAMES);
        all.add("health predicates, authorizers and status sources of the host");
        if (!policy.roles().isEmpty()) {
            all.add("identities that more than two patterns match at once");
            all.addAll(cases.leftOut());
        }
        return all;
    }
}
