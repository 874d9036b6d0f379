package dev.substraterouter.verify;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Decider;
import dev.substraterouter.internal.decide.Decision;
import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.decide.FallbackMachine.Room;
import dev.substraterouter.internal.decide.Marks;
import dev.substraterouter.internal.decide.States;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.trace.RefusalReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One case on a stage: asks the production decision what happens while the substrates of its route stand in this way or that. Not
 * thread-safe.
 */
final class Walk {
    private static final long A_WHILE = Duration.ofSeconds(1).toNanos();

    final Stage stage;
    final Case subject;
    final RoutePlan route;
    final int[] substrates;
    private final CellState[] states;
    private final Map<Set<String>, Ask> asks = new HashMap<>();
    private final Marks nobody;

    Walk(Stage stage, Case subject, RoutePlan route) {
        this.stage = stage;
        this.subject = subject;
        this.route = route;
        this.substrates = subject.substrates();
        this.states = new CellState[stage.revision.substrates()];
        this.nobody = Marks.left(states.length, new BitSet(), new BitSet());
    }

    /** How one of its substrates stands, by the way of an assignment: free, blocked or never. */
    Stand plain(int place, int way) {
        return switch (way) {
            case 0 -> stage.free(substrates[place]);
            case 1 -> stage.blocked(substrates[place]);
            default -> stage.never(substrates[place]);
        };
    }

    /** Its substrates as an assignment says. */
    Stand[] plain(byte[] ways) {
        Stand[] stands = new Stand[ways.length];
        for (int place = 0; place < ways.length; place++) {
            stands[place] = plain(place, ways[place]);
        }
        return stands;
    }

    /**
     * What the router decides.
     *
     * @param live the decision on its route
     * @param batch the decision on the batch path that it takes rather than wait; null: there is none, or it is not needed
     */
    record Decided(Decision live, @Nullable Decision batch) {
        /** The decision by which it is placed; null: it is not. */
        @Nullable
        Decision placing() {
            return live.placed() ? live : batch != null && batch.placed() ? batch : null;
        }
    }

    /**
     * Decides.
     *
     * @param stands how its substrates stand, in the order of {@link #substrates}
     * @param mayHold whether it may wait by choice
     */
    Decided decide(Stand[] stands, boolean mayHold) {
        Ask ask = ask(stands);
        Marks marks = marks(stands);
        States all = on(stands);
        long hold = mayHold ? route.maxWaitNanos : 0;
        Decision live = decided(Decider.decide(all, stage.revision, route, ask, marks, hold, Stage.NOW));
        RoutePlan later = live.placed() || live.held() ? null : subject.batch();
        return new Decided(
                live,
                later == null ? null : decided(Decider.decide(all, stage.revision, later, ask, marks, 0, Stage.NOW)));
    }

    /** What becomes of a request with a decision, as the queue may stand: one answer for all when it is placed. */
    List<Answer> answers(Decided decided) {
        if (decided.placing() != null) {
            return List.of(answer(decided, QueueState.PLACE_FREE));
        }
        List<Answer> answers = new ArrayList<>();
        for (QueueState queue : QueueState.values()) {
            answers.add(answer(decided, queue));
        }
        return answers;
    }

    /** What becomes of a request with a decision, as the queue stands. */
    Answer answer(Decided decided, QueueState queue) {
        Decision placing = decided.placing();
        if (placing != null) {
            CandidatePlan taken = placing.candidate();
            return Answer.placed(taken.substrate.id, taken.batch, taken.substrate.external);
        }
        if (decided.live.held()) {
            return Answer.WAITS;
        }
        boolean mayWait = queue != QueueState.NO_WAIT && route.maxWaitNanos > 0;
        Room room =
                switch (queue) {
                    case PLACE_FREE -> route.capacity > 0 ? Room.FREE : Room.NONE;
                    case FULL_WITH_A_LOWER -> route.capacity > 0 ? Room.BY_DISPLACING : Room.NONE;
                    case FULL, NO_WAIT -> Room.NONE;
                };
        boolean batchCouldCome = decided.batch != null && decided.batch.couldCome();
        return of(FallbackMachine.answer(decided.live, batchCouldCome, mayWait, route.maxWaitNanos, room));
    }

