package dev.substraterouter.policy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A workload's own waiting places: the key {@code queue} of a workload. */
public final class WorkloadQueue extends Settings {
    private WorkloadQueue(Builder builder) {
        super(builder);
    }

    /** A builder in which nothing is declared yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many of its requests may wait at once; empty: they use the router's places. */
    public OptionalInt capacity() {
        return count("capacity");
    }

    /** How long its requests may wait; empty: as long as the router's. */
    public Optional<Duration> maxWait() {
        return Optional.ofNullable(get("max_wait", Duration.class));
    }

    /** Builds a {@link WorkloadQueue}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** Places of its own, 0 to 100,000. */
        public Builder capacity(int value) {
            return set("capacity", value);
        }

        /** How long its requests may wait. */
        public Builder maxWait(Duration value) {
            return set("max_wait", value);
        }

        /** The places. */
        public WorkloadQueue build() {
            return new WorkloadQueue(this);
        }
    }
}
