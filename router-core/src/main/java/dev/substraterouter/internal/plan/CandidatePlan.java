package dev.substraterouter.internal.plan;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Workload;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One candidate of one workload under one revision, as plain numbers. Immutable. */
public final class CandidatePlan {
    /** In {@link #needMib}: memory is not judged. */
    public static final long NOT_JUDGED = -1;
    /** In {@link #latencyNanos}: the policy does not say. */
    public static final long UNKNOWN = -1;

    private static final double NANOS_PER_HOUR = 3.6e12;

    public final SubstratePlan substrate;
    public final Candidate declared;
    /** The place in the workload's order, from 0. */
    public final int position;
    /** What stays resident: the model where it is named, else this workload here. Survives reloads. */
    public final String residentKey;

    public final @Nullable String model;
    public final @Nullable URI endpoint;
    public final long needMib;
    /** What is needed when the model is resident and idle. */
    public final long residentNeedMib;

    public final boolean spansGpus;
    /** Judged by slots and memory only. */
    public final boolean factsOnly;
    /** Could never hold the job. */
    public final boolean tooSmall;

    public final long latencyNanos;
    public final long loadNanos;
    /** In what way it is always less than the primary. */
    public final Set<DegradedReason> degraded;

    CandidatePlan(
            Workload workload,
            int position,
            SubstratePlan substrate,
            Candidate declared,
            Candidate primary,
            boolean factsOnly) {
        this.substrate = substrate;
        this.declared = declared;
        this.position = position;
        this.model = declared.model().orElse(null);
        this.residentKey = model != null ? modelKey(model) : "workload " + workload.name();
        this.endpoint = declared.endpoint().or(substrate.declared::endpoint).orElse(null);
        OptionalDouble whole = declared.vramGb().isPresent() ? declared.vramGb() : workload.vramGb();
        boolean judged = whole.isPresent() && substrate.totalMib != SubstratePlan.UNKNOWN;
        this.needMib = judged ? Vram.taken(whole.getAsDouble()) : NOT_JUDGED;
        this.residentNeedMib = judged && declared.jobVramGb().isPresent()
                ? Vram.taken(declared.jobVramGb().getAsDouble())
                : needMib;
        this.spansGpus = declared.spansGpus();
        this.factsOnly = factsOnly;
        this.tooSmall = judged && needMib > substrate.mostMib(spansGpus);
        this.latencyNanos = declared.expectedLatency().map(CandidatePlan::nanos).orElse(UNKNOWN);
        this.loadNanos = nanos(declared.loadTime());
        this.degraded = position == 0 ? Set.of() : degraded(declared, primary);
    }

    /** The resident key of a model. */
    public static String modelKey(String model) {
        return "model " + model;
    }

    private static Set<DegradedReason> degraded(Candidate candidate, Candidate primary) {
        EnumSet<DegradedReason> reasons = EnumSet.of(DegradedReason.NOT_PRIMARY);
        Optional<Duration> best = primary.expectedLatency();
        Optional<Duration> own = candidate.expectedLatency();
        if (best.isPresent() && own.isPresent() && own.get().compareTo(best.get()) > 0) {
            reasons.add(DegradedReason.SLOWER);
        }
        if (primary.quality().isPresent()
                && candidate.quality().isPresent()
                && candidate.quality().getAsDouble() < primary.quality().getAsDouble()) {
            reasons.add(DegradedReason.LOWER_QUALITY);
        }
        return Set.copyOf(reasons);
    }

    /** What the compute of a job that takes so long costs by declared figures; empty when they are not declared. */
    public OptionalDouble computeCost(long nanos) {
        if (declared.costPerJob().isPresent()) {
            return declared.costPerJob();
        }
        OptionalDouble hour = substrate.declared.costPerHour();
        return hour.isPresent() ? OptionalDouble.of(hour.getAsDouble() * nanos / NANOS_PER_HOUR) : hour;
    }

    /** A duration of a checked policy in nanoseconds; a policy's durations are at most a year. */
    static long nanos(Duration duration) {
        return duration.toNanos();
    }

    @Override
    public String toString() {
        return substrate.id + "#" + position;
    }
}
