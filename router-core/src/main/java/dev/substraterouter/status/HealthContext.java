package dev.substraterouter.status;

import java.util.Objects;

/**
 * What a predicate may know beside the status it judges.
 *
 * @param substrateId the substrate's id in the policy
 * @param maxGpuUtilPct healthy while the utilisation is below, percent
 * @param maxGpuTempC healthy while the temperature is below, °C
 * @param maxConcurrentJobs healthy while fewer jobs run; {@link Integer#MAX_VALUE} when the policy sets no limit
 * @param neededVramGb the free memory that a job needs, GiB; the router asks per substrate and gives 0
 * @param ownJobs the router's own open leases there
 */
public record HealthContext(
        String substrateId,
        double maxGpuUtilPct,
        double maxGpuTempC,
        int maxConcurrentJobs,
        double neededVramGb,
        int ownJobs) {
    /** Checks that the id is there. */
    public HealthContext {
        Objects.requireNonNull(substrateId, "substrateId");
    }
}
