package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.verify.Constraints.Offer;
import dev.substraterouter.verify.Expected.Effect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Holds what is decided in one case against what the policy says. Not thread-safe. */
final class Judge {
    private static final int WAYS = 3;

    private final Walk walk;
    private final Expected expected;
    /** What the policy offers: live, then by the batch path that is taken rather than wait. */
    private final List<Offer> offers;

    private final List<Set<Reason>> broken = new ArrayList<>();
    /** Where the substrate of an offer stands among those of the case; -1: the route does not have it. */
    private final int[] places;

    private final Effect[][] plain;
    private final Comparator<Integer> order;
    private final boolean ordered;

    Judge(Walk walk) {
        this.walk = walk;
        this.expected = new Expected(walk.stage, walk.subject);
        RouteRequest request = walk.subject.request();
        Constraints constraints = walk.stage.constraints;
        this.offers = offers(constraints, walk.subject);
        offers.forEach(offer -> broken.add(constraints.violated(request, offer)));
        this.places = offers.stream().mapToInt(this::place).toArray();
        this.plain = plain();
        this.ordered = walk.route.strategy == StrategyKind.PREFERENCE;
        this.order = order();
    }

    /** What the policy offers in a case: live, then by the batch path that is taken rather than wait. */
    static List<Offer> offers(Constraints constraints, Case subject) {
        RouteRequest request = subject.request();
        List<Offer> offers = new ArrayList<>(subject.later() ? constraints.batch(request) : constraints.live(request));
        if (subject.takesBatch()) {
            offers.addAll(constraints.batch(request));
        }
        return offers;
    }

    /**
     * What is wrong with an answer.
     *
     * @param check the check it fails
     * @param message in one sentence
     */
    record Objection(String check, String message) {}

    private int place(Offer offer) {
        for (int place = 0; place < walk.substrates.length; place++) {
            if (walk.id(place).equals(offer.id())) {
                return place;
            }
        }
        return -1;
    }

    /** For each offer, what it means that its substrate is free, blocked, or ruled out. */
    private Effect[][] plain() {
        Effect[][] effects = new Effect[offers.size()][WAYS];
        for (int at = 0; at < effects.length; at++) {
            for (int way = 0; way < WAYS; way++) {
                effects[at][way] = places[at] < 0 ? Effect.NEVER : effect(at, walk.plain(places[at], way));
            }
        }
        return effects;
    }

    private Effect effect(int at, Stand stand) {
        return expected.of(stand, offers.get(at), broken.get(at).isEmpty());
    }

    /** What an assignment of plain ways means for each offer. */
    Effect[] effects(byte[] ways) {
        Effect[] effects = new Effect[plain.length];
        for (int at = 0; at < effects.length; at++) {
            effects[at] = plain[at][places[at] < 0 ? 0 : ways[places[at]]];
        }
        return effects;
    }

    /** What it means for each offer how the substrates stand. */
    Effect[] effects(Stand[] stands) {
        Effect[] effects = new Effect[plain.length];
        for (int at = 0; at < effects.length; at++) {
            effects[at] = places[at] < 0 ? Effect.NEVER : effect(at, stands[places[at]]);
        }
        return effects;
    }

    // the route

    /** What is wrong with the route before anything is decided: it must have all that satisfies the policy, and nothing else. */
    @Nullable
    Objection objection() {
        Set<String> satisfying = new TreeSet<>();
        for (int at = 0; at < offers.size(); at++) {
            if (broken.get(at).isEmpty()) {
                satisfying.add(
                        named(offers.get(at).id(), offers.get(at).candidate().declared(), tier(at) >= 2));
            }
        }
        Set<String> usable = new TreeSet<>();
        for (CandidatePlan candidate : walk.subject.candidates()) {
            if (candidate.unusable == null) {
                boolean written = !candidate.declared.declared().isEmpty();
                Object declared = written ? candidate.declared.declared() : matched(candidate);
                usable.add(named(candidate.substrate.id, declared, candidate.batch));
            }
        }
        return satisfying.equals(usable)
                ? null
                : new Objection(
                        "constraint",
                        walk.subject.request() + ": by the policy " + satisfying + " may serve it, by the router "
                                + usable);
    }

    /** What the constraints declare of a substrate that nobody has written down. */
    private Object matched(CandidatePlan candidate) {
        return offers.stream()
                .filter(offer -> offer.id().equals(candidate.substrate.id) && offer.batchPath() == candidate.batch)
                .findFirst()
                .<Object>map(offer -> offer.candidate().declared())
                .orElse("");
    }

    private static String named(String id, Object declared, boolean batch) {
        return id + " " + declared + (batch ? " later" : "");
    }

    // the decision

