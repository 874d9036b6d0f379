package dev.substraterouter.trace;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What traces tell of the ways by which requests were served: latency, quality, review rate, cost and refusals, each with its number of
 * values and its 95 % interval, split by path, by substrate, by model version and by workload; and where a workload was observed to be
 * worse only when it left its primary. Immutable and thread-safe.
 *
 * <p><b>What counts.</b> Every attempt of a trace counts in one row of each split. Latency and compute cost are those of attempts that
 * succeeded. An observation counts where the request was served, thus for its last attempt; one of a request that was not served counts
 * nowhere. A refused request has been served by no path: refusals belong to workloads only. What is unknown is left out, never counted as
 * zero; a figure without a value is empty. A trace that is given twice counts twice.
 *
 * <p><b>Intervals.</b> Shares: Wilson. Latency: order statistics, which assume no distribution. Cost: Student, which is too narrow
 * where a few costs are very large, and has no width where all are equal; flags do not rely on it. Quality: Student, with one
 * 0 and one 1 added, so that a few equal values do not look certain. They treat requests as independent of each other.
 *
 * <p><b>Bounds.</b> The traces are read once. A row keeps each of up to 4,096 values of a figure; of more it keeps an even sample of 4,096,
 * chosen by a fixed seed, from which the figure and its wider interval are taken. A split has at most 1,000 rows, and one more, {@link
 * Key#OTHER}, for all keys that came later. Within these bounds the order of the traces does not matter; beyond them the same order gives
 * the same report.
 *
 * <p><b>What it cannot tell.</b> It describes and does not explain: work goes to a fallback when the primary is out or loaded, and the
 * requests of such hours may differ from the others. Substrates and models that serve unlike workloads are not compared, workloads are
 * only compared with themselves.
 */
public final class PathReport {
    static final int MAX_KEYS = 1_000;

    private final Optional<Figure> naming;
    private final Optional<Refusals> refusals;
    private final List<Refusals> refusalsByWorkload;
    private final List<Row> byPath;
    private final List<Row> bySubstrate;
    private final List<Row> byModel;
    private final List<Row> byWorkload;
    private final List<Flag> flags;

    private PathReport(PathReading reading) {
        naming = reading.naming();
        refusals = reading.refusals();
        refusalsByWorkload = reading.refusalsByWorkload();
        byPath = reading.byPath.rows();
        bySubstrate = reading.bySubstrate.rows();
        byModel = reading.byModel.rows();
        byWorkload = reading.byWorkload.rows();
        flags = PathFlags.of(byWorkload, reading.byWorkload);
    }

    /**
     * The report of some traces, which are read once, on the caller's thread.
     *
     * @param traces for example the router's recent ones, or those of a file
     */
    public static PathReport of(Iterable<RoutingTrace> traces) {
        PathReading reading = new PathReading();
        traces.forEach(reading::add);
        return new PathReport(reading);
    }

    /** The share of requests that named a substrate, to be preferred or avoided: clients that know machines. Empty without a trace. */
    public Optional<Figure> namingSubstrate() {
        return naming;
    }

    /** How many requests were refused, of how many; empty without a trace. */
    public Optional<Refusals> refusals() {
        return refusals;
    }

    /** The same for each workload, by name, and for groups of the others behind them. */
    public List<Refusals> refusalsByWorkload() {
        return refusalsByWorkload;
    }

    /** A row for each path that was taken, the primary first. Refusals are in none of them. */
    public List<Row> byPath() {
        return byPath;
    }

    /** A row for each substrate, by id. */
    public List<Row> bySubstrate() {
        return bySubstrate;
    }

    /** A row for each model and version on each substrate, by name, as it really ran where the host said so. */
    public List<Row> byModel() {
        return byModel;
    }

    /** A row for each workload and path, by name, the primary first. */
    public List<Row> byWorkload() {
        return byWorkload;
    }

    /**
     * Where a workload was observed to be worse only when it left its primary.
     *
     * <p>A path is flagged in an aspect when it is worse than the workload's primary, with intervals that do not overlap, both from at least
     * 20 values, and the primary is fine in that aspect: no other path of the workload is better than it by the same test. Of costs, besides,
     * the same values dealt out at random to the two paths must never differ as much in 399 deals. Latency of the batch path is never
     * flagged, since it is slow by design, and needs without a workload are never compared, since they are not alike. Where both paths are
     * alike, fewer than one in fifty comparisons of an aspect flag by chance.
     */
    public List<Flag> flags() {
        return flags;
    }

    /** The report as tables for people. */
    public String explain() {
        return PathTable.of(this);
    }

    /** As {@link #explain}. */
    @Override
    public String toString() {
        return explain();
    }

    /** What is compared. */
    public enum Aspect {
        /** How good the answers were, as observed. Less is worse. */
        QUALITY,
        /** Which share of the answers had to be reviewed, as observed. More is worse. */
        REVIEW_RATE,
        /** How long the work took from placement to outcome, median. More is worse. */
        LATENCY,
        /** What the compute cost by the policy's figures and the time it took, mean. More is worse. */
        COMPUTE_COST,
        /** What the answers cost in all, as observed, mean. More is worse. */
        OBSERVED_COST;

        /** The aspect in lower case, in words. */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * An estimate and where it lies with a confidence of 95 %.
     *
     * @param n from how many values, at least 1
     * @param value the estimate
     * @param low the interval's lower end
     * @param high its upper end; infinite where the values are too few to tell one
     */
    public record Figure(long n, double value, double low, double high) {
        /** Whether some value lies in both intervals. */
        public boolean overlaps(Figure other) {
            return low <= other.high && other.low <= high;
        }
    }

    /**
     * What a row is about; what the split does not distinguish, or what was unknown, is empty.
     *
     * @param workload what was asked for
     * @param path by which way it was served
     * @param substrateId where
     * @param model by which model
     * @param version the model's version
     */
    public record Key(
            Optional<String> workload,
            Optional<ServingPath> path,
            Optional<String> substrateId,
            Optional<String> model,
            Optional<String> version) {
        /** Everything beyond the rows that a split may have. */
        public static final Key OTHER =
                new Key(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        static final Comparator<Key> ORDER = Comparator.comparing(Key::isOther)
                .thenComparing(Key::workload, Key::emptyFirst)
                .thenComparing(Key::path, Key::emptyFirst)
                .thenComparing(Key::substrateId, Key::emptyFirst)
                .thenComparing(Key::model, Key::emptyFirst)
                .thenComparing(Key::version, Key::emptyFirst);

        private boolean isOther() {
            return equals(OTHER);
        }

        private static <T extends Comparable<T>> int emptyFirst(Optional<T> one, Optional<T> other) {
            return one.isPresent() && other.isPresent()
                    ? one.get().compareTo(other.get())
                    : Boolean.compare(one.isPresent(), other.isPresent());
        }
    }

    /**
     * What was observed of the attempts that have a key in common.
     *
     * @param key what they have in common
     * @param attempts how many there were; those that were neither served nor failed were busy, open, abandoned or at fault themselves
     * @param served how many of them succeeded
     * @param failed how many of them failed by the substrate's fault, before or after it had the request
     * @param latency median of those served, seconds
     * @param latencyP95 the time within which 95 of 100 were served, seconds
     * @param quality mean of the observed qualities, 0 to 1
     * @param reviewRate share of those reviewed among those of which it is known, 0 to 1
     * @param computeCost mean of what a served attempt cost by the policy's figures
     * @param observedCost mean of what an answer cost in all, where observed
     * @param substrates where they ran, by id
     */
    public record Row(
            Key key,
            long attempts,
            long served,
            long failed,
            Optional<Figure> latency,
            Optional<Figure> latencyP95,
            Optional<Figure> quality,
            Optional<Figure> reviewRate,
            Optional<Figure> computeCost,
            Optional<Figure> observedCost,
            SortedSet<String> substrates) {
        /** The figure that an aspect compares; empty when unknown. */
        public Optional<Figure> figure(Aspect aspect) {
            return switch (aspect) {
                case QUALITY -> quality;
                case REVIEW_RATE -> reviewRate;
                case LATENCY -> latency;
                case COMPUTE_COST -> computeCost;
                case OBSERVED_COST -> observedCost;
            };
        }
    }

    /** Whose requests are counted together. */
    public enum Group {
        /** Those for one workload. */
        WORKLOAD,
        /** Those for workloads that came after the first 1,000. */
        OTHER_WORKLOADS,
        /** Those for workloads that the policy does not have. */
        UNKNOWN_WORKLOADS,
        /** All of them. */
        ALL
    }

    /**
     * How many requests were turned down.
     *
     * @param group whose requests they are
     * @param workload what was asked for; empty unless the group is {@link Group#WORKLOAD}
     * @param requests how many asked
     * @param refused how many of them were refused
     * @param share the refused among all, 0 to 1
     */
    public record Refusals(Group group, Optional<String> workload, long requests, long refused, Figure share) {}

    /**
     * A workload that was observed to be worse on a path off its primary, while its primary is fine. An observation, not a cause.
     *
     * @param workload the workload
     * @param path the path on which it is worse
     * @param substrates where that path led, by id
     * @param aspect in what it is worse
     * @param primary the figure on the primary
     * @param elsewhere the figure on that path
     */
    public record Flag(
            String workload,
            ServingPath path,
            SortedSet<String> substrates,
            Aspect aspect,
            Figure primary,
            Figure elsewhere) {
        /** The flag in words, with both figures and both ways out. */
        @Override
        public String toString() {
            return PathTable.words(this);
        }
    }
}
