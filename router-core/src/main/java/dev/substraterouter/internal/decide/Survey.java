package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
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
     * @param couldCome whether it is, or could become so
     * @param findings why not, or what is to be known about it
     * @param comesAfter how long until it may be worth asking again; zero when it is admissible
     * @param latencyNanos how long the work is expected to take, with loading where that is needed; -1: not known
     * @param cost what one job is expected to cost, without waiting; NaN: not known
     */
    public record Entry(
            CandidatePlan candidate,
            boolean admissible,
            boolean couldCome,
            List<Finding> findings,
            Duration comesAfter,
            long latencyNanos,
            double cost) {}

    /** Every candidate that could ever serve; those of the batch path after the others, where the seeker takes it rather than wait. */
    static @Nullable Survey of(States states, Revision revision, Seeker seeker, Marks marks, long now) {
        RoutePlan route = seeker.route();
        List<Entry> entries = new ArrayList<>();
        RoutePlan batch = seeker.takesBatch() ? route.batch : null;
        boolean current = route.revision == revision.number
                && add(entries, states, revision, route, seeker.ask(), marks, now)
                && (batch == null || add(entries, states, revision, batch, seeker.ask(), marks, now));
        return current ? new Survey(entries, revision.number) : null;
    }

    private static boolean add(
            List<Entry> entries, States states, Revision revision, RoutePlan route, Ask ask, Marks marks, long now) {
        List<Outlook> outlooks = Decider.outlooks(states, revision, route, ask, marks, now);
        if (outlooks == null) {
            return false;
        }
        for (Outlook outlook : outlooks) {
            if (outlook.candidate().unusable == null) {
                entries.add(entry(outlook, route, ask, now));
            }
        }
        return true;
    }

    private static Entry entry(Outlook outlook, RoutePlan route, Ask ask, long now) {
        CandidatePlan candidate = outlook.candidate();
        CellState state = outlook.state();
        Reason reason = outlook.reason();
        long latency = outlook.latencyNanos() < 0 ? -1 : outlook.latencyNanos() + outlook.loadNanos();
        double cost = route.outcomeCost(candidate, outlook.latencyNanos()) + outlook.disturbance();
        return reason == null
                ? new Entry(candidate, true, true, Check.remarks(state, now), Duration.ZERO, latency, cost)
                : new Entry(
                        candidate,
                        false,
                        !Check.forGood(reason),
                        Check.explain(state, candidate, route, ask, reason, now),
                        Decision.comesAfter(state, candidate, reason, ask, now),
                        latency,
                        cost);
    }

    /** The candidates in the order in which they are tried. */
    public List<Entry> entries() {
        return entries;
    }

    /** Whether one of them is admissible, or could become so. */
    public boolean couldCome() {
        return entries.stream().anyMatch(Entry::couldCome);
    }

    /** The revision that was asked. */
    public long revision() {
        return revision;
    }
}
