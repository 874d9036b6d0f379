package dev.substraterouter.internal.gate;

import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.gate.Reading.Memory;
import dev.substraterouter.internal.gate.Reading.Told;
import dev.substraterouter.model.Measure;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one substrate has said of itself, and whether that is healthy: a pure value. Knows nothing of ejection and operators. Ages are
 * compared when it is read, so a status goes stale without anybody doing anything.
 */
public final class HealthState {
    private static final int MAX_SOURCES = 32;
    private static final Hysteresis[] UNJUDGED = {Hysteresis.UNJUDGED};

    final GateLimits limits;
    private final List<Reading> readings;
    private final @Nullable Reading figures;
    /** Whole substrate first, then one entry a GPU where there are several. */
    private final Hysteresis[] util;

    private final Hysteresis[] temp;
    private final @Nullable String lastMiss;
    private final long watchedNanos;
    private final long passedNanos;
    /** When the oldest of the figures was told: as long as that one counts, all of them do, and what follows from them is {@link #all}. */
    private final long oldestNanos;

    private final @Nullable Following all;
    /** Whether it is unhealthy, whatever is asked of it but facts only, until something is told: time alone does not change that. */
    final boolean shut;

    /** What follows from figures of which none is too old: found once for each status, not for each request. */
    private record Following(
            int foreignJobs,
            @Nullable Memory memory,
            List<GpuReading> gpus,
            @Nullable Set<String> models,
            @Nullable Reason facts,
            @Nullable Reason apartFromGpus,
            @Nullable Reason whole) {}

    private HealthState(
            GateLimits limits,
            List<Reading> readings,
            @Nullable Reading figures,
            Hysteresis[] util,
            Hysteresis[] temp,
            @Nullable String lastMiss,
            long watchedNanos,
            long passedNanos) {
        this.limits = limits;
        this.readings = readings;
        this.figures = figures;
        this.util = util;
        this.temp = temp;
        this.lastMiss = lastMiss;
        this.watchedNanos = watchedNanos;
        this.passedNanos = passedNanos;
        this.oldestNanos = figures == null ? 0 : oldest(figures);
        this.all = figures == null ? null : following(oldestNanos);
        this.shut = shut(all);
    }

    private boolean shut(@Nullable Following known) {
        if (figures == null || known == null) {
            return limits.requiresStatus();
        }
        if (!limits.requiresStatus() && !limits.hold) {
            return false; // its figures go stale, and then nothing speaks against it
        }
        if (known.apartFromGpus != null) {
            return true; // what is missing stays missing, and the rest counts until the whole status is stale
        }
        boolean lasts = (known.whole == Reason.GPU_UTIL && outlasts(Measure.GPU_UTIL, figures.util(), figures))
                || (known.whole == Reason.GPU_TEMP && outlasts(Measure.GPU_TEMP, figures.temp(), figures));
        for (int gpu = 0; lasts && gpu < known.gpus.size(); gpu++) {
            lasts = gpuObjection(gpu, false) != null;
        }
        return lasts;
    }

    /** Whether a figure that speaks against it does so until the whole status speaks against it, or for ever. */
    private boolean outlasts(Measure measure, Told told, Reading known) {
        return limits.hold || limits.requires(measure) || told.at() == known.at();
    }

    private long oldest(Reading known) {
        long oldest = known.at();
        for (long at : told(known)) {
            oldest = at - oldest < 0 ? at : oldest;
        }
        return oldest;
    }

    private Following following(long now) {
        return new Following(
                foreignJobsAt(now),
                memoryAt(now),
                gpusAt(now),
                modelsAt(now),
                unhealthyAt(now, true, false),
                unhealthyAt(now, false, true),
                unhealthyAt(now, false, false));
    }

    /** What follows from the figures if none of them is too old; null: each must be looked at. */
    private @Nullable Following all(long now) {
        return limits.hold || !old(oldestNanos, now) ? all : null;
    }

    /** A substrate that never said anything. */
    static HealthState unseen(GateLimits limits) {
        return new HealthState(limits, List.of(), null, UNJUDGED, UNJUDGED, null, 0, 0);
    }

    /** The merged figures, or null when it never said anything. */
    public @Nullable Reading figures() {
        return figures;
    }

    /** The figures that may be judged now: null when there are none, or they are stale and not held. */
    public @Nullable Reading usable(long now) {
        return figures != null && (limits.hold || !stale(now)) ? figures : null;
    }

    /** Whether the newest status is too old. */
    public boolean stale(long now) {
        return figures == null || old(figures.at(), now);
    }

