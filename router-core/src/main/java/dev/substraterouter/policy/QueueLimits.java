package dev.substraterouter.policy;

import java.time.Duration;

/** The places in which requests wait, and in what order they are served: the key {@code queue}. */
public final class QueueLimits extends Settings {
    private QueueLimits(Builder builder) {
        super(builder);
    }

    /** A builder in which everything is at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many may wait at once; default 4; 0: nobody waits. */
    public int capacity() {
        return count("capacity", 4);
    }

    /** At the latest after this long a waiter is looked at again; default 5 s. */
    public Duration retryEvery() {
        return duration("retry_every", Duration.ofSeconds(5));
    }

    /** How long a request may wait; default 30 s. */
    public Duration maxWait() {
        return duration("max_wait", Duration.ofSeconds(30));
    }

    /** After each such time a waiter rises one priority class; default 10 s. */
    public Duration agesAfter() {
        return duration("ages_after", Duration.ofSeconds(10));
    }

    /** After this time a waiter claims a place for itself; default 10 s. */
    public Duration holdAfter() {
        return duration("hold_after", Duration.ofSeconds(10));
    }

    /** The order within a priority class; default arrival. */
    public QueueOrder order() {
        return get("order", QueueOrder.class, QueueOrder.ARRIVAL);
    }

    /** The weights of {@code order: weighted}; default 3 and 10. */
    public Weights weights() {
        return get("weights", Weights.class, new Weights(3, 10));
    }

    /**
     * How much the expected latency weighs in the order of waiters; HIGH weighs 1.
     *
     * @param normal the weight of NORMAL, above 0
     * @param low the weight of LOW, above 0
     */
    public record Weights(double normal, double low) {}

    /** Builds {@link QueueLimits}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** Places, 0 to 100,000. */
        public Builder capacity(int value) {
            return set("capacity", value);
        }

        /** The longest time between two looks at a waiter. */
        public Builder retryEvery(Duration value) {
            return set("retry_every", value);
        }

        /** The longest wait; zero: nobody waits. */
        public Builder maxWait(Duration value) {
            return set("max_wait", value);
        }

        /** The time of rising one priority class. */
        public Builder agesAfter(Duration value) {
            return set("ages_after", value);
        }

        /** The time after which a waiter claims a place. */
        public Builder holdAfter(Duration value) {
            return set("hold_after", value);
        }

        /** The order within a priority class. */
        public Builder order(QueueOrder value) {
            return set("order", value);
        }

        /** The weights of {@code order: weighted}. */
        public Builder weights(double normal, double low) {
            return set("weights", new Weights(normal, low));
        }

        /** The limits. */
        public QueueLimits build() {
            return new QueueLimits(this);
        }
    }
}
