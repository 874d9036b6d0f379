package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every candidate of a request as it stands at one moment. Immutable. */
public final class Survey {
    private final List<Entry> entries;
    private final long revision;

    private Survey(List<Entry> entries, long revision) {
        this.entries = List.copyOf(entries);
        this.revision = revision;
    }

    /**
     * One candidate.
     *
     * @param candidate the candidate
     * @param admissible whether it could be taken now
     * @param findings why not, or what is to be known about it
     * @param comesAfter how long until it may be worth asking again; zero when it is admissible
     */
    public record Entry(CandidatePlan candidate, boolean admissible, List<Finding> findings, Duration comesAfter) {}

    static @Nullable Survey of(States states, Revision revision, Seeker seeker, Marks marks, long now) {
        List<Entry> entries = new ArrayList<>();
        for (CandidatePlan candidate : Decider.order(seeker.route(), seeker.ask())) {
            CellState state = states.state(candidate.substrate.index);
            if (state == null) {
                return null;
            }
            Reason reason =
                    Check.test(state, candidate, seeker.route(), seeker.ask(), marks, revision.agesAfterNanos, now);
            entries.add(
                    reason == null
                            ? new Entry(candidate, true, Check.remarks(state, now), Duration.ZERO)
                            : new Entry(
                                    candidate,
                                    false,
                                    Check.explain(state, candidate, seeker.route(), seeker.ask(), reason, now),
                                    Decision.comesAfter(state, reason, seeker.ask(), now)));
        }
        return new Survey(entries, revision.number);
    }

    /** The candidates in the order in which they are tried. */
    public List<Entry> entries() {
        return entries;
    }

    /** The revision that was asked. */
    public long revision() {
        return revision;
    }
}
