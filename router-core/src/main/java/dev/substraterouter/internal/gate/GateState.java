package dev.substraterouter.internal.gate;

import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.gate.Reading.Memory;
import dev.substraterouter.internal.gate.Reading.Told;
import dev.substraterouter.model.FaultKind;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Vram;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one substrate's health, and the verdict that follows: a pure value.
 *
 * <p>Every change builds the next state; the one atomic that holds it belongs to the decision. Times are compared when the state is read,
 * so a status goes stale and an ejection ends without anybody doing anything.
 */
public final class GateState {
    private static final int MAX_SOURCES = 8;

    public final GateLimits limits;
    private final long seed;
    private final List<Reading> readings;
    private final @Nullable Reading figures;
    /** Whole substrate first, then one entry a GPU where there are several. */
    private final Hysteresis[] util;

    private final Hysteresis[] temp;
    final EjectionState ejection;
    private final @Nullable Object cordon;
    private final long busyUntil;
    private final long busySince;
    private final boolean busy;
    private final @Nullable String lastMiss;
    private final long watchedNanos;
    private final long passedNanos;
    private final @Nullable Events events;

    private GateState(Draft draft) {
        limits = draft.limits;
        seed = draft.seed;
        readings = draft.readings;
        figures = draft.figures;
        util = draft.util;
        temp = draft.temp;
        ejection = draft.ejection;
        cordon = draft.cordon;
        busyUntil = draft.busyUntil;
        busySince = draft.busySince;
        busy = draft.busy;
        lastMiss = draft.lastMiss;
        watchedNanos = draft.watchedNanos;
        passedNanos = draft.passedNanos;
        events = draft.events;
    }

    /** A substrate that never said anything. */
    public static GateState unseen(GateLimits limits, long seed) {
        Draft draft = new Draft();
        draft.limits = limits;
        draft.seed = seed;
        return new GateState(draft);
    }

    // what is known

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

    /** Why the last question got no answer; null when it got one. */
    public @Nullable String lastMiss() {
        return lastMiss;
    }

