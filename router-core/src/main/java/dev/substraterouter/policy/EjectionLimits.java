package dev.substraterouter.policy;

import java.time.Duration;

/** When faults take a substrate out, for how long, and how it comes back: the key {@code ejection}. */
public final class EjectionLimits extends Settings {
    private EjectionLimits(Builder builder) {
        super(builder);
    }

    /** A builder in which everything is at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Node faults in a row that eject; default 3. */
    public int consecutiveFaults() {
        return count("consecutive_faults", 3);
    }

    /** Node faults among the last outcomes that eject; default 5 of 10. */
    public FaultsOfLast faultsOfLast() {
        return get("faults_of_last", FaultsOfLast.class, new FaultsOfLast(5, 10));
    }

    /** How long the first ejection lasts; each one after it twice as long; default 5 s. */
    public Duration window() {
        return duration("window", Duration.ofSeconds(5));
    }

    /** The longest ejection; default 60 s. */
    public Duration maxWindow() {
        return duration("max_window", Duration.ofMinutes(1));
    }

    /** How long a trial may last at least before silence counts as a fault; default 60 s. */
    public Duration trialTimeout() {
        return duration("trial_timeout", Duration.ofMinutes(1));
    }

    /** How long after its return a substrate takes to get its full share; default 10 s; zero: at once. */
    public Duration ramp() {
        return duration("ramp", Duration.ofSeconds(10));
    }

    /** After how long without a fault all is forgotten; default 10 min. */
    public Duration forgetAfter() {
        return duration("forget_after", Duration.ofMinutes(10));
    }

    /**
     * So many faults of so many last outcomes.
     *
     * @param k faults, 1 to n
     * @param n outcomes looked at, 1 to 64
     */
    public record FaultsOfLast(int k, int n) {}

    /** Builds {@link EjectionLimits}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** Faults in a row, 1 or more. */
        public Builder consecutiveFaults(int value) {
            return set("consecutive_faults", value);
        }

        /** {@code k} faults among the last {@code n} outcomes, 1 to 64. */
        public Builder faultsOfLast(int k, int n) {
            return set("faults_of_last", new FaultsOfLast(k, n));
        }

        /** The first ejection. */
        public Builder window(Duration value) {
            return set("window", value);
        }

        /** The longest ejection. */
        public Builder maxWindow(Duration value) {
            return set("max_window", value);
        }

        /** The least time of a trial. */
        public Builder trialTimeout(Duration value) {
            return set("trial_timeout", value);
        }

        /** The way back to the full share. */
        public Builder ramp(Duration value) {
            return set("ramp", value);
        }

        /** Quiet time after which all is forgotten. */
        public Builder forgetAfter(Duration value) {
            return set("forget_after", value);
        }

        /** The limits. */
        public EjectionLimits build() {
            return new EjectionLimits(this);
        }
    }
}
