package dev.substraterouter.simulate;

import dev.substraterouter.policy.EjectionLimits;
import org.jspecify.annotations.Nullable;

/** Whether faults keep one substrate out of one router, followed by the router's events and the specification. Not thread-safe. */
final class Exile {
    private static final double[] SHARES = {0.10, 0.25, 0.50};

    /** Where it stands. */
    enum Phase {
        IN,
        OUT,
        TRIAL,
        RAMP
    }

    Phase phase = Phase.IN;
    /** OUT: not before this. RAMP: since when. */
    long momentNanos;

    /** The lease that tries. */
    @Nullable
    Hold trial;

    long trialBegan;
    int faultsInRow;
    private long lastFaultNanos;
    /** When the last epoch began: only leases of after count. */
    long epochNanos = -1;

    void ejected(long now, long windowNanos, boolean silent, EjectionLimits limits) {
        momentNanos = (silent ? trialBegan + limits.trialTimeout().toNanos() : now) + windowNanos;
        phase = Phase.OUT;
        trial = null;
        opensEpoch(now);
    }

    void trialStarted(long now) {
        phase = Phase.TRIAL;
        trial = null;
        trialBegan = now;
    }

    void returned(long now, boolean byOperator) {
        phase = byOperator ? Phase.IN : Phase.RAMP;
        momentNanos = now;
        trial = null;
        if (byOperator) {
            opensEpoch(now);
        } else {
            faultsInRow = 0;
        }
    }

    /** An operator has put it in with its full share. */
    void skipsRamp() {
        if (phase == Phase.RAMP) {
            phase = Phase.IN;
        }
    }

    /** An operator has had all faults forgotten. */
    void forgotten(long now) {
        phase = Phase.IN;
        trial = null;
        opensEpoch(now);
    }

    private void opensEpoch(long now) {
        epochNanos = now;
        faultsInRow = 0;
    }

    /** A node fault of a lease. */
    void fault(Hold hold, long now, EjectionLimits limits) {
        if (hold.startNanos > epochNanos && (phase == Phase.IN || phase == Phase.RAMP)) {
            boolean quiet = faultsInRow > 0
                    && now - lastFaultNanos > limits.forgetAfter().toNanos();
            faultsInRow = quiet ? 1 : faultsInRow + 1;
            lastFaultNanos = now;
        }
    }

    void success(Hold hold) {
        if (hold.startNanos > epochNanos) {
            faultsInRow = 0;
        }
    }

    /** Whether it should be out by the faults in a row, and is not. */
    boolean overdue(EjectionLimits limits) {
        return (phase == Phase.IN || phase == Phase.RAMP) && faultsInRow >= limits.consecutiveFaults();
    }

    /** How many own leases it may hold on its way back. */
    int cap(long now, int maxJobs, EjectionLimits limits) {
        long ramp = limits.ramp().toNanos();
        if (phase != Phase.RAMP || now - momentNanos >= ramp) {
            return Integer.MAX_VALUE;
        }
        int step = (int) ((now - momentNanos) * (double) SHARES.length / ramp + 1e-6);
        return step >= SHARES.length ? Integer.MAX_VALUE : (int) Math.max(1, Math.ceil(SHARES[step] * maxJobs));
    }

    /** Whether it is certain that nothing of this kind speaks against it. */
    boolean surelyIn(long now, EjectionLimits limits) {
        return phase == Phase.IN
                || (phase == Phase.RAMP && now - momentNanos > limits.ramp().toNanos() + 1_000_000);
    }
}
