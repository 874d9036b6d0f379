package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.verify.Constraints.Offer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds what is decided in one case against what the policy says. Not thread-safe. */
final class Judge {
    private final Walk walk;
    private final List<CandidatePlan> candidates;
    private final List<Offer> offers = new ArrayList<>();
    private final List<Set<Reason>> broken = new ArrayList<>();
    /** Their places in the route as it is written. */
    private final int[] written;

    private final boolean[][] plain;
    private final boolean asWritten;

    Judge(Walk walk) {
        this.walk = walk;
        this.candidates = walk.subject.candidates();
        RouteRequest request = walk.subject.request();
        for (CandidatePlan candidate : candidates) {
            Offer offer = offer(walk.stage.constraints, request, candidate);
            offers.add(offer);
            broken.add(walk.stage.constraints.violated(request, offer));
        }
        List<Offer> order = walk.stage.constraints.live(request);
        this.written = offers.stream().mapToInt(order::indexOf).toArray();
        this.plain = plain();
        this.asWritten = walk.route.strategy == StrategyKind.PREFERENCE && !walk.route.matched();
    }

    /**
     * What is wrong with an answer.
     *
     * @param check the check it fails
     * @param message in one sentence
     */
    record Objection(String check, String message) {}

    private static Offer offer(Constraints constraints, RouteRequest request, CandidatePlan candidate) {
        List<Offer> all = candidate.batch ? constraints.batch(request) : constraints.live(request);
        for (Offer offer : all) {
            if (offer.id().equals(candidate.substrate.id)
                    && (all.size() == 1 || candidate.declared.declared().isEmpty() || same(offer, candidate))) {
                return offer;
            }
        }
        throw new IllegalStateException("the policy has no candidate " + candidate + " for " + request);
    }

    private static boolean same(Offer offer, CandidatePlan candidate) {
        return offer.candidate().equals(candidate.declared);
    }

    /** For each candidate, whether it alone is admissible while its substrate is free, blocked, or ruled out. */
    private boolean[][] plain() {
        boolean[][] admissible = new boolean[candidates.size()][3];
        for (int way = 0; way < 3; way++) {
            byte[] ways = new byte[walk.substrates.length];
            Arrays.fill(ways, (byte) way);
            Stand[] stands = walk.plain(ways);
            for (int at = 0; at < candidates.size(); at++) {
                admissible[at][way] = walk.admissible(candidates.get(at), stands);
            }
        }
        return admissible;
    }

    /** Which candidates alone are admissible under an assignment of plain ways. */
    boolean[] admissible(byte[] ways) {
        boolean[] admissible = new boolean[candidates.size()];
        for (int at = 0; at < admissible.length; at++) {
            admissible[at] = plain[at][ways[place(candidates.get(at))]];
        }
        return admissible;
    }

    /** Which candidates alone are admissible as their substrates stand. */
    boolean[] admissible(Stand[] stands) {
        boolean[] admissible = new boolean[candidates.size()];
        for (int at = 0; at < admissible.length; at++) {
            admissible[at] = walk.admissible(candidates.get(at), stands);
        }
        return admissible;
    }

    private int place(CandidatePlan candidate) {
        int place = 0;
        while (walk.substrates[place] != candidate.substrate.index) {
            place++;
        }
        return place;
    }

    /** What is wrong with the case before anything is decided; null: nothing. */
    @Nullable
    Objection objection() {
        for (int at = 0; at < candidates.size(); at++) {
            CandidatePlan candidate = candidates.get(at);
            if (broken.get(at).isEmpty() != (candidate.unusable == null)) {
                return new Objection(
                        "constraint",
                        candidate.substrate.id + " breaks " + broken.get(at) + " by the policy, and " + candidate.never
                                + " by the router");
            }
        }
        return null;
    }

