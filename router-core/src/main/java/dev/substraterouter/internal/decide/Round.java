package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One walk through the waiters in the order of service: each gets the first candidate that is admissible for it; those that get none leave
 * their claims and wishes to those that come later. Under the queue's lock.
 *
 * <p>A newcomer takes part as one of the waiters. So it can take exactly what nobody of its own or a higher priority can use now, without
 * a rule that says so.
 *
 * <p><b>The cost.</b> A walk ends as soon as every substrate is full or out, so while all are, it looks at nobody, and when one lease ends
 * it looks at about one. It goes on, to the end if it must, while something is open that those who come first cannot use: they need more
 * memory than is left, or other substrates, or wait by choice, or the open one is unhealthy. Nobody may be skipped then: each leaves claims
 * and wishes to those that come later.
 */
public final class Round {
    private final World world;
    private final Revision revision;
    private final Marks marks;
    private final long now;
    private final Set<Seeker> served = new HashSet<>();
    private boolean again;

    private Round(World world, Revision revision, long now) {
        this.world = world;
        this.revision = revision;
        this.marks = new Marks(revision.substrates());
        this.now = now;
    }

    /** Hears what becomes of those whose turn it was. Runs under the queue's lock. */
    public interface Turns {
        /** A seeker got a lease. */
        void granted(Seeker seeker, Decision decision, Lease lease);

        /** A seeker waits by its own choice, although something is free for it. */
        void chose(Seeker seeker);
    }

    /** Hears of a lease that was taken for a newcomer that goes everywhere. Runs under the queue's lock. */
    @FunctionalInterface
    public interface Spreading {
        /** A lease was taken. */
        void taken(Decision decision, Lease lease);
    }

    /**
     * Walks by the live states.
     *
     * @param order the waiters in the order of service; whoever gets a lease may leave it at once
     * @return false when the revision is not the newest any more; those who got a lease until then keep it
     */
    public static boolean walk(Revision revision, Iterable<? extends Seeker> order, long now, Turns turns) {
        return new Round(new Worlds.Live(revision, turns), revision, now).pass(order, null, true);
    }

    /**
     * What a newcomer would find after a walk by copies, with nothing changed.
     *
     * @param order the waiters and the newcomer in the order of service
     * @return every candidate of the newcomer that could ever serve; null when the revision is not the newest any more
     */
    public static @Nullable Survey rehearse(
            Revision revision, Iterable<? extends Seeker> order, Seeker newcomer, long now) {
        Round round = new Round(new Worlds.Rehearsal(revision), revision, now);
        return round.pass(order, newcomer, true) ? Survey.of(round.world, revision, newcomer, round.marks, now) : null;
    }

    /**
     * Takes a lease for a newcomer on every substrate that is admissible for it, and on overflow only when there is no other; those before
     * it in the order have just been served.
     *
     * @param taken the substrates on which it has one already
     * @return false when those before it must be served again, or the revision is not the newest any more; what was taken stays taken
     */
    public static boolean spread(
            Revision revision,
            Iterable<? extends Seeker> order,
            Seeker newcomer,
            Set<String> taken,
            long now,
            Spreading spreading) {
        Round round = new Round(new Worlds.Onlooker(revision), revision, now);
        return round.pass(order, newcomer, false) && round.spread(newcomer, taken, spreading);
    }

    private boolean spread(Seeker newcomer, Set<String> taken, Spreading spreading) {
        RoutePlan route = newcomer.route();
        for (CandidatePlan candidate : Decider.order(route, newcomer.ask())) {
            boolean needless = candidate.substrate.overflow && takenRegularly(route, taken);
            while (!needless && !taken.contains(candidate.substrate.id)) {
                Decision decision = Decider.only(world, revision, route, candidate, newcomer.ask(), marks, now);
                if (decision == null) {
                    return false;
                }
                if (!decision.placed()) {
                    break;
                }
                Lease lease = decision.cell().take(decision);
                if (lease != null) {
                    spreading.taken(decision, lease);
                }
            }
        }
        return true;
    }

    private static boolean takenRegularly(RoutePlan route, Set<String> taken) {
        return Arrays.stream(route.candidates)
                .anyMatch(candidate -> !candidate.substrate.overflow && taken.contains(candidate.substrate.id));
    }

