package dev.substraterouter.internal.gate;

import dev.substraterouter.status.SubstrateStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one source, or of several merged, with the moment each was told. Immutable.
 *
 * <p>Own load is split off when the status arrives and stays as it is until the next one.
 *
 * @param source who told it
 * @param asked when the newest question was asked
 * @param at when the newest answer came
 * @param status the newest status as it came
 * @param ready whether the substrate is ready for work
 * @param jobs the jobs of others
 * @param util the utilisation by others, percent
 * @param temp the temperature, °C
 * @param memory the memory that others use
 * @param gpus one entry a GPU; empty when only sums are told
 * @param gpusAt when they were told
 * @param models the models in memory; null when not told
 * @param modelsAt when they were told
 * @param attributes what was told under the keys that the policy requires
 * @param doubtful whether the figures may contain the router's own load
 * @param moved whether that is because own leases began or ended while it was asked, so that the utilisation may be theirs
 * @param objection what a predicate of the host has against it; null when nothing
 * @param silent how many statuses of this source told of no job while the router's own work ran there, since it last told of one
 */
public record Reading(
        String source,
        long asked,
        long at,
        SubstrateStatus status,
        boolean ready,
        Told jobs,
        Told util,
        Told temp,
        Memory memory,
        List<GpuReading> gpus,
        long gpusAt,
        @Nullable Set<String> models,
        long modelsAt,
        Map<String, Text> attributes,
        boolean doubtful,
        boolean moved,
        @Nullable String objection,
        int silent) {
    static final List<GpuReading> NO_GPUS = List.of();
    /** So many statuses that tell of no job where own work runs: one may have come between two jobs, three in a row hardly. */
    static final int SUSPECT_AFTER = 3;

    Reading withGpus(List<GpuReading> other) {
        return new Reading(
                source,
                asked,
                at,
                status,
                ready,
                jobs,
                util,
                temp,
                memory,
                other,
                gpusAt,
                models,
                modelsAt,
                attributes,
                doubtful,
                moved,
                objection,
                silent);
    }

    /**
     * These figures, with what they do not tell taken from the same source's earlier ones.
     *
     * @param keys the attributes that are kept
     */
    Reading filledFrom(Reading earlier, Set<String> keys) {
        return new Reading(
                source,
                asked,
                at,
                status,
                ready,
                jobs.known() ? jobs : earlier.jobs,
                util.known() ? util : earlier.util,
                temp.known() ? temp : earlier.temp,
                memory.known() ? memory : earlier.memory,
                !gpus.isEmpty() ? gpus : earlier.gpus,
                !gpus.isEmpty() ? gpusAt : earlier.gpusAt,
                models != null ? models : earlier.models,
                models != null ? modelsAt : earlier.modelsAt,
                only(keys, newest(attributes, earlier.attributes)),
                doubtful,
                moved,
                objection,
                jobs.known() ? silentAfter(earlier) : earlier.silent);
    }

    /** A status asked while no own work ran there neither adds to the suspicion nor takes it away. */
    private int silentAfter(Reading earlier) {
        return status.jobs().orElse(0) > 0 ? 0 : Math.min(SUSPECT_AFTER, earlier.silent + silent);
    }

    /** Whether it has told too often of no job while the router's own work ran there: its figures are not to be believed. */
    boolean suspect() {
        return silent >= SUSPECT_AFTER;
    }

    /** That in words; the number that the router puts before a source's own name for itself is left out. */
    String suspicion() {
        return "running jobs 0 in " + silent + " statuses of '" + source.substring(source.indexOf(':') + 1)
                + "' while own work ran there (expected: >= 1); the router's own count holds";
    }

    private static Map<String, Text> only(Set<String> keys, Map<String, Text> texts) {
        if (keys.containsAll(texts.keySet())) {
            return texts;
        }
        Map<String, Text> kept = new HashMap<>(texts);
        kept.keySet().retainAll(keys);
        return Map.copyOf(kept);
    }

    /** Both, the one told later where both tell a key. */
    static Map<String, Text> newest(Map<String, Text> one, Map<String, Text> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        Map<String, Text> all = new HashMap<>(one);
        other.forEach((key, text) -> all.merge(key, text, (a, b) -> b.at() - a.at() > 0 ? b : a));
        return Map.copyOf(all);
    }

    /**
     * One figure.
     *
     * @param value the figure; not a number: not told
     * @param at when it was told
     */
    public record Told(double value, long at) {
        static final Told NOTHING = new Told(Double.NaN, 0);

        /** Whether it was told at all. */
        public boolean known() {
            return !Double.isNaN(value);
        }
    }

    /**
     * What was told in words.
     *
     * @param value the words
     * @param at when they were told
     */
    public record Text(String value, long at) {}

    /**
     * Memory, MiB.
     *
     * @param foreign what others use; negative: not told
     * @param used what is in use in all
     * @param total what is there in all; {@link #TOTAL_NOT_TOLD} when only what is used was told
     * @param at when it was told
     */
    public record Memory(long foreign, long used, long total, long at) {
        /** In {@link #total}: larger than any that is told, so that the smaller of two is the right one. */
        public static final long TOTAL_NOT_TOLD = Long.MAX_VALUE;

        static final Memory NOTHING = new Memory(-1, -1, TOTAL_NOT_TOLD, 0);

        /** Whether it was told at all. */
        public boolean known() {
            return foreign >= 0;
        }
    }

    /**
     * One GPU.
     *
     * @param index the worker's number for it
     * @param util the utilisation by others, percent; not a number: not told
     * @param temp the temperature, °C; not a number: not told
     * @param foreign the memory that others use, MiB
     * @param total the memory that is there, MiB
     */
    public record GpuReading(int index, double util, double temp, long foreign, long total) {}
}