    /** What is wrong with a decision; null: nothing. */
    @Nullable
    Objection objection(Walk.Decided decided, boolean[] admissible) {
        Decision placing = decided.placing();
        if (placing != null) {
            return placed(candidates.indexOf(placing.candidate()), placing.candidate(), admissible);
        }
        int first = first(admissible);
        return first < 0 || decided.live().held()
                ? null
                : new Objection("refusal", "nothing is found, although " + id(first) + " is admissible");
    }

    private @Nullable Objection placed(int at, CandidatePlan taken, boolean[] admissible) {
        Set<Reason> breaks = broken.get(at);
        if (!breaks.isEmpty()) {
            boolean outside = breaks.contains(Reason.PRIVACY) || breaks.contains(Reason.ROLE);
            return new Objection(
                    outside ? "privacy" : "constraint", "placed on " + taken.substrate.id + ", which breaks " + breaks);
        }
        if (!admissible[at]) {
            return new Objection("answer", "placed on " + taken.substrate.id + ", which alone is not admissible");
        }
        int first = first(admissible);
        return asWritten && at != first
                ? new Objection("order", "placed on " + taken.substrate.id + ", although " + id(first) + " comes first")
                : overflowFirst(at, admissible);
    }

    /** Whatever the order, overflow is for when nothing else is admissible, and the batch path for when nothing is live. */
    private @Nullable Objection overflowFirst(int at, boolean[] admissible) {
        for (int other = 0; other < admissible.length; other++) {
            if (admissible[other] && tier(other) < tier(at)) {
                return new Objection("order", "placed on " + id(at) + ", although " + id(other) + " is admissible");
            }
        }
        return null;
    }

    private int tier(int at) {
        Offer offer = offers.get(at);
        return offer.batchPath() ? 2 : offer.substrate().overflow() ? 1 : 0;
    }

    /** The first admissible candidate: as written, overflow after the others, the batch path last; -1: none. */
    private int first(boolean[] admissible) {
        String preferred = walk.subject.request().prefer().orElse(null);
        int first = -1;
        for (int at = 0; at < admissible.length; at++) {
            if (admissible[at] && (first < 0 || before(at, first, preferred))) {
                first = at;
            }
        }
        return first;
    }

    private boolean before(int one, int other, @Nullable String preferred) {
        if (tier(one) != tier(other)) {
            return tier(one) < tier(other);
        }
        boolean wantsOne = id(one).equals(preferred);
        boolean wantsOther = id(other).equals(preferred);
        return wantsOne != wantsOther ? wantsOne : asWritten && written[one] < written[other];
    }

    /**
     * What is wrong with an answer where nothing is found and whatever is not free is out without a known end; null: nothing.
     *
     * @param anyCouldCome whether something satisfies the policy that is not ruled out
     */
    @Nullable
    Objection unplaced(Answer answer, QueueState queue, boolean anyCouldCome) {
        Answer expected = expected(queue, anyCouldCome);
        return answer.equals(expected)
                ? null
                : new Objection("answer", answer + ", although it should be: " + expected + "; " + queue.words());
    }

    private Answer expected(QueueState queue, boolean anyCouldCome) {
        if (!anyCouldCome) {
            return Answer.refused(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
        }
        boolean mayWait = queue != QueueState.NO_WAIT && walk.route.maxWaitNanos > 0;
        if (!mayWait) {
            return Answer.refused(RefusalReason.NO_WAIT);
        }
        return queue == QueueState.FULL || walk.route.capacity == 0
                ? Answer.refused(RefusalReason.QUEUE_FULL)
                : Answer.WAITS;
    }

    /** Whether something satisfies the policy that an assignment does not rule out. */
    boolean anyCouldCome(byte[] ways) {
        for (int at = 0; at < candidates.size(); at++) {
            if (broken.get(at).isEmpty() && ways[place(candidates.get(at))] != 2) {
                return true;
            }
        }
        return false;
    }

    private String id(int at) {
        return candidates.get(at).substrate.id;
    }
}