    /** What is wrong with a decision; null: nothing. */
    @Nullable
    Objection objection(Walk.Decided decided, Effect[] effects) {
        Decision placing = decided.placing();
        int first = first(effects);
        if (placing != null) {
            return placed(placing.candidate(), effects, first);
        }
        return first < 0 || decided.live().held()
                ? null
                : new Objection("refusal", "nothing is found, although " + id(first) + " is admissible");
    }

    private @Nullable Objection placed(CandidatePlan taken, Effect[] effects, int first) {
        String id = taken.substrate.id;
        int at = at(taken);
        if (at < 0) {
            return new Objection("constraint", "placed on " + id + ", which the policy does not offer");
        }
        Set<Reason> breaks = broken.get(at);
        if (!breaks.isEmpty()) {
            boolean outside = breaks.contains(Reason.PRIVACY) || breaks.contains(Reason.ROLE);
            return new Objection(outside ? "privacy" : "constraint", "placed on " + id + ", which breaks " + breaks);
        }
        if (effects[at] != Effect.OPEN) {
            return new Objection("admission", "placed on " + id + ", which is closed to it");
        }
        boolean before = ordered ? first != at : tier(first) < tier(at);
        return before ? new Objection("order", "placed on " + id + ", although " + id(first) + " comes first") : null;
    }

    private int at(CandidatePlan taken) {
        int like = -1;
        for (int at = 0; at < offers.size(); at++) {
            Offer offer = offers.get(at);
            if (offer.id().equals(taken.substrate.id) && offer.batchPath() == taken.batch) {
                like = at;
                if (offer.candidate().equals(taken.declared)) {
                    return at;
                }
            }
        }
        return taken.declared.declared().isEmpty() ? like : -1;
    }

    // the order

    /** The batch path for when nothing is live, overflow for when nothing else is admissible. */
    private int tier(int at) {
        Offer offer = offers.get(at);
        int overflow = offer.substrate().overflow() ? 1 : 0;
        return offer.batchPath() ? 2 + overflow : overflow;
    }

    /** What is preferred first within its tier; then as written, or the tightest fit in memory, then by id. */
    private Comparator<Integer> order() {
        String preferred = walk.subject.request().prefer().orElse(null);
        Comparator<Integer> tiers =
                Comparator.<Integer>comparingInt(this::tier).thenComparing(at -> !id(at).equals(preferred));
        if (!walk.route.matched()) {
            return tiers.thenComparing(Comparator.naturalOrder());
        }
        boolean judged = walk.route.need().vramGb().isPresent();
        return tiers.thenComparingDouble(at -> judged ? Constraints.mostMib(offers.get(at)) : 0)
                .thenComparing(this::id);
    }

    /** The first of those that are open; -1: none is. */
    private int first(Effect[] effects) {
        int first = -1;
        for (int at = 0; at < effects.length; at++) {
            if (effects[at] == Effect.OPEN && (first < 0 || order.compare(at, first) < 0)) {
                first = at;
            }
        }
        return first;
    }

    // no decision

    /**
     * What is wrong with an answer where nothing is open; null: nothing.
     *
     * @param stands how the substrates stand
     */
    @Nullable
    Objection unplaced(Answer answer, QueueState queue, Effect[] effects, Stand[] stands) {
        Answer right = expected(queue, effects, stands);
        return answer.equals(right)
                ? null
                : new Objection("answer", answer + ", although it should be: " + right + "; " + queue.words());
    }

    private Answer expected(QueueState queue, Effect[] effects, Stand[] stands) {
        long comes = comes(effects, stands);
        if (comes == Long.MAX_VALUE) {
            return Answer.refused(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        }
        boolean mayWait = queue != QueueState.NO_WAIT && walk.route.maxWaitNanos > 0;
        if (!mayWait) {
            return Answer.refused(RefusalReason.NO_WAIT);
        }
        if (comes > walk.route.maxWaitNanos) {
            return Answer.refused(RefusalReason.BEYOND_WAIT);
        }
        return queue == QueueState.FULL || walk.route.capacity == 0
                ? Answer.refused(RefusalReason.QUEUE_FULL)
                : Answer.WAITS;
    }

    /** How long until something is known to come; 0: it may come at any moment; the largest number: nothing ever does. */
    private long comes(Effect[] effects, Stand[] stands) {
        long comes = Long.MAX_VALUE;
        for (int at = 0; at < effects.length; at++) {
            boolean later = tier(at) >= 2 && walk.subject.takesBatch(); // a batch path that may open is waited for
            if (effects[at] == Effect.LATER || (effects[at] == Effect.AT_A_TIME && later)) {
                return 0;
            }
            if (effects[at] == Effect.AT_A_TIME) {
                comes = Math.min(comes, stands[places[at]].outNanos());
            }
        }
        return comes;
    }

    private String id(int at) {
        return offers.get(at).id();
    }
}
