package dev.substraterouter.status;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The four measures as plain predicates over one status, without margins and without the router's own counts: for dashboards, for tests,
 * and to build a host's own predicates from. The router itself judges by the split measures and with hysteresis.
 */
public final class HealthPredicates {
    /** Utilisation is known and below the limit. */
    public static final HealthPredicate GPU_UTIL =
            (status, context) -> below("gpu util", foreignOrWhole(status), context.maxGpuUtilPct());

    /** Free memory is known and at least what is needed. */
    public static final HealthPredicate VRAM = (status, context) -> {
        if (status.vramUsedGb().isEmpty() || status.vramTotalGb().isEmpty()) {
            return Verdict.fail("vram unknown");
        }
        double free = status.vramTotalGb().getAsDouble() - status.vramUsedGb().getAsDouble();
        return free >= context.neededVramGb()
                ? Verdict.pass()
                : Verdict.fail(String.format(Locale.ROOT, "vram free %.1f < %.1f GB", free, context.neededVramGb()));
    };

    /** Temperature is known and below the limit. */
    public static final HealthPredicate GPU_TEMP =
            (status, context) -> below("gpu temp", status.gpuTempC(), context.maxGpuTempC());

    /** Jobs are known, and running and queued ones together are fewer than the limit. */
    public static final HealthPredicate RUNNING_JOBS = (status, context) -> {
        if (status.runningJobs().isEmpty()) {
            return Verdict.fail("running jobs unknown");
        }
        long jobs = (long) status.runningJobs().getAsInt() + status.queuedJobs().orElse(0);
        return jobs < context.maxConcurrentJobs()
                ? Verdict.pass()
                : Verdict.fail("jobs " + jobs + "/" + context.maxConcurrentJobs());
    };

    private HealthPredicates() {}

    private static OptionalDouble foreignOrWhole(SubstrateStatus status) {
        return status.gpuUtilOtherPct().isPresent() ? status.gpuUtilOtherPct() : status.gpuUtilPct();
    }

    private static Verdict below(String name, OptionalDouble value, double limit) {
        if (value.isEmpty()) {
            return Verdict.fail(name + " unknown");
        }
        return value.getAsDouble() < limit
                ? Verdict.pass()
                : Verdict.fail(String.format(Locale.ROOT, "%s %.0f >= %.0f", name, value.getAsDouble(), limit));
    }
}
