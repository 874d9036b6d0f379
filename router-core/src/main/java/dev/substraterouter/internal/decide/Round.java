package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One walk through the waiters in the order of service: each gets the first candidate that is admissible for it; those that get none leave
 * their claims and wishes to those that come later. Under the queue's lock.
 *
 * <p>A newcomer takes part as one of the waiters. So it can take exactly what nobody of its own or a higher priority can use now, without
 * a rule that says so.
 */
public final class Round {
    private final World world;
    private final Revision revision;
    private final Marks marks;
    private final long now;

    private Round(World world, Revision revision, long now) {
        this.world = world;
        this.revision = revision;
        this.marks = new Marks(revision.substrates());
        this.now = now;
    }

    /** What a walk reads and takes from: the live states, or copies. */
    interface World extends States {
        /** Takes the lease of a decision; null when its state has changed meanwhile. */
        @Nullable
        Lease take(Decision decision, Seeker seeker);

        /** What becomes of a seeker that got a lease. */
        void granted(Seeker seeker, Decision decision, Lease lease);
    }

    /** Hears who got a lease. Runs under the queue's lock. */
    @FunctionalInterface
    public interface Grants {
        /** A seeker got a lease. */
        void granted(Seeker seeker, Decision decision, Lease lease);
    }

    /**
     * Walks by the live states.
     *
     * @param order the waiters in the order of service
     * @return false when the revision is not the newest any more; those who got a lease until then keep it
     */
    public static boolean walk(Revision revision, List<? extends Seeker> order, long now, Grants grants) {
        return new Round(new Live(revision, grants), revision, now).walk(order);
    }

    /**
     * What a newcomer would find after a walk by copies, with nothing changed.
     *
     * @param order the waiters and the newcomer in the order of service
     * @param alsoBatch whether the newcomer may go to the batch path when nothing else is admissible
     * @return every candidate of the newcomer that could ever serve; null when the revision is not the newest any more
     */
    public static @Nullable Survey rehearse(
            Revision revision, List<? extends Seeker> order, Seeker newcomer, boolean alsoBatch, long now) {
        Round round = new Round(new Rehearsal(revision), revision, now);
        for (Seeker seeker : order) {
            if (seeker == newcomer) {
                return Survey.of(round.world, revision, seeker, round.marks, alsoBatch, now);
            }
            RoutePlan route = seeker.routeUnder(revision);
            if (route == null) {
                continue; // about to be refused
            }
            Decision decision = round.decide(seeker, route);
            if (decision == null) {
                return null;
            }
            round.settle(seeker, decision);
        }
        throw new IllegalArgumentException("the newcomer is not in the order");
    }

    /** Hears of a lease that was taken for a newcomer that goes everywhere. Runs under the queue's lock. */
    @FunctionalInterface
    public interface Spreading {
        /** A lease was taken. */
        void taken(Decision decision, Lease lease);
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
            List<? extends Seeker> order,
            Seeker newcomer,
            Set<String> taken,
            long now,
            Spreading spreading) {
        Round round = new Round(new Live(revision, (seeker, decision, lease) -> {}), revision, now);
        for (Seeker seeker : order) {
            if (seeker == newcomer) {
                return round.spread(newcomer, taken, spreading);
            }
            Decision decision = round.decide(seeker, seeker.route());
            if (decision == null || decision.placed()) {
                return false; // something has come free for one that goes before it
            }
            round.settle(seeker, decision);
        }
        throw new IllegalArgumentException("the newcomer is not in the order");
    }

    private boolean spread(Seeker newcomer, Set<String> taken, Spreading spreading) {
        RoutePlan route = newcomer.route();
        if (route.revision != revision.number) {
            return false;
        }
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
                Lease lease = world.take(decision, newcomer);
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

    private boolean walk(List<? extends Seeker> order) {
        if (ServiceOrder.overtakes(revision) && !claim(order)) {
            return false;
        }
        for (Seeker seeker : order) {
            if (nothingOpen()) {
                return true;
            }
            Decision decision;
            do {
                decision = decide(seeker, seeker.route());
                if (decision == null) {
                    return false;
                }
            } while (!settle(seeker, decision));
            seeker.looked(decision);
        }
        return true;
    }

    /** Where those who came later may overtake, claims are made before anybody is served; false when the revision is not the newest. */
    private boolean claim(List<? extends Seeker> order) {
        for (Seeker seeker : order) {
            if (now - seeker.arrivalNanos >= revision.holdAfterNanos) {
                Decision decision = decide(seeker, seeker.route());
                if (decision == null) {
                    return false;
                }
                CandidatePlan claim = decision.placed() ? decision.candidate() : decision.claim();
                if (claim != null) {
                    marks.claim(claim.substrate.index, seeker.priorityClass(now, revision.agesAfterNanos), seeker);
                }
            }
        }
        return true;
    }

    /** By a route of this walk's revision; null when it is of another: the two must never be mixed. */
    private @Nullable Decision decide(Seeker seeker, RoutePlan route) {
        marks.turn(seeker, seeker.priorityClass(now, revision.agesAfterNanos));
        return Decider.decide(world, revision, route, seeker.ask(), marks, seeker.holdNanos(now), now);
    }

    /** Takes what was decided, or leaves marks; false when the state has changed meanwhile. */
    private boolean settle(Seeker seeker, Decision decision) {
        if (decision.placed()) {
            Lease lease = world.take(decision, seeker);
            if (lease == null) {
                return false;
            }
            world.granted(seeker, decision, lease);
            return true;
        }
        CandidatePlan heading = decision.heading();
        if (heading != null) {
            marks.ahead(heading.substrate.index, Math.max(0, revision.book.expected(heading)));
        }
        if (seeker.priorityClass(now, revision.agesAfterNanos) < Waiter.rank(Priority.LOW)) {
            decision.wanted(marks);
        }
        if (now - seeker.arrivalNanos >= revision.holdAfterNanos) {
            CandidatePlan claim = decision.claim();
            if (claim != null) {
                marks.claim(claim.substrate.index);
            }
        }
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

    private static final class Live implements World {
        private final Revision revision;
        private final Grants grants;

        Live(Revision revision, Grants grants) {
            this.revision = revision;
            this.grants = grants;
        }

        @Override
        public @Nullable CellState state(int substrate) {
            return revision.state(substrate);
        }

        @Override
        public @Nullable Lease take(Decision decision, Seeker seeker) {
            return revision.cell(decision.candidate().substrate.index).take(decision, seeker.holder());
        }

        @Override
        public void granted(Seeker seeker, Decision decision, Lease lease) {
            grants.granted(seeker, decision, lease);
        }
    }

    /** Copies of the states, taken when they are first read. */
    private static final class Rehearsal implements World {
        private final Revision revision;
        private final @Nullable CellState[] copies;

        Rehearsal(Revision revision) {
            this.revision = revision;
            copies = new CellState[revision.substrates()];
        }

        @Override
        public @Nullable CellState state(int substrate) {
            CellState copy = copies[substrate];
            if (copy == null) {
                copy = revision.state(substrate);
                copies[substrate] = copy;
            }
            return copy;
        }

        @Override
        public Lease take(Decision decision, Seeker seeker) {
            CellState.Taking taking = decision.taking(seeker.holder());
            copies[decision.candidate().substrate.index] = taking.state();
            return taking.lease();
        }

        @Override
        public void granted(Seeker seeker, Decision decision, Lease lease) {
            // only the copies have changed
        }
    }
}
