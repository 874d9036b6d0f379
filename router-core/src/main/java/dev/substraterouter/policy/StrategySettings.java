package dev.substraterouter.policy;

import java.time.Duration;

/** How candidates are ordered where a workload does not say: the key {@code strategy}. */
public final class StrategySettings extends Settings {
    private StrategySettings(Builder builder) {
        super(builder);
    }

    /** A builder in which everything is at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** The order of workloads that name none; default preference. */
    public StrategyKind defaultKind() {
        return get("default", StrategyKind.class, StrategyKind.PREFERENCE);
    }

    /** A free candidate is taken when it finishes within this multiple of the best one's time; default 1.5. */
    public double finishMargin() {
        return number("finish_margin", 1.5);
    }

    /** The wait that is expected for a candidate unhealthy for foreign reasons; default 240 s. */
    public Duration unhealthyWait() {
        return duration("unhealthy_wait", Duration.ofMinutes(4));
    }

    /** Whether expected latencies learn from successes; default true. */
    public boolean learn() {
        return flag("learn", true);
    }

    /** A profile off by more than this factor is reported; default 1.5. */
    public double driftFactor() {
        return number("drift_factor", 1.5);
    }

    /** Builds {@link StrategySettings}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** The order of workloads that name none. */
        public Builder defaultKind(StrategyKind value) {
            return set("default", value);
        }

        /** 1 or more. */
        public Builder finishMargin(double value) {
            return set("finish_margin", value);
        }

        /** The wait that is expected for a candidate unhealthy for foreign reasons. */
        public Builder unhealthyWait(Duration value) {
            return set("unhealthy_wait", value);
        }

        /** Whether expected latencies learn from successes. */
        public Builder learn(boolean value) {
            return set("learn", value);
        }

        /** Above 1. */
        public Builder driftFactor(double value) {
            return set("drift_factor", value);
        }

        /** The settings. */
        public StrategySettings build() {
            return new StrategySettings(this);
        }
    }
}
