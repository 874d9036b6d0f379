package dev.substraterouter.verify;

import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Something that a substrate may say of itself, at the edge of what two policies think of it.
 *
 * @param status what it says
 * @param standing the same for people
 */
record Probe(SubstrateStatus status, Standing standing) {
    private static final double MOST_PCT = 100;

    /** Statuses at each limit of health that is another in the one policy than in the other. */
    static List<Probe> between(Stage before, Substrate old, Stage after, Substrate now) {
        HealthLimits was = before.limits(old);
        HealthLimits is = after.limits(now);
        List<Probe> probes = new ArrayList<>();
        for (double util : differing(was.maxGpuUtilPct(), is.maxGpuUtilPct())) {
            if (util <= MOST_PCT) {
                add(probes, after, now, Reason.GPU_UTIL, "gpu util " + util, status -> status.gpuUtilPct(util));
            }
        }
        for (double temp : differing(was.maxGpuTempC(), is.maxGpuTempC())) {
            add(probes, after, now, Reason.GPU_TEMP, "gpu temp " + temp, status -> status.gpuTempC(temp));
        }
        for (double jobs : differing(slots(old), slots(now))) {
            add(
                    probes,
                    after,
                    now,
                    Reason.RUNNING_JOBS,
                    "jobs of others " + (int) jobs,
                    status -> status.runningJobs((int) jobs));
        }
        for (double jobs : differing(slots(old) - old.reserveForHigh(), slots(now) - now.reserveForHigh())) {
            add(
                    probes,
                    after,
                    now,
                    Reason.RESERVED_FOR_HIGH,
                    "jobs of others " + (int) jobs,
                    status -> status.runningJobs((int) jobs));
        }
        if (!was.requireAttributes().equals(is.requireAttributes())) {
            probes.add(new Probe(
                    before.idle(old).build(), Standing.of(Reason.ATTRIBUTE, "attributes as required before")));
        }
        return probes;
    }

    private static void add(
            List<Probe> to,
            Stage stage,
            Substrate substrate,
            Reason reason,
            String words,
            UnaryOperator<SubstrateStatus.Builder> change) {
        to.add(new Probe(change.apply(stage.idle(substrate)).build(), Standing.of(reason, words)));
    }

    /** The lower of two limits that differ: what is at it passes only the higher. */
    private static double[] differing(double old, double now) {
        return old == now || Math.min(old, now) < 0 ? new double[0] : new double[] {Math.min(old, now)};
    }

    private static double slots(Substrate substrate) {
        return substrate.maxConcurrentJobs().orElse(-1);
    }
}