    /**
     * Everybody's turn, in order, up to a newcomer, whose turn it is at the end; null: everybody's. Where claims bind those too that come
     * earlier, whoever was held back by the claim of one that is served has its turn again; and so has whoever waits by choice for a place
     * of which somebody later takes a part.
     *
     * @param takes whether those who find something take it; else they must be served again
     * @return false when the revision is not the newest any more, or something could not be taken
     */
    private boolean pass(Iterable<? extends Seeker> order, @Nullable Seeker newcomer, boolean takes) {
        boolean claimsFirst = ServiceOrder.overtakes(revision);
        if (claimsFirst && !claims(order)) {
            return false;
        }
        do {
            again = false;
            marks.again();
            for (Seeker seeker : order) {
                if (newcomer == null && nothingOpen()) {
                    return true;
                }
                boolean last = seeker == newcomer && (!claimsFirst || !takes || isFree(seeker));
                if (last) {
                    again = false;
                    break;
                }
                if (!served.contains(seeker) && !hasTurn(seeker, takes)) {
                    return false;
                }
            }
        } while (again);
        if (newcomer != null) {
            turn(newcomer);
        }
        return newcomer == null || newcomer.route().revision == revision.number;
    }

    /** Whether there is something for a newcomer now. */
    private boolean isFree(Seeker newcomer) {
        Decision decision = decide(newcomer, newcomer.route());
        return decision == null || decision.placed();
    }

    private boolean hasTurn(Seeker seeker, boolean takes) {
        RoutePlan route = world.route(seeker);
        boolean settled = route == null;
        while (route != null && !settled) {
            Decision decision = decide(seeker, route);
            settled = decision != null && settle(seeker, decision);
            if (decision == null || (!settled && !takes)) {
                return false;
            }
        }
        return true;
    }

    /** Where those who came later may overtake, claims are made before anybody is served; false when the revision is not the newest. */
    private boolean claims(Iterable<? extends Seeker> order) {
        for (Seeker seeker : order) {
            RoutePlan route = claiming(seeker) ? world.route(seeker) : null;
            Decision decision = route == null ? null : decide(seeker, route);
            if (route != null && decision == null) {
                return false;
            }
            CandidatePlan claim = decision == null || !decision.placed() ? null : decision.candidate();
            claim(claim == null && decision != null ? decision.claim() : claim);
        }
        return true;
    }

    private boolean claiming(Seeker seeker) {
        return now - seeker.arrivalNanos >= revision.holdAfterNanos;
    }

    /** Whose turn it is claims a candidate, unless somebody else has claimed it before. */
    private void claim(@Nullable CandidatePlan candidate) {
        if (candidate != null && !marks.claimed(candidate.substrate.index)) {
            marks.claim(candidate.substrate.index);
        }
    }

    private void turn(Seeker seeker) {
        marks.turn(seeker, seeker.priorityClass(now, revision.agesAfterNanos));
    }

    /** By a route of this walk's revision; null when it is of another: the two must never be mixed. */
    private @Nullable Decision decide(Seeker seeker, RoutePlan route) {
        turn(seeker);
        Decision live = Decider.decide(world, revision, route, seeker.ask(), marks, seeker.holdNanos(now), now);
        RoutePlan batch = seeker.takesBatch() ? route.batch : null;
        if (batch == null || live == null || live.placed() || live.held()) {
            return live;
        }
        Decision later = Decider.decide(world, revision, batch, seeker.ask(), marks, 0, now);
        return later == null || later.placed() ? later : live;
    }

    /** Takes what was decided, or leaves marks; false when the state has changed meanwhile. */
    private boolean settle(Seeker seeker, Decision decision) {
        if (decision.placed()) {
            Lease lease = world.take(decision, seeker);
            if (lease == null) {
                return false;
            }
            again |= marks.served(seeker);
            again |= marks.awaited(decision.candidate().substrate.index);
            served.add(seeker);
            world.looked(seeker, decision, lease);
            return true;
        }
        CandidatePlan heading = decision.heading();
        if (heading != null) {
            if (decision.held()) {
                marks.await(heading.substrate.index);
            }
            marks.ahead(heading.substrate.index, Math.max(0, revision.book.expected(heading)));
        }
        if (seeker.priorityClass(now, revision.agesAfterNanos) < Waiter.rank(Priority.LOW)) {
            decision.wanted(marks);
        }
        if (claiming(seeker)) {
            claim(decision.claim());
        }
        world.looked(seeker, decision, null);
        return true;
    }

    private boolean nothingOpen() {
        for (int at = 0; at < revision.substrates(); at++) {
            CellState state = world.state(at);
            if (state == null || !Check.closed(state, now)) {
                return false;
            }
        }
        return true;
    }
}
