package dev.substraterouter.internal.gate;

import dev.substraterouter.model.Measure;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import java.util.Map;
import java.util.Set;

/** The limits by which one substrate is judged under one revision, as plain numbers. Immutable. */
public final class GateLimits {
    public final double maxUtil;
    public final double utilMargin;
    public final double maxTemp;
    public final double tempMargin;
    public final double utilPerJob;
    public final int degradedAfter;
    public final int healthyAfter;
    public final long recoveryNanos;
    public final long staleNanos;
    public final boolean hold;
    public final long pollNanos;
    /** How far apart two answers of one source may be: its polls keep their interval give or take a little, and an answer takes a while. */
    final long turnNanos;

    public final Map<String, String> attributes;
    final Names names;
    public final int consecutiveFaults;
    public final int faults;
    public final int ofLast;
    public final long windowNanos;
    public final long maxWindowNanos;
    public final long trialNanos;
    public final long rampNanos;
    public final long forgetNanos;
    private final boolean[] required = new boolean[Measure.values().length];
    private final boolean[] ignored = new boolean[Measure.values().length];
    private final boolean anyRequired;
    private final HealthLimits health;

    /** The limits of one substrate of a policy. */
    public GateLimits(Policy policy, Substrate substrate) {
        HealthLimits own = substrate.health().orElse(null);
        health = own == null ? policy.health() : own.over(policy.health());
        maxUtil = health.maxGpuUtilPct();
        utilMargin = health.gpuUtilMarginPct();
        maxTemp = health.maxGpuTempC();
        tempMargin = health.gpuTempMarginC();
        utilPerJob = substrate.utilPerJobPct();
        degradedAfter = health.degradedAfter();
        healthyAfter = health.healthyAfter();
        recoveryNanos = health.recoveryWindow().toNanos();
        staleNanos = health.staleAfter().toNanos();
        hold = health.onStale() == OnStale.HOLD;
        pollNanos = policy.poll().every().toNanos();
        turnNanos = pollNanos + pollNanos / 5 + policy.poll().timeout().toNanos();
        attributes = health.requireAttributes();
        names = Names.of(policy, substrate);
        Set<Measure> must = policy.health().requiredOn(substrate);
        boolean any = false;
        for (Measure measure : Measure.values()) {
            ignored[measure.ordinal()] = health.ignore().contains(measure);
            required[measure.ordinal()] = must.contains(measure) && !ignored[measure.ordinal()];
            any |= required[measure.ordinal()];
        }
        anyRequired = any;
        EjectionLimits ejection = policy.ejection();
        consecutiveFaults = ejection.consecutiveFaults();
        faults = ejection.faultsOfLast().k();
        ofLast = ejection.faultsOfLast().n();
        windowNanos = ejection.window().toNanos();
        maxWindowNanos = ejection.maxWindow().toNanos();
        trialNanos = ejection.trialTimeout().toNanos();
        rampNanos = ejection.ramp().toNanos();
        forgetNanos = ejection.forgetAfter().toNanos();
    }

    /** The names that must be resolved before anything is placed there. */
    public Set<String> names() {
        return names.hosts();
    }

    /** Whether a measure must be known. */
    public boolean requires(Measure measure) {
        return required[measure.ordinal()];
    }

    /** Whether a measure is never judged. */
    public boolean ignores(Measure measure) {
        return ignored[measure.ordinal()];
    }

    /** Whether a status must be there at all. */
    public boolean requiresStatus() {
        return anyRequired || !attributes.isEmpty();
    }

    /** Whether utilisation and temperature are judged alike. */
    boolean judgesAs(GateLimits other) {
        return maxUtil == other.maxUtil
                && utilMargin == other.utilMargin
                && maxTemp == other.maxTemp
                && tempMargin == other.tempMargin
                && degradedAfter == other.degradedAfter
                && healthyAfter == other.healthyAfter
                && recoveryNanos == other.recoveryNanos
                && health.ignore().equals(other.health.ignore());
    }
}
