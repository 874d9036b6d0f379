package dev.substraterouter.internal.plan;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One candidate of one workload, or of a need, under one revision, as plain numbers. Immutable. */
public final class CandidatePlan {
    /** In {@link #needMib}: memory is not judged. */
    public static final long NOT_JUDGED = -1;
    /** In {@link #latencyNanos}: the policy does not say. */
    public static final long UNKNOWN = -1;
    /** In {@link #experience}: nothing is learned of it. */
    public static final int NO_EXPERIENCE = -1;

    /** For figures by the hour. */
    public static final double NANOS_PER_HOUR = 3.6e12;

    public final SubstratePlan substrate;
    public final Candidate declared;
    /** The place in the order in which candidates are written, or matched, from 0. */
    public final int position;
    /** Whether it is the one that should serve: the first that is written, or any that is matched, but no overflow. */
    public final boolean primary;
    /** Whether it is the batch path. */
    public final boolean batch;
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

    public final long latencyNanos;
    public final long loadNanos;
    /** Declared figures; NaN where not declared. */
    public final double quality;

    public final double reviewRate;
    private final double costPerJob;
    /** The least share of the watched time in which the substrate must have passed its gate. */
    public final double minAvailability;
    /** The memory that would stay free if it were alone there, MiB; {@link Long#MAX_VALUE} when not known. */
    public final long spareMib;
    /** Its place in the book of latencies, or {@link #NO_EXPERIENCE}. */
    public final int experience;
    /** In what way it is always less than the primary. */
    public final Set<DegradedReason> degraded;
    /** What rules it out for good; empty: it may serve. */
    public final List<Finding> never;
    /** The first of {@link #never}; null: it may serve. */
    public final @Nullable Reason unusable;

    CandidatePlan(
            RouteSpec spec,
            SubstratePlan substrate,
            Figures figures,
            Standing standing,
            int experience,
            @Nullable RoleSet roles) {
        this.substrate = substrate;
        this.declared = figures.declared() == null ? substrate.plain : figures.declared();
        this.position = standing.position();
        this.primary = standing.primary();
        this.batch = standing.batch();
        this.experience = experience;
        this.model = figures.model();
        this.residentKey = figures.residentKey();
        this.endpoint = figures.endpoint() == null ? substrate.endpoint : figures.endpoint();
        boolean judged = figures.needMib() != NOT_JUDGED && substrate.totalMib != SubstratePlan.UNKNOWN;
        this.needMib = judged ? figures.needMib() : NOT_JUDGED;
        this.residentNeedMib = judged ? figures.residentNeedMib() : NOT_JUDGED;
        this.spansGpus = figures.spansGpus();
        this.factsOnly = spec.factsOnly();
        this.latencyNanos = figures.latencyNanos();
        this.loadNanos = figures.loadNanos();
        this.quality = figures.quality();
        this.reviewRate = figures.reviewRate();
        this.costPerJob = figures.costPerJob();
        this.minAvailability = spec.contract().minAvailability;
        this.spareMib = judged ? substrate.mostMib(spansGpus) - needMib : Long.MAX_VALUE;
        this.degraded = degraded(standing);
        this.never = ContractCheck.test(spec.contract(), this, roles);
        this.unusable = never.isEmpty() ? null : never.get(0).reason();
    }

    /**
     * Where a candidate stands among the others.
     *
     * @param position its place, from 0
     * @param primary whether it is the one that should serve
     * @param batch whether it is the batch path
     * @param best the one that should serve, to which it is compared; null: itself, or none in particular
     */
    record Standing(
            int position,
            boolean primary,
            boolean batch,
            @Nullable Candidate best) {}

    /**
     * What is declared of a candidate, as plain numbers: of one that is matched it is the same on every substrate.
     *
     * @param declared the declaration; null: the substrate's own, of which nothing else is said
     */
    record Figures(
            @Nullable Candidate declared,
            @Nullable String model,
            String residentKey,
            @Nullable URI endpoint,
            long needMib,
            long residentNeedMib,
            boolean spansGpus,
            long latencyNanos,
            long loadNanos,
            double quality,
            double reviewRate,
            double costPerJob) {
        static Figures of(RouteSpec spec, Candidate declared) {
            String model = declared.model().orElse(null);
            OptionalDouble whole = declared.vramGb().isPresent() ? declared.vramGb() : spec.vramGb();
            long need = whole.isPresent() ? Vram.taken(whole.getAsDouble()) : NOT_JUDGED;
            OptionalDouble job = declared.jobVramGb();
            return new Figures(
                    declared,
                    model,
                    model != null ? modelKey(model) : spec.contract().residentKey,
                    declared.endpoint().orElse(null),
                    need,
                    whole.isPresent() && job.isPresent() ? Vram.taken(job.getAsDouble()) : need,
                    declared.spansGpus(),
                    declared.expectedLatency().map(CandidatePlan::nanos).orElse(UNKNOWN),
                    nanos(declared.loadTime()),
                    declared.quality().orElse(Double.NaN),
                    declared.reviewRate().orElse(Double.NaN),
                    declared.costPerJob().orElse(Double.NaN));
        }

        /** Of a candidate that nobody has written: what the need says. */
        static Figures matched(RouteSpec spec) {
            long need = spec.vramGb().isPresent() ? Vram.taken(spec.vramGb().getAsDouble()) : NOT_JUDGED;
            long takes =
                    spec.contract().need.duration().map(CandidatePlan::nanos).orElse(UNKNOWN);
            return new Figures(
                    null,
                    null,
                    spec.contract().residentKey,
                    null,
                    need,
                    need,
                    spec.spansGpus(),
                    takes,
                    0,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN);
        }
    }

    /** The resident key of a model. */
    public static String modelKey(String model) {
        return "model " + model;
    }

    private Set<DegradedReason> degraded(Standing standing) {
        if (primary) {
            return Set.of();
        }
        EnumSet<DegradedReason> reasons = EnumSet.of(batch ? DegradedReason.BATCH : DegradedReason.NOT_PRIMARY);
        Candidate best = standing.best();
        if (best != null) {
            compare(best, reasons);
        }
        return Set.copyOf(reasons);
    }

    private void compare(Candidate best, Set<DegradedReason> reasons) {
        Optional<Duration> fastest = best.expectedLatency();
        if (fastest.isPresent() && latencyNanos > nanos(fastest.get())) {
            reasons.add(DegradedReason.SLOWER);
        }
        if (quality < best.quality().orElse(Double.NaN)) {
            reasons.add(DegradedReason.LOWER_QUALITY);
        }
    }

    /** What the compute of a job that takes so long costs by declared figures; empty when they are not declared. */
    public OptionalDouble computeCost(long nanos) {
        double cost = compute(nanos);
        return Double.isNaN(cost) ? OptionalDouble.empty() : OptionalDouble.of(cost);
    }

    /** What one job costs, without waiting and the owner's disturbance, by declared figures; NaN when one of them is not declared. */
    double declaredCost(Contract contract) {
        return outcomeCost(contract, latencyNanos);
    }

    /** As {@link #declaredCost}, for a job that takes so long; -1: not known. */
    double outcomeCost(Contract contract, long nanos) {
        double review = contract.reviewCost == 0 ? 0 : reviewRate * contract.reviewCost;
        double error = contract.errorCost == 0 ? 0 : (1 - quality) * contract.errorCost;
        return compute(nanos) + review + error;
    }

    private double compute(long nanos) {
        if (!Double.isNaN(costPerJob)) {
            return costPerJob;
        }
        return nanos < 0 ? Double.NaN : substrate.costPerHour * nanos / NANOS_PER_HOUR;
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