    /** What each source last told, filled up by what it told before. */
    public List<Reading> readings() {
        return readings;
    }

    /** Why the last question got no answer; null when it got one. */
    public @Nullable String lastMiss() {
        return lastMiss;
    }

    /** Why it says that it is not ready for work, by the first source that says why; null when none does. */
    @Nullable
    String notReady() {
        for (Reading reading : readings) {
            if (!reading.ready() && reading.status().notReady().isPresent()) {
                return reading.status().notReady().get();
            }
        }
        return null;
    }

    /** In words, each source that told too often of no job while the router's own work ran there. This opens and closes no gate. */
    public List<String> suspicions() {
        return limits.ignores(Measure.RUNNING_JOBS)
                ? List.of()
                : readings.stream()
                        .filter(Reading::suspect)
                        .map(Reading::suspicion)
                        .toList();
    }

    /** The newest figures of one source if they are suspect, else null. */
    @Nullable
    Reading suspect(String source) {
        for (Reading reading : readings) {
            if (reading.source().equals(source) && reading.suspect() && !limits.ignores(Measure.RUNNING_JOBS)) {
                return reading;
            }
        }
        return null;
    }

    /** The share of the watched time in which the gate was passed; empty before anything was watched. */
    public OptionalDouble availability() {
        return watchedNanos == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) passedNanos / watchedNanos);
    }

    /** The jobs of others now; 0 where they are not known or not judged. */
    public int foreignJobs(long now) {
        Following known = all(now);
        return known == null ? foreignJobsAt(now) : known.foreignJobs;
    }

    private int foreignJobsAt(long now) {
        Reading known = usable(now);
        return known == null || limits.ignores(Measure.RUNNING_JOBS) || !current(known.jobs(), now)
                ? 0
                : (int) known.jobs().value();
    }

    /** The memory of others now, or null where it is not known or not judged. */
    public @Nullable Memory memory(long now) {
        Following known = all(now);
        return known == null ? memoryAt(now) : known.memory;
    }

    private @Nullable Memory memoryAt(long now) {
        Reading known = usable(now);
        return known == null
                        || limits.ignores(Measure.VRAM)
                        || !known.memory().known()
                        || tooOld(known.memory().at(), now)
                ? null
                : known.memory();
    }

    /** The GPUs now, where several are told with their memory; else empty. */
    public List<GpuReading> gpus(long now) {
        Following known = all(now);
        return known == null ? gpusAt(now) : known.gpus;
    }

    private List<GpuReading> gpusAt(long now) {
        Reading known = usable(now);
        if (known == null || known.gpus().size() < 2 || tooOld(known.gpusAt(), now) || limits.ignores(Measure.VRAM)) {
            return Reading.NO_GPUS;
        }
        for (GpuReading gpu : known.gpus()) {
            if (gpu.total() < 0 || gpu.foreign() < 0) {
                return Reading.NO_GPUS;
            }
        }
        return known.gpus();
    }

    /** The models in memory now, or null where that is not known. */
    public @Nullable Set<String> models(long now) {
        Following known = all(now);
        return known == null ? modelsAt(now) : known.models;
    }

    private @Nullable Set<String> modelsAt(long now) {
        Reading known = usable(now);
        return known == null || known.models() == null || tooOld(known.modelsAt(), now) ? null : known.models();
    }

    /** Whether the figures may contain the router's own load. */
    public boolean doubtful() {
        return figures != null && figures.doubtful();
    }

    /** Whether something that is judged is too old and held all the same. */
    public boolean held(long now) {
        Reading known = figures;
        if (known == null || !limits.hold) {
            return false;
        }
        return old(oldestNanos, now);
    }

    /** When each thing that is known and judged was told. */
    private List<Long> told(Reading known) {
        List<Long> times = new ArrayList<>();
        times.add(known.at());
        add(times, Measure.RUNNING_JOBS, known.jobs());
        add(times, Measure.GPU_UTIL, known.util());
        add(times, Measure.GPU_TEMP, known.temp());
        if (known.memory().known() && !limits.ignores(Measure.VRAM)) {
            times.add(known.memory().at());
        }
        if (!known.gpus().isEmpty()) {
            times.add(known.gpusAt());
        }
        if (known.models() != null) {
            times.add(known.modelsAt());
        }
        for (String key : limits.attributes.keySet()) {
            Reading.Text text = known.attributes().get(key);
            if (text != null) {
                times.add(text.at());
            }
        }
        return times;
    }

    private void add(List<Long> times, Measure measure, Told told) {
        if (told.known() && !limits.ignores(measure)) {
            times.add(told.at());
        }
    }

    /**
     * How long until a figure becomes too old to be judged. That can let somebody in: where the figure need not be known, or by ending the
     * claim of one who waited for this substrate. {@link Long#MAX_VALUE} when none does.
     */
    long nextChange(long now) {
        Reading known = figures;
        if (known == null || limits.hold) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        for (long at : told(known)) {
            next = old(at, now) ? next : Math.min(next, limits.staleNanos - (now - at) + 1);
        }
        return next;
    }

    /** Whether one of several GPUs is too loaded by others or too hot; null when it is neither. */
    public @Nullable Reason gpuObjection(int gpu, boolean factsOnly) {
        if (factsOnly) {
            return null;
        }
        if (!limits.ignores(Measure.GPU_UTIL) && util[slot(util, gpu)].degraded()) {
            return Reason.GPU_UTIL;
        }
        return !limits.ignores(Measure.GPU_TEMP) && temp[slot(temp, gpu)].degraded() ? Reason.GPU_TEMP : null;
    }

    private static int slot(Hysteresis[] states, int gpu) {
        int own = gpu + 1;
        return own < states.length && (states[own].judged() || states[own].degraded()) ? own : 0;
    }

    /** The first thing that speaks against it; null when nothing does. See {@link GateState#objection}. */
    @Nullable
    Reason unhealthy(long now, boolean factsOnly, boolean perGpu) {
        Following known = all(now);
        if (known == null) {
            return unhealthyAt(now, factsOnly, perGpu);
        }
        if (factsOnly) {
            return known.facts;
        }
        return perGpu ? known.apartFromGpus : known.whole;
    }

    private @Nullable Reason unhealthyAt(long now, boolean factsOnly, boolean perGpu) {
        if (figures == null) {
            return limits.requiresStatus() ? Reason.NO_STATUS : null;
        }
        boolean stale = stale(now);
        if (stale && !limits.hold) {
            return limits.requiresStatus() ? Reason.STALE_STATUS : null;
        }
        if (!figures.ready()) {
            return Reason.NOT_READY;
        }
        if (missing(Measure.RUNNING_JOBS, figures.jobs(), now)
                || (limits.requires(Measure.VRAM)
                        && (!figures.memory().known() || tooOld(figures.memory().at(), now)))) {
            return Reason.UNKNOWN_MEASURE;
        }
        if (!attributesMatch(figures, now)) {
            return Reason.ATTRIBUTE;
        }
        if (figures.objection() != null) {
            return Reason.HEALTH_PREDICATE;
        }
        return factsOnly ? null : hotOrLoaded(now, perGpu, figures);
    }

    private @Nullable Reason hotOrLoaded(long now, boolean perGpu, Reading known) {
        if (missing(Measure.GPU_UTIL, known.util(), now) || missing(Measure.GPU_TEMP, known.temp(), now)) {
            return Reason.UNKNOWN_MEASURE;
        }
        if (perGpu) {
            return null;
        }
        if (judged(Measure.GPU_UTIL, known.util(), now) && util[0].degraded()) {
            return Reason.GPU_UTIL;
        }
        return judged(Measure.GPU_TEMP, known.temp(), now) && temp[0].degraded() ? Reason.GPU_TEMP : null;
    }

    private boolean attributesMatch(Reading known, long now) {
        if (limits.attributes.isEmpty()) {
            return true; // an empty map's iterator is an object too
        }
        for (Map.Entry<String, String> wanted : limits.attributes.entrySet()) {
            if (!wanted.getValue().equals(attribute(known, wanted.getKey(), now))) {
                return false;
            }
        }
        return true;
    }

    /** What is told under a key now: by the newest status, else by an earlier one; null when nothing is, or it is too old. */
    @Nullable
    String attribute(Reading known, String key, long now) {
        String newest = known.status().attributes().get(key);
        if (newest != null && !tooOld(known.at(), now)) {
            return newest;
        }
        Reading.Text text = known.attributes().get(key);
        return text == null || tooOld(text.at(), now) ? null : text.value();
    }

    boolean missing(Measure measure, Told told, long now) {
        return limits.requires(measure) && !current(told, now);
    }

    private boolean judged(Measure measure, Told told, long now) {
        return !limits.ignores(measure) && current(told, now);
    }

    private boolean current(Told told, long now) {
        return told.known() && !tooOld(told.at(), now);
    }

    boolean tooOld(long at, long now) {
        return !limits.hold && old(at, now);
    }

    private boolean old(long at, long now) {
        return now - at > limits.staleNanos;
    }

    /** Whether an answer to a question asked at a moment is older than what is known from the same source. */
    public boolean outdated(String source, long asked) {
        for (Reading reading : readings) {
            if (reading.source().equals(source)) {
                return reading.asked() - asked > 0;
            }
        }
        return false;
    }

    /**
     * As a status leaves it. See {@link GateState#told}.
     *
     * @param passed whether the gate was passed with what was known before
     */
    HealthState told(
            String source,
            long asked,
            long now,
            SubstrateStatus status,
            SeenLoad own,
            boolean moved,
            boolean loading,
            @Nullable String objection,
            boolean passed) {
        Reading reading = new StatusReader(limits, status, own, now).read(source, asked, moved, loading, objection);
        List<Reading> all = new ArrayList<>();
        all.add(reading);
        for (Reading earlier : readings) {
            if (earlier.source().equals(source)) {
                all.set(0, reading.filledFrom(earlier, limits.attributes.keySet()));
            } else if (!tooOld(earlier.at(), now) && all.size() < MAX_SOURCES) {
                all.add(earlier);
            }
        }
        Reading merged = Merge.of(all, limits.pollNanos, limits.turnNanos);
        long since = figures == null ? 0 : now - figures.at();
        return new HealthState(
                limits,
                List.copyOf(all),
                merged,
                reading.util().known() ? utilJudged(util, merged, now, moved) : util,
                reading.temp().known() ? tempJudged(temp, merged, now) : temp,
                null,
                watchedNanos + since,
                passedNanos + (passed ? Math.min(since, limits.staleNanos) : 0));
    }

    /** As a question without an answer leaves it. */
    HealthState missed(String reason) {
        return new HealthState(limits, readings, figures, util, temp, reason, watchedNanos, passedNanos);
    }

    /** Under other limits; verdicts that they would draw otherwise are drawn anew from the figures at hand. */
    HealthState under(GateLimits newLimits) {
        HealthState next =
                new HealthState(newLimits, readings, figures, util, temp, lastMiss, watchedNanos, passedNanos);
        return newLimits.judgesAs(limits) || figures == null ? next : next.judgedAnew(figures);
    }

    private HealthState judgedAnew(Reading known) {
        Hysteresis[] utilAnew =
                known.util().known() ? utilJudged(UNJUDGED, known, known.at(), known.moved()) : UNJUDGED;
        Hysteresis[] tempAnew = known.temp().known() ? tempJudged(UNJUDGED, known, known.at()) : UNJUDGED;
        return new HealthState(limits, readings, figures, utilAnew, tempAnew, lastMiss, watchedNanos, passedNanos);
    }

    private Hysteresis[] utilJudged(Hysteresis[] before, Reading merged, long now, boolean moved) {
        Hysteresis[] states = sized(before, merged.gpus());
        for (int at = 0; at < states.length; at++) {
            double value =
                    at == 0 ? merged.util().value() : merged.gpus().get(at - 1).util();
            boolean own = moved && value >= limits.maxUtil; // what is over the limit may be the router's own work
            if (own && !states[at].judged()) {
                states[at] = new Hysteresis(
                        false, true, 0, now); // closed for now; the next status is judged as if it were the first
            } else if (!own && !Double.isNaN(value)) {
                states[at] = states[at].next(value, limits.maxUtil, limits.utilMargin, limits, now);
            }
        }
        return states;
    }

    private Hysteresis[] tempJudged(Hysteresis[] before, Reading merged, long now) {
        Hysteresis[] states = sized(before, merged.gpus());
        for (int at = 0; at < states.length; at++) {
            double value =
                    at == 0 ? merged.temp().value() : merged.gpus().get(at - 1).temp();
            if (!Double.isNaN(value)) {
                states[at] = states[at].next(value, limits.maxTemp, limits.tempMargin, limits, now);
            }
        }
        return states;
    }

    private static Hysteresis[] sized(Hysteresis[] before, List<GpuReading> gpus) {
        int count = gpus.size() < 2 ? 1 : gpus.size() + 1;
        return before.length == count ? before.clone() : fresh(before[0], count);
    }

    private static Hysteresis[] fresh(Hysteresis whole, int count) {
        Hysteresis[] states = new Hysteresis[count];
        Arrays.fill(states, Hysteresis.UNJUDGED);
        states[0] = whole;
        return states;
    }
}