    /** The share of the watched time in which the gate was passed; empty before anything was watched. */
    public OptionalDouble availability() {
        return watchedNanos == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) passedNanos / watchedNanos);
    }

    /** The jobs of others now; 0 where they are not known or not judged. */
    public int foreignJobs(long now) {
        Reading known = usable(now);
        return known == null || limits.ignores(Measure.RUNNING_JOBS) || !current(known.jobs(), now)
                ? 0
                : (int) known.jobs().value();
    }

    /** The memory of others now, or null where it is not known or not judged. */
    public @Nullable Memory memory(long now) {
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
        Reading known = usable(now);
        return known == null || known.models() == null || tooOld(known.modelsAt(), now) ? null : known.models();
    }

    /** Whether the figures may contain the router's own load. */
    public boolean doubtful() {
        return figures != null && figures.doubtful();
    }

    // the verdict

    /**
     * The first thing that speaks against it now, apart from slots and memory; null when nothing does.
     *
     * @param factsOnly whether utilisation and temperature are left out
     * @param perGpu whether utilisation and temperature are judged per GPU, elsewhere
     */
    public @Nullable Reason objection(long now, boolean factsOnly, boolean perGpu) {
        if (cordon != null) {
            return Reason.CORDONED;
        }
        Reason out = ejected(now);
        if (out != null) {
            return out;
        }
        if (busy(now)) {
            return Reason.BUSY;
        }
        return unhealthy(now, factsOnly, perGpu);
    }

    /** Whether an operator has taken it out. */
    public boolean cordoned() {
        return cordon != null;
    }

    /** Why ejection keeps it out now; null when it does not, or when its trial is free. */
    public @Nullable Reason ejected(long now) {
        EjectionState state = ejection.at(now, limits, seed);
        return switch (state.phase()) {
            case IN, RAMP -> null;
            case OUT -> state.trialDue(now) ? null : Reason.EJECTED;
            case TRIAL -> Reason.TRIAL_RUNNING;
        };
    }

    /** How long ejection keeps it out from now; 0 when it does not, or nobody knows. */
    public long ejectedFor(long now) {
        EjectionState state = ejection.at(now, limits, seed);
        return state.phase() == EjectionState.Phase.OUT ? Math.max(0, state.until() - now) : 0;
    }

    /** How long the worker's own word keeps it busy from now; 0 when it does not. */
    public long busyFor(long now) {
        return busy(now) ? busyUntil - now : 0;
    }

    /** Whether one lease may now try whether it is well again. */
    public boolean trialDue(long now) {
        return ejection.at(now, limits, seed).trialDue(now);
    }

    /** The epoch under which a lease is granted now. */
    public int epoch(long now) {
        return ejection.at(now, limits, seed).epoch();
    }

    /** How many own leases it may hold on its way back. */
    public int rampCap(long now, int maxJobs) {
        return ejection.at(now, limits, seed).cap(now, maxJobs, limits);
    }

    /** What was last known of its faults, for people; empty when there were none. */
    public Optional<String> lastError() {
        return Optional.ofNullable(ejection.lastError());
    }

    /** How long until the verdict may change by time alone; {@link Long#MAX_VALUE} when only an event can change it. */
    public long nextChange(long now) {
        long next = ejection.at(now, limits, seed).nextChange(now, limits);
        if (busy(now)) {
            next = Math.min(next, busyUntil - now);
        }
        return figures == null || limits.hold ? next : Math.min(next, nextForgotten(figures, now));
    }

    /**
     * How long until a figure becomes too old to be judged. That can let somebody in: where the figure need not be known, or by ending the
     * claim of one who waited for this substrate.
     */
    private long nextForgotten(Reading known, long now) {
        long next = forgottenAfter(true, known.at(), now);
        for (Told told : List.of(known.jobs(), known.util(), known.temp())) {
            next = Math.min(next, forgottenAfter(told.known(), told.at(), now));
        }
        next = Math.min(
                next, forgottenAfter(known.memory().known(), known.memory().at(), now));
        next = Math.min(next, forgottenAfter(!known.gpus().isEmpty(), known.gpusAt(), now));
        return Math.min(next, forgottenAfter(known.models() != null, known.modelsAt(), now));
    }

    private long forgottenAfter(boolean told, long at, long now) {
        return !told || old(at, now) ? Long.MAX_VALUE : limits.staleNanos - (now - at) + 1;
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
        return gpu + 1 < states.length && states[gpu + 1].judged() ? gpu + 1 : 0;
    }

    private @Nullable Reason unhealthy(long now, boolean factsOnly, boolean perGpu) {
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
        if (!attributesMatch(figures)) {
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

    private boolean attributesMatch(Reading known) {
        return limits.attributes.isEmpty() || known.attributes().entrySet().containsAll(limits.attributes.entrySet());
    }

    private boolean missing(Measure measure, Told told, long now) {
        return limits.requires(measure) && !current(told, now);
    }

    private boolean judged(Measure measure, Told told, long now) {
        return !limits.ignores(measure) && current(told, now);
    }

    private boolean current(Told told, long now) {
        return told.known() && !tooOld(told.at(), now);
    }

    private boolean tooOld(long at, long now) {
        return !limits.hold && old(at, now);
    }

    private boolean old(long at, long now) {
        return now - at > limits.staleNanos;
    }

    private boolean busy(long now) {
        return busy && busyUntil - now > 0;
    }

    // the reason in words

    /** A reason in words, with the numbers, for a person. */
    public String describe(Reason reason, long now) {
        Reading known = figures;
        return switch (reason) {
            case CORDONED -> "cordoned";
            case EJECTED ->
                String.format(
                        Locale.ROOT,
                        "ejected for another %.1f s%s",
                        ejectedFor(now) / 1e9,
                        because(ejection.lastError()));
            case TRIAL_RUNNING -> "its one trial is running" + because(ejection.lastError());
            case BUSY -> String.format(Locale.ROOT, "said it is full, for another %.1f s", busyFor(now) / 1e9);
            case NO_STATUS -> "no status yet" + because(lastMiss);
            case STALE_STATUS ->
                known == null
                        ? "no status yet"
                        : String.format(
                                Locale.ROOT,
                                "status stale: %.1f s > %.1f s%s",
                                (now - known.at()) / 1e9,
                                limits.staleNanos / 1e9,
                                because(lastMiss));
            case STALE_HELD ->
                known == null
                        ? "no status yet"
                        : String.format(Locale.ROOT, "stale status of %.1f s held", (now - known.at()) / 1e9);
            case NOT_READY -> "not ready";
            case UNKNOWN_MEASURE -> "unknown: " + String.join(", ", unknown(now));
            case GPU_UTIL ->
                level("gpu util", known == null ? Told.NOTHING : known.util(), limits.maxUtil, limits.utilMargin, "");
            case GPU_TEMP ->
                level("gpu temp", known == null ? Told.NOTHING : known.temp(), limits.maxTemp, limits.tempMargin, " C");
            case ATTRIBUTE -> "attributes " + (known == null ? "unknown" : mismatches(known));
            case HEALTH_PREDICATE ->
                known == null || known.objection() == null ? "refused by a health predicate" : known.objection();
            case IN_DOUBT -> "in doubt: own leases moved while it was asked";
            default -> reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    /** A GPU's reason in words, with the numbers. */
    public String describeGpu(Reason reason, GpuReading gpu) {
        return reason == Reason.GPU_UTIL
                ? level("gpu " + gpu.index() + " util", new Told(gpu.util(), 0), limits.maxUtil, limits.utilMargin, "")
                : level(
                        "gpu " + gpu.index() + " temp",
                        new Told(gpu.temp(), 0),
                        limits.maxTemp,
                        limits.tempMargin,
                        " C");
    }

    private static String level(String name, Told told, double limit, double margin, String unit) {
        double value = told.value();
        return value >= limit
                ? String.format(Locale.ROOT, "%s %.0f >= %.0f%s", name, value, limit, unit)
                : String.format(
                        Locale.ROOT,
                        "%s %.0f not yet well below %.0f%s (limit %.0f)",
                        name,
                        value,
                        limit - margin,
                        unit,
                        limit);
    }

    private List<String> unknown(long now) {
        List<String> names = new ArrayList<>();
        Reading known = figures;
        if (known == null || missing(Measure.GPU_UTIL, known.util(), now)) {
            names.add("gpu util");
        }
        if (known == null
                || (limits.requires(Measure.VRAM)
                        && (!known.memory().known() || tooOld(known.memory().at(), now)))) {
            names.add("vram");
        }
        if (known == null || missing(Measure.GPU_TEMP, known.temp(), now)) {
            names.add("gpu temp");
        }
        if (known == null || missing(Measure.RUNNING_JOBS, known.jobs(), now)) {
            names.add("running jobs");
        }
        return names;
    }

    private String mismatches(Reading known) {
        List<String> texts = new ArrayList<>();
        limits.attributes.forEach((key, value) -> {
            String told = known.attributes().get(key);
            if (!value.equals(told)) {
                texts.add(
                        key + " = " + (told == null ? "absent" : "\"" + told + "\"") + " (expected \"" + value + "\")");
            }
        });
        return String.join(", ", texts);
    }

    private static String because(@Nullable String error) {
        return error == null ? "" : " (" + error + ")";
    }

    // changes

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
     * As a status leaves it.
     *
     * @param source who brings it
     * @param asked when it was asked
     * @param saidBefore a worker that said before this moment that it is full is taken at its newer word
     * @param now when it was answered
     * @param status what it says
     * @param own what of it is the router's own load
     * @param doubtful whether it may contain own load that is not taken off
     * @param moved whether own leases moved while it was asked
     * @param objection what a predicate of the host has against it; null when nothing
     */
    public GateState told(
            String source,
            long asked,
            long saidBefore,
            long now,
            SubstrateStatus status,
            SeenLoad own,
            boolean doubtful,
            boolean moved,
            @Nullable String objection) {
        Reading reading = read(source, asked, now, status, own, doubtful, moved, objection);
        List<Reading> all = new ArrayList<>();
        all.add(reading);
        for (Reading earlier : readings) {
            if (earlier.source().equals(source)) {
                all.set(0, reading.filledFrom(earlier));
            } else if (!old(earlier.at(), now) && all.size() < MAX_SOURCES) {
                all.add(earlier);
            }
        }
        Draft next = draft();
        if (figures != null) {
            long passed = now - figures.at();
            next.watchedNanos += passed;
            next.passedNanos += objection(figures.at(), false, false) == null ? Math.min(passed, limits.staleNanos) : 0;
        }
        next.readings = List.copyOf(all);
        Reading merged = Merge.of(next.readings, limits.pollNanos);
        next.figures = merged;
        next.lastMiss = null;
        if (reading.util().known()) {
            next.util = utilJudged(util, merged, now, moved);
        }
        if (reading.temp().known()) {
            next.temp = tempJudged(temp, merged, now);
        }
        if (busy && saidBefore - busySince > 0) {
            next.busy = false;
        }
        return new GateState(next);
    }

    /** As a question without an answer leaves it. */
    public GateState missed(String reason) {
        Draft next = draft();
        next.lastMiss = reason;
        return new GateState(next);
    }

    /** Under other limits; verdicts that they would draw otherwise are drawn anew from the figures at hand. */
    public GateState under(GateLimits newLimits) {
        Draft next = draft();
        next.limits = newLimits;
        if (!newLimits.judgesAs(limits) && figures != null) {
            GateState fresh = new GateState(next);
            Hysteresis[] unjudged = {Hysteresis.UNJUDGED};
            next.util = figures.util().known()
                    ? fresh.utilJudged(unjudged, figures, figures.at(), figures.moved())
                    : unjudged;
            next.temp = figures.temp().known() ? fresh.tempJudged(unjudged, figures, figures.at()) : unjudged;
        }
        return new GateState(next);
    }

    /** Taken out, on behalf of somebody. */
    public GateState cordoned(Object byWhom) {
        Draft next = draft();
        next.cordon = byWhom;
        return new GateState(next);
    }

    /** Put back; with {@code byWhom} only if that one's cordon is still the one in force. */
    public GateState uncordoned(@Nullable Object byWhom) {
        if (cordon == null || (byWhom != null && cordon != byWhom)) {
            return this;
        }
        Draft next = draft();
        next.cordon = null;
        next.ejection = ejection.skipRamp();
        return new GateState(next);
    }

    /** With an ejection ended and everything about faults forgotten. */
    public GateState reset(String substrateId) {
        Draft next = draft();
        next.ejection = ejection.reset();
        next.busy = false;
        if (ejection.phase() != EjectionState.Phase.IN) {
            next.tell(new RouterEvent.Returned(substrateId, true));
        }
        return new GateState(next);
    }

    /** As time has left it, with the event of a trial that stayed silent. */
    @SuppressWarnings("ReferenceEquality") // an unchanged value is handed on as it is
    public GateState at(String substrateId, long now) {
        EjectionState state = ejection.at(now, limits, seed);
        if (state == ejection) {
            return this;
        }
        Draft next = draft();
        next.eject(substrateId, ejection, state);
        return new GateState(next);
    }

    /**
     * With the one trial given to a lease.
     *
     * @param atLeastNanos how long the trial may take, if that is longer than the limit says
     */
    public GateState trialTaken(String substrateId, long now, long atLeastNanos) {
        Draft next = draft();
        next.ejection = ejection.at(now, limits, seed).trial(now, Math.max(limits.trialNanos, atLeastNanos));
        next.tell(new RouterEvent.TrialStarted(substrateId));
        return new GateState(next);
    }

    /** As the end of a lease leaves it. */
    @SuppressWarnings("ReferenceEquality") // an unchanged value is handed on as it is
    public GateState ended(String substrateId, int leaseEpoch, boolean trial, End end, long now) {
        EjectionState before = ejection.at(now, limits, seed);
        EjectionState after =
                switch (end.kind()) {
                    case SUCCESS -> before.success(leaseEpoch, trial, now);
                    case FAULT -> before.fault(leaseEpoch, trial, now, limits, seed, end.error());
                    case NOTHING, BUSY -> before.trialWithdrawn(leaseEpoch, trial);
                };
        boolean nowBusy = end.kind() == End.Kind.BUSY;
        if (after == ejection && !nowBusy) {
            return this;
        }
        Draft next = draft();
        if (nowBusy) {
            next.busy = true;
            next.busySince = now;
            next.busyUntil = busy(now) && busyUntil - (now + end.busyNanos()) > 0 ? busyUntil : now + end.busyNanos();
        }
        next.eject(substrateId, ejection, before);
        next.eject(substrateId, before, after);
        return new GateState(next);
    }

    /** The events that are not told yet, the newest first; null when all are told. */
    public @Nullable Events events() {
        return events;
    }

    /** With all events told. */
    public GateState eventsTold() {
        Draft next = draft();
        next.events = null;
        return new GateState(next);
    }

    /**
     * How a lease ended, as far as health is concerned.
     *
     * @param kind what it says of the substrate
     * @param error the failure in words; empty when there was none
     * @param busyNanos for how long the worker said it is full
     */
    public record End(Kind kind, String error, long busyNanos) {
        /** What it says of the substrate. */
        public enum Kind {
            /** It works. */
            SUCCESS,
            /** It failed. */
            FAULT,
            /** It is full. */
            BUSY,
            /** Nothing. */
            NOTHING
        }

        public static final End SUCCEEDED = new End(Kind.SUCCESS, "", 0);
        public static final End NEUTRAL = new End(Kind.NOTHING, "", 0);

        /** The end that a kind of fault means. */
        public static End of(FaultKind kind, String error, long busyNanos) {
            return switch (kind) {
                case NODE, NODE_NOT_STARTED -> new End(Kind.FAULT, error, 0);
                case BUSY -> new End(Kind.BUSY, error, busyNanos);
                case NEUTRAL, REQUEST -> NEUTRAL;
            };
        }
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

    private Reading read(
            String source,
            long asked,
            long now,
            SubstrateStatus status,
            SeenLoad own,
            boolean doubtful,
            boolean moved,
            @Nullable String objection) {
        Told jobs = status.runningJobs().isEmpty()
                ? Told.NOTHING
                : new Told(
                        Math.max(
                                0,
                                Math.min(
                                        Integer.MAX_VALUE / 2,
                                        (long) status.runningJobs().getAsInt()
                                                + status.queuedJobs().orElse(0)
                                                - own.jobs())),
                        now);
        int cards = status.gpus().size();
        return new Reading(
                source,
                asked,
                now,
                status,
                status.reachable(),
                jobs,
                new Told(
                        foreignUtil(status.gpuUtilPct(), status.gpuUtilOtherPct(), limits.utilPerJob * own.jobs()),
                        now),
                new Told(status.gpuUtilPct().orElse(Double.NaN), now),
                new Told(status.gpuTempC().orElse(Double.NaN), now),
                memory(status, own, now),
                cards < 2 ? Reading.NO_GPUS : cards(status, own),
                now,
                status.loadedModels().orElse(null),
                now,
                status.attributes(),
                doubtful,
                moved,
                objection);
    }

    private static double foreignUtil(OptionalDouble whole, OptionalDouble other, double own) {
        if (other.isPresent()) {
            return other.getAsDouble();
        }
        return whole.isPresent() ? Math.max(0, whole.getAsDouble() - own) : Double.NaN;
    }

    private static Memory memory(SubstrateStatus status, SeenLoad own, long now) {
        if (status.vramUsedGb().isEmpty() || status.vramTotalGb().isEmpty()) {
            return Memory.NOTHING;
        }
        long used = Vram.taken(status.vramUsedGb().getAsDouble());
        return new Memory(
                Math.max(0, used - own.mib()),
                used,
                Vram.there(status.vramTotalGb().getAsDouble()),
                now);
    }

    private List<GpuReading> cards(SubstrateStatus status, SeenLoad own) {
        int count = status.gpus().size();
        List<GpuReading> cards = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            GpuStatus gpu = status.gpus().get(at);
            boolean memory = gpu.vramUsedGb().isPresent() && gpu.vramTotalGb().isPresent();
            long used = memory ? Vram.taken(gpu.vramUsedGb().getAsDouble()) : -1;
            double share = Math.min(100, limits.utilPerJob * count) * own.jobs(at);
            double util = foreignUtil(gpu.utilPct(), OptionalDouble.empty(), share);
            if (status.gpuUtilOtherPct().isPresent()) {
                util = Math.min(
                        gpu.utilPct().orElse(100), status.gpuUtilOtherPct().getAsDouble() * count);
            }
            cards.add(new GpuReading(
                    gpu.index(),
                    util,
                    gpu.tempC().orElse(Double.NaN),
                    memory ? Math.max(0, used - own.mib(at, count)) : -1,
                    memory ? Vram.there(gpu.vramTotalGb().getAsDouble()) : -1));
        }
        return List.copyOf(cards);
    }

    private Draft draft() {
        Draft draft = new Draft();
        draft.limits = limits;
        draft.seed = seed;
        draft.readings = readings;
        draft.figures = figures;
        draft.util = util;
        draft.temp = temp;
        draft.ejection = ejection;
        draft.cordon = cordon;
        draft.busyUntil = busyUntil;
        draft.busySince = busySince;
        draft.busy = busy;
        draft.lastMiss = lastMiss;
        draft.watchedNanos = watchedNanos;
        draft.passedNanos = passedNanos;
        draft.events = events;
        return draft;
    }

    /** The next state while it is put together. */
    private static final class Draft {
        @SuppressWarnings("NullAway.Init") // set by both who make one
        GateLimits limits;

        long seed;
        List<Reading> readings = List.of();

        @Nullable
        Reading figures;

        Hysteresis[] util = {Hysteresis.UNJUDGED};
        Hysteresis[] temp = {Hysteresis.UNJUDGED};
        EjectionState ejection = EjectionState.INITIAL;

        @Nullable
        Object cordon;

        long busyUntil;
        long busySince;
        boolean busy;

        @Nullable
        String lastMiss;

        long watchedNanos;
        long passedNanos;

        @Nullable
        Events events;

        void tell(RouterEvent event) {
            events = new Events(events, event);
        }

        /** Takes over a changed ejection and leaves the event that goes with it. */
        void eject(String substrateId, EjectionState before, EjectionState after) {
            ejection = after;
            if (after.epoch() != before.epoch() && after.phase() == EjectionState.Phase.OUT) {
                tell(ejectedEvent(substrateId, before, after));
            } else if (before.phase() == EjectionState.Phase.TRIAL && after.phase() == EjectionState.Phase.RAMP) {
                tell(new RouterEvent.Returned(substrateId, false));
            }
        }

        private RouterEvent ejectedEvent(String substrateId, EjectionState before, EjectionState after) {
            Duration window = Duration.ofNanos(after.until() - after.since());
            Optional<String> error = Optional.ofNullable(after.lastError());
            if (before.phase() == EjectionState.Phase.TRIAL) {
                boolean silent = error.isEmpty();
                return new RouterEvent.Ejected(
                        substrateId, silent ? "trial stayed silent" : "trial failed", 1, 1, window, error);
            }
            int inRow = before.consecutive() + 1;
            if (inRow >= limits.consecutiveFaults) {
                return new RouterEvent.Ejected(
                        substrateId, "consecutive faults", inRow, limits.consecutiveFaults, window, error);
            }
            int counted = EjectionState.faultsOfLast(before.history() << 1 | 1, limits);
            return new RouterEvent.Ejected(
                    substrateId, "faults of the last " + limits.ofLast, counted, limits.faults, window, error);
        }
    }
}
