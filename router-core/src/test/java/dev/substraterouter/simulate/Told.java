package dev.substraterouter.simulate;

import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one router was told of one substrate, and what follows from it by the specification: the load of others, and whether the gate is
 * open. Not thread-safe.
 */
final class Told {
    private static final long SLACK_NANOS = 100_000_000;

    private final Noise util = new Noise();
    private final Noise temp = new Noise();
    /** By a poll, and with a refusal. */
    private @Nullable Reading polled;

    private @Nullable Reading carried;
    private boolean unsure;

    /** One status, as it came. */
    record Delivery(SubstrateStatus status, long askedNanos, long atNanos, boolean carried) {}

    private record Reading(Delivery delivery, long jobs, double util, long leastMib, long mostMib) {
        long at() {
            return delivery.atNanos;
        }
    }

    /**
     * A status has been taken in.
     *
     * @param holds the router's leases there that are open, those left out that began after it was told
     * @param moved whether a lease began or ended while it was asked
     * @param unclear whether the order of what happened at this moment is not known
     */
    void take(Delivery it, Policy policy, Substrate substrate, List<Hold> holds, boolean moved, boolean unclear) {
        Reading earlier = it.carried ? carried : polled;
        if (earlier != null && earlier.delivery.askedNanos > it.askedNanos) {
            return;
        }
        long since = it.askedNanos - SLACK_NANOS;
        int seenJobs = 0;
        long leastSeen = 0;
        long mostSeen = 0;
        for (Hold hold : holds) {
            boolean seen = hold.startNanos <= since;
            seenJobs += seen ? 1 : 0;
            hold.seen = seen && since - hold.startNanos >= hold.loadNanos;
            leastSeen += hold.seen ? hold.leastMib : 0;
            mostSeen += hold.seen ? hold.mostMib : 0;
        }
        SubstrateStatus status = it.status;
        long used = Vram.taken(status.vramUsedGb().orElse(0));
        Reading reading = new Reading(
                it,
                Math.max(0, status.runningJobs().orElse(0) + status.queuedJobs().orElse(0) - seenJobs),
                status.gpuUtilOtherPct()
                        .orElse(Math.max(0, status.gpuUtilPct().orElse(0) - substrate.utilPerJobPct() * seenJobs)),
                Math.max(0, used - mostSeen),
                Math.max(0, used - leastSeen));
        if (it.carried) {
            carried = reading;
        } else {
            polled = reading;
        }
        HealthLimits limits = limits(policy, substrate);
        double utilNow = reading.util;
        double tempNow = status.gpuTempC().orElse(0);
        Reading other = it.carried ? polled : carried;
        if (other != null && it.atNanos - other.at() <= policy.poll().every().toNanos()) {
            utilNow = Math.max(utilNow, other.util);
            tempNow = Math.max(tempNow, other.delivery.status.gpuTempC().orElse(0));
        }
        unsure |= unclear && utilNow >= limits.maxGpuUtilPct();
        util.told(utilNow, limits.maxGpuUtilPct(), limits.gpuUtilMarginPct(), limits, it.atNanos, moved);
        temp.told(tempNow, limits.maxGpuTempC(), limits.gpuTempMarginC(), limits, it.atNanos, false);
    }

    static HealthLimits limits(Policy policy, Substrate substrate) {
        return substrate.health().map(own -> own.over(policy.health())).orElse(policy.health());
    }

    boolean anything() {
        return newest() != null;
    }

    private @Nullable Reading newest() {
        if (polled == null || carried == null) {
            return polled == null ? carried : polled;
        }
        return polled.at() >= carried.at() ? polled : carried;
    }

    private @Nullable Reading usable(Policy policy, Substrate substrate, long now) {
        Reading newest = newest();
        HealthLimits limits = limits(policy, substrate);
        boolean current = newest != null
                && (limits.onStale() == OnStale.HOLD
                        || now - newest.at() <= limits.staleAfter().toNanos());
        return current ? newest : null;
    }

    /** What speaks against placing anything there by the newest status, slots and memory apart; null: nothing does. */
    @Nullable
    String objection(Policy policy, Substrate substrate, boolean factsOnly, long now) {
        HealthLimits limits = limits(policy, substrate);
        boolean required = !limits.requiredOn(substrate).isEmpty();
        Reading newest = newest();
        if (newest == null) {
            return required ? "no status" : null;
        }
        if (usable(policy, substrate, now) == null) {
            return required ? "status " + (now - newest.at()) / 1e9 + " s old > " + limits.staleAfter() : null;
        }
        if (!newest.delivery.status.reachable()) {
            return "not ready";
        }
        if (factsOnly || unsure) {
            return null;
        }
        if (util.degraded() && !limits.ignore().contains(Measure.GPU_UTIL)) {
            return "gpu util of others " + newest.util + " %, limit " + limits.maxGpuUtilPct();
        }
        boolean hot = temp.degraded() && !limits.ignore().contains(Measure.GPU_TEMP);
        return hot ? "temperature " + newest.delivery.status.gpuTempC() + ", limit " + limits.maxGpuTempC() : null;
    }

    /** Whether it is certain that the gate is open. */
    boolean surelyOpen(Policy policy, Substrate substrate, long now) {
        return !unsure && newest() != null && objection(policy, substrate, false, now) == null;
    }

    /** Jobs of others, by the newest status. */
    long foreignJobs(Policy policy, Substrate substrate, long now) {
        return merged(policy, substrate, now, reading -> reading.jobs);
    }

    /** Memory of others, MiB, at the least that it can be. */
    long leastForeignMib(Policy policy, Substrate substrate, long now) {
        return merged(policy, substrate, now, reading -> reading.leastMib);
    }

    /** Memory of others, MiB, at the most that it can be. */
    long mostForeignMib(Policy policy, Substrate substrate, long now) {
        return merged(policy, substrate, now, reading -> reading.mostMib);
    }

    private long merged(Policy policy, Substrate substrate, long now, java.util.function.ToLongFunction<Reading> what) {
        Reading newest = usable(policy, substrate, now);
        if (newest == null) {
            return 0;
        }
        long figure = what.applyAsLong(newest);
        Reading other = newest.delivery.carried ? polled : carried;
        if (other != null && newest.at() - other.at() <= policy.poll().every().toNanos()) {
            figure = Math.max(figure, what.applyAsLong(other));
        }
        return figure;
    }

    /** Memory in all, MiB: the smaller of what the policy and the newest status say. */
    long totalMib(Policy policy, Substrate substrate, long now) {
        long declared = Vram.there(substrate.vramGb().orElse(0));
        Reading newest = usable(policy, substrate, now);
        return newest == null || newest.delivery.status.vramTotalGb().isEmpty()
                ? declared
                : Math.min(
                        declared,
                        Vram.there(newest.delivery.status.vramTotalGb().getAsDouble()));
    }

    /** When it was asked for what is known by polls; the least there is: never. */
    long polledAsked() {
        return polled == null ? Long.MIN_VALUE : polled.delivery.askedNanos;
    }
}
