package dev.substraterouter.testkit;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.util.Set;

/**
 * What a status is made of.
 *
 * @param utilPct utilisation by others, percent
 * @param tempC temperature, °C
 * @param usedShare the share of the memory that is used, 0 to 1
 * @param jobs jobs that run
 * @param reachable whether it can be reached
 * @param attributes whether it has the attributes that its limits require
 */
record Figures(double utilPct, double tempC, double usedShare, int jobs, boolean reachable, boolean attributes) {
    /** What somebody has of whom the policy does not say it, GiB. */
    private static final double UNSAID_GB = 24;

    /** The limits of a substrate's gate. */
    static Figures limits(Policy policy, Substrate substrate) {
        HealthLimits limits = health(policy, substrate);
        return new Figures(limits.maxGpuUtilPct(), limits.maxGpuTempC(), 0, 0, true, true);
    }

    /** The limits less their margins. */
    static Figures healthyAgainBelow(Policy policy, Substrate substrate) {
        HealthLimits limits = health(policy, substrate);
        return new Figures(
                Math.min(100, limits.maxGpuUtilPct() - limits.gpuUtilMarginPct()),
                limits.maxGpuTempC() - limits.gpuTempMarginC(),
                0,
                0,
                true,
                true);
    }

    private static HealthLimits health(Policy policy, Substrate substrate) {
        return substrate.health().map(own -> own.over(policy.health())).orElse(policy.health());
    }

    Figures util(double value) {
        return new Figures(value, tempC, usedShare, jobs, reachable, attributes);
    }

    Figures temp(double value) {
        return new Figures(utilPct, value, usedShare, jobs, reachable, attributes);
    }

    Figures used(double value) {
        return new Figures(utilPct, tempC, value, jobs, reachable, attributes);
    }

    Figures jobs(int value) {
        return new Figures(utilPct, tempC, usedShare, value, reachable, attributes);
    }

    Figures unreachable() {
        return new Figures(utilPct, tempC, usedShare, jobs, false, attributes);
    }

    Figures withoutAttributes() {
        return new Figures(utilPct, tempC, usedShare, jobs, reachable, false);
    }

    /** The status in which a substrate says all this but what is unknown, each GPU for itself or in sums. */
    SubstrateStatus status(Policy policy, Substrate substrate, boolean eachGpu, Set<Measure> unknown) {
        double totalGb = substrate.vramGb().orElse(UNSAID_GB);
        SubstrateStatus.Builder status = SubstrateStatus.builder().reachable(reachable);
        if (!unknown.contains(Measure.RUNNING_JOBS)) {
            status.runningJobs(jobs).queuedJobs(0);
        }
        if (attributes) {
            health(policy, substrate).requireAttributes().forEach(status::attribute);
        }
        if (eachGpu && substrate.gpus() > 1) {
            for (int index = 0; index < substrate.gpus(); index++) {
                status.gpu(gpu(index, totalGb / substrate.gpus(), unknown));
            }
            return status.build();
        }
        if (!unknown.contains(Measure.GPU_UTIL)) {
            status.gpuUtilPct(utilPct);
        }
        if (!unknown.contains(Measure.GPU_TEMP)) {
            status.gpuTempC(tempC);
        }
        if (!unknown.contains(Measure.VRAM)) {
            status.vramUsedGb(usedShare * totalGb).vramTotalGb(totalGb);
        }
        return status.build();
    }

    private GpuStatus gpu(int index, double totalGb, Set<Measure> unknown) {
        GpuStatus.Builder gpu = GpuStatus.builder(index);
        if (!unknown.contains(Measure.GPU_UTIL)) {
            gpu.utilPct(utilPct);
        }
        if (!unknown.contains(Measure.GPU_TEMP)) {
            gpu.tempC(tempC);
        }
        if (!unknown.contains(Measure.VRAM)) {
            gpu.vramUsedGb(usedShare * totalGb).vramTotalGb(totalGb);
        }
        return gpu.build();
    }
}