    private static Answer of(FallbackMachine.Answer answer) {
        return switch (answer) {
            case WAIT, WAIT_IN_ITS_PLACE -> Answer.WAITS;
            case REFUSE_NEVER -> Answer.refused(RefusalReason.NO_ELIGIBLE_SUBSTRATE);
            case REFUSE_NOW -> Answer.refused(RefusalReason.NO_WAIT);
            case REFUSE_BEYOND_WAIT -> Answer.refused(RefusalReason.BEYOND_WAIT);
            case REFUSE_FULL -> Answer.refused(RefusalReason.QUEUE_FULL);
            case PRIMARY, FALLBACK -> throw new IllegalStateException("nothing is admissible, and yet " + answer);
        };
    }

    /** The request as it is asked while its substrates stand so. */
    RouteRequest request(Stand[] stands) {
        return ask(stands).request();
    }

    Situation situation(Stand[] stands, QueueState queue, Answer answer) {
        Map<String, Standing> standings = new LinkedHashMap<>();
        for (int place = 0; place < stands.length; place++) {
            standings.put(id(place), stands[place].standing());
        }
        return new Situation(
                request(stands),
                subject.roles(),
                subject.waited(),
                queue,
                Collections.unmodifiableMap(standings),
                answer);
    }

    /** The id of one of its substrates. */
    String id(int place) {
        return stage.compiled().substrates[substrates[place]].id;
    }

    private States on(Stand[] stands) {
        for (int place = 0; place < stands.length; place++) {
            states[substrates[place]] = stands[place].state();
        }
        return substrate -> states[substrate];
    }

    private Marks marks(Stand[] stands) {
        BitSet claimed = new BitSet();
        BitSet wanted = new BitSet();
        for (int place = 0; place < stands.length; place++) {
            switch (stands[place].extra()) {
                case CLAIMED -> claimed.set(substrates[place]);
                case WANTED -> wanted.set(substrates[place]);
                default -> {}
            }
        }
        return claimed.isEmpty() && wanted.isEmpty() ? nobody : Marks.left(states.length, claimed, wanted);
    }

    private Ask ask(Stand[] stands) {
        List<String> avoided = new ArrayList<>();
        boolean answered = false;
        for (int place = 0; place < stands.length; place++) {
            Stand.Extra extra = stands[place].extra();
            if (extra == Stand.Extra.AVOIDED) {
                avoided.add(id(place));
            }
            answered |= extra == Stand.Extra.FAILED_BEFORE || extra == Stand.Extra.TOLD_TO_WAIT;
        }
        Ask ask = asks.computeIfAbsent(Set.copyOf(avoided), this::asking);
        return answered ? answered(ask, stands) : ask;
    }

    private Ask asking(Set<String> avoided) {
        RouteRequest request = avoided.isEmpty()
                ? subject.request()
                : subject.request().avoid(avoided.stream().sorted().toArray(String[]::new));
        long arrival = Stage.NOW - subject.waited().toNanos();
        return Ask.of(request, 1, arrival).as(subject.priority());
    }

    /** The request after some of its substrates have answered it. */
    private Ask answered(Ask before, Stand[] stands) {
        Ask ask = before;
        for (int place = 0; place < stands.length; place++) {
            ask = switch (stands[place].extra()) {
                case FAILED_BEFORE -> ask.without(id(place));
                case TOLD_TO_WAIT -> ask.notBefore(id(place), Stage.NOW + A_WHILE);
                default -> ask;
            };
        }
        return ask;
    }

    private static Decision decided(@Nullable Decision decision) {
        if (decision == null) {
            throw new IllegalStateException("no decision, although the policy is in force");
        }
        return decision;
    }
}
