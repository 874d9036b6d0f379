package dev.substraterouter.internal.gate;

import org.jspecify.annotations.Nullable;

/**
 * Whether faults keep a substrate out, and how it comes back. Immutable; deadlines are compared when it is read, so there is no timer that
 * could fire late, twice, or for an ejection that is over.
 *
 * <pre>
 *          faults                     window over, one lease taken
 *   IN ─────────────► OUT ──────────────────────────────────────► TRIAL
 *    ▲                 ▲  ◄── neutral, busy, request fault ───────┤ │
 *    │  ramp over      └───── fault, silence ─────────────────────┘ │ success
 *    └──────────────── RAMP ◄───────────────────────────────────────┘
 * </pre>
 *
 * <p>Each ejection and each reset opens a new epoch. A result counts only in the epoch in which its lease was granted, so a late result
 * from before an ejection is neither a trial result nor a fault of the time after.
 *
 * @param phase where it stands
 * @param epoch counted from 0
 * @param consecutive node faults in a row; while it is out, those that put it out
 * @param history the last outcomes, a bit each, 1 = fault, the newest lowest
 * @param lastFaultAt since when it is quiet: when the newest fault came, or its ejection ended; meaningless while {@code faulted} is false
 * @param faulted whether there was a fault since all was forgotten
 * @param level how often it has been ejected since all was forgotten
 * @param since when the phase began
 * @param until OUT: until when; TRIAL: by when the result is due
 * @param lastError the newest fault in words
 */
