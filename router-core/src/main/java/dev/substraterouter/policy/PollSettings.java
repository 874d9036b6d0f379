package dev.substraterouter.policy;

import java.time.Duration;

/** How often substrates are asked for their status: the key {@code poll}. */
public final class PollSettings extends Settings {
    private PollSettings(Builder builder) {
        super(builder);
    }

    /** A builder in which everything is at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** The time between two questions; default 5 s. */
    public Duration every() {
        return duration("every", Duration.ofSeconds(5));
    }

    /** How long an answer may take; default 2 s. */
    public Duration timeout() {
        return duration("timeout", Duration.ofSeconds(2));
    }

    /** Builds {@link PollSettings}. Not thread-safe. */
    public static final class Builder extends Settings.Builder<Builder> {
        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /** The time between two questions, 10 ms or more. */
        public Builder every(Duration value) {
            return set("every", value);
        }

        /** How long an answer may take. */
        public Builder timeout(Duration value) {
            return set("timeout", value);
        }

        /** The settings. */
        public PollSettings build() {
            return new PollSettings(this);
        }
    }
}
