package dev.substraterouter.simulate;

import dev.substraterouter.policy.Policy;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** When something of a schedule begins and ends: the moments of its changes, nanoseconds, first a beginning, then an end, and so on. */
final class Backdrop {
    private static final long EPISODES = 100;
    private static final long EPISODES_PER_NODE = 10;
    private static final long FAULTS = 10_000;

    private Backdrop() {}

    /** The changes of an episode of a node. */
    static Iterator<Long> episode(Scenario scenario, int node, int index, Episode episode) {
        long stream = EPISODES + EPISODES_PER_NODE * node + episode.stream().orElse(index);
        return changes(episode.schedule(), RandomStream.of(scenario.seed(), stream));
    }

    /** The changes of a fault. */
    static Iterator<Long> fault(Scenario scenario, int index) {
        return changes(scenario.faults().get(index).schedule(), RandomStream.of(scenario.seed(), FAULTS + index));
    }

    /** The place of a node among the scenario's, from which its random streams follow; those it does not speak of come after. */
    static int place(Scenario scenario, Policy policy, String substrate) {
        List<NodeModel> given = scenario.nodesInOrder();
        for (int at = 0; at < given.size(); at++) {
            if (given.get(at).substrate().equals(substrate)) {
                return at;
            }
        }
        int at = given.size();
        for (var one : policy.substrates()) {
            if (one.id().equals(substrate)) {
                return at;
            }
            at += scenario.nodes().containsKey(one.id()) ? 0 : 1;
        }
        throw new IllegalArgumentException(
                "substrate '" + substrate + "' (expected: one of the policy or the scenario)");
    }

    /** The changes of all episodes of a node, in the order of time; at the same moment in the order of the episodes. */
    static Iterator<Simulation.EpisodeChange> changes(Scenario scenario, int node, String substrate) {
        NodeModel model = scenario.nodes().get(substrate);
        PriorityQueue<Turn> turns = new PriorityQueue<>(
                Comparator.comparingLong((Turn turn) -> turn.next).thenComparingInt(turn -> turn.index));
        List<Episode> episodes = model == null ? List.of() : model.episodes();
        for (int at = 0; at < episodes.size(); at++) {
            Turn turn = new Turn(at, episodes.get(at), episode(scenario, node, at, episodes.get(at)));
            if (turn.advance()) {
                turns.add(turn);
            }
        }
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !turns.isEmpty();
            }

            @Override
            public Simulation.EpisodeChange next() {
                Turn turn = turns.remove();
                Simulation.EpisodeChange change = new Simulation.EpisodeChange(turn.next, turn.episode, turn.on);
                if (turn.advance()) {
                    turns.add(turn);
                }
                return change;
            }
        };
    }

    /** One episode between two of its changes. */
    private static final class Turn {
        final int index;
        final Episode episode;
        final Iterator<Long> changes;
        long next;
        boolean on;

        Turn(int index, Episode episode, Iterator<Long> changes) {
            this.index = index;
            this.episode = episode;
            this.changes = changes;
        }

        boolean advance() {
            if (!changes.hasNext()) {
                return false;
            }
            next = changes.next();
            on = !on;
            return true;
        }
    }

    private static Iterator<Long> changes(Schedule schedule, RandomStream random) {
        if (schedule instanceof Schedule.Alternating alternating) {
            return new ByTurns(alternating, random);
        }
        return ((Schedule.Given) schedule)
                .spans().stream()
                        .flatMap(span -> List.of(
                                Spans.nanos(span.fromSeconds()), Spans.nanos(span.fromSeconds() + span.lengthSeconds()))
                                .stream())
                        .iterator();
    }

    private static final class ByTurns implements Iterator<Long> {
        private final Schedule.Alternating means;
        private final RandomStream random;
        private double at;
        private boolean on;

        ByTurns(Schedule.Alternating means, RandomStream random) {
            this.means = means;
            this.random = random;
        }

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Long next() {
            at += random.exponential(on ? means.meanOnSeconds() : means.meanOffSeconds());
            on = !on;
            return (long) (at * 1e9);
        }
    }
}