record EjectionState(
        Phase phase,
        int epoch,
        int consecutive,
        long history,
        long lastFaultAt,
        boolean faulted,
        int level,
        long since,
        long until,
        @Nullable String lastError) {
    static final EjectionState INITIAL = new EjectionState(Phase.IN, 0, 0, 0, 0, false, 0, 0, 0, null);
    /** The fault of a trial without a result, in words. */
    static final String SILENCE = "its trial stayed silent";

    private static final double JITTER = 0.15;
    private static final double[] SHARES = {0.10, 0.25, 0.50};
    private static final int MAX_LEVEL = 40;

    /** Where it stands. */
    enum Phase {
        IN,
        OUT,
        TRIAL,
        RAMP
    }

    /** As time has left it: a silent trial is out again, a ramp that is over is in. */
    EjectionState at(long now, GateLimits limits, long seed) {
        if (phase == Phase.TRIAL && now - until >= 0) {
            return ejected(until, limits, seed, SILENCE);
        }
        if (phase == Phase.RAMP && now - since >= limits.rampNanos) {
            return with(Phase.IN, now, 0);
        }
        return this;
    }

    /** Whether it is out and its window is over, so that one lease may try. */
    boolean trialDue(long now) {
        return phase == Phase.OUT && now - until >= 0;
    }

    /** With its trial under way. */
    EjectionState trial(long now, long dueAfter) {
        return with(Phase.TRIAL, now, now + dueAfter);
    }

    /** How many own leases it may hold now. */
    int cap(long now, int maxJobs, GateLimits limits) {
        if (phase != Phase.RAMP) {
            return Integer.MAX_VALUE;
        }
        int step = step(now, limits);
        return step >= SHARES.length ? Integer.MAX_VALUE : (int) Math.max(1, Math.ceil(SHARES[step] * maxJobs));
    }

    /** How long until it may stand differently by itself; {@link Long#MAX_VALUE} when only an event can change it. */
    long nextChange(long now, GateLimits limits) {
        return switch (phase) {
            case IN -> Long.MAX_VALUE;
            case OUT -> now - until >= 0 ? Long.MAX_VALUE : until - now;
            case TRIAL -> Math.max(0, until - now);
            case RAMP -> {
                long steps = step(now, limits) + 1L; // the first nanosecond of the next step, not the last of this one
                yield since + (steps * limits.rampNanos + SHARES.length - 1) / SHARES.length - now;
            }
        };
    }

    /** As a success leaves it. */
    EjectionState success(int leaseEpoch, boolean trial, long now) {
        if (leaseEpoch != epoch) {
            return this;
        }
        if (phase == Phase.TRIAL) {
            return trial
                    ? new EjectionState(Phase.RAMP, epoch, 0, 0, lastFaultAt, faulted, level, now, 0, lastError)
                    : this;
        }
        if (consecutive == 0 && history == 0) {
            return this;
        }
        return new EjectionState(phase, epoch, 0, history << 1, lastFaultAt, faulted, level, since, until, lastError);
    }

    /** As a node fault leaves it. */
    EjectionState fault(int leaseEpoch, boolean trial, long now, GateLimits limits, long seed, String error) {
        if (leaseEpoch != epoch) {
            return this;
        }
        if (phase == Phase.TRIAL || phase == Phase.OUT) {
            return trial && phase == Phase.TRIAL ? ejected(now, limits, seed, error) : this;
        }
        boolean forgotten = faulted && now - lastFaultAt > limits.forgetNanos;
        int inRow = forgotten ? 1 : consecutive + 1;
        long outcomes = (forgotten ? 0 : history << 1) | 1;
        EjectionState counted =
                new EjectionState(phase, epoch, inRow, outcomes, now, true, forgotten ? 0 : level, since, until, error);
        return inRow >= limits.consecutiveFaults || faultsOfLast(outcomes, limits) >= limits.faults
                ? counted.ejected(now, limits, seed, error)
                : counted;
    }

    /** With the trial's place free again and nothing learnt. */
    EjectionState trialWithdrawn(int leaseEpoch, boolean trial) {
        return trial && leaseEpoch == epoch && phase == Phase.TRIAL ? with(Phase.OUT, since, since) : this;
    }

    /** As an operator's reset leaves it. */
    EjectionState reset() {
        return new EjectionState(Phase.IN, epoch + 1, 0, 0, 0, false, 0, 0, 0, null);
    }

    /** With a ramp under way cut short. */
    EjectionState skipRamp() {
        return phase == Phase.RAMP ? with(Phase.IN, since, 0) : this;
    }

    static int faultsOfLast(long outcomes, GateLimits limits) {
        long window = limits.ofLast >= 64 ? outcomes : outcomes & ((1L << limits.ofLast) - 1);
        return Long.bitCount(window);
    }

    private EjectionState ejected(long now, GateLimits limits, long seed, String error) {
        // quiet from the end of its last window until its trial began; how long the trial itself took says nothing
        boolean quiet = phase == Phase.TRIAL && faulted && since - lastFaultAt > limits.forgetNanos;
        int times = quiet ? 0 : level;
        long window = limits.windowNanos;
        for (int doubled = 0; doubled < times && window < limits.maxWindowNanos; doubled++) {
            window = Math.min(limits.maxWindowNanos, window * 2);
        }
        long jittered = (long) (window * (1 + JITTER * (2 * unit(seed + epoch) - 1)));
        long lasting = Math.max(1, Math.min(limits.maxWindowNanos, jittered));
        return new EjectionState(
                Phase.OUT,
                epoch + 1,
                consecutive,
                history,
                now + lasting,
                true,
                Math.min(MAX_LEVEL, times + 1),
                now,
                now + lasting,
                error);
    }

    private EjectionState with(Phase newPhase, long newSince, long newUntil) {
        return new EjectionState(
                newPhase, epoch, consecutive, history, lastFaultAt, faulted, level, newSince, newUntil, lastError);
    }

    private int step(long now, GateLimits limits) {
        long ran = Math.max(0, now - since); // a decision may have read the clock before the ramp began
        return ran >= limits.rampNanos ? SHARES.length : (int) (ran * SHARES.length / Math.max(1, limits.rampNanos));
    }

    /** A number in [0, 1) that depends on nothing but its seed, so that a decision can be repeated. */
    private static double unit(long seed) {
        long mixed = seed * 0x9E3779B97F4A7C15L + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
    }
}
