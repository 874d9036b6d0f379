package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.plan.RoutePlan;
import org.jspecify.annotations.Nullable;

/** The worlds that a walk through the waiters may go through. */
final class Worlds {
    private Worlds() {}

    /** The live states. */
    static final class Live implements World {
        private final Revision revision;
        private final Round.Turns turns;

        Live(Revision revision, Round.Turns turns) {
            this.revision = revision;
            this.turns = turns;
        }

        @Override
        public @Nullable CellState state(int substrate) {
            return revision.state(substrate);
        }

        @Override
        public RoutePlan route(Seeker seeker) {
            return seeker.route();
        }

        @Override
        public @Nullable Lease take(Decision decision, Seeker seeker) {
            return decision.cell().take(decision);
        }

        @Override
        public void looked(Seeker seeker, Decision decision, @Nullable Lease lease) {
            seeker.looked(decision);
            if (lease != null) {
                turns.granted(seeker, decision, lease);
            } else if (decision.held()) {
                turns.chose(seeker);
            }
        }
    }

    /** The live states, of which nobody but the newcomer takes anything. */
    static final class Onlooker implements World {
        private final Revision revision;

        Onlooker(Revision revision) {
            this.revision = revision;
        }

        @Override
        public @Nullable CellState state(int substrate) {
            return revision.state(substrate);
        }

        @Override
        public RoutePlan route(Seeker seeker) {
            return seeker.route();
        }

        @Override
        public @Nullable Lease take(Decision decision, Seeker seeker) {
            return null; // something has come free for one that goes before the newcomer
        }

        @Override
        public void looked(Seeker seeker, Decision decision, @Nullable Lease lease) {
            // it has just been served
        }
    }

    /** Copies of the states, taken when they are first read. */
    static final class Rehearsal implements World {
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
        public @Nullable RoutePlan route(Seeker seeker) {
            return seeker.routeUnder(revision);
        }

        @Override
        public Lease take(Decision decision, Seeker seeker) {
            CellState.Taking taking = decision.taking();
            copies[decision.candidate().substrate.index] = taking.state();
            return taking.lease();
        }

        @Override
        public void looked(Seeker seeker, Decision decision, @Nullable Lease lease) {
            // only the copies have changed
        }
    }
}
