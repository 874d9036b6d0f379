package dev.substraterouter.trace;

import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What became known of a request's answer after it was given. Immutable; every figure may be unknown. */
public final class Observation {
    private static final int MAX_GB = 1 << 20;

    private final @Nullable Double quality;
    private final @Nullable Boolean reviewed;
    private final @Nullable Double cost;
    private final @Nullable Double vramGb;

    private Observation(Builder builder) {
        quality = builder.quality;
        reviewed = builder.reviewed;
        cost = builder.cost;
        vramGb = builder.vramGb;
    }

    /** A builder for an observation of nothing yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** How good the answer was, 0 to 1; empty: not known. */
    public OptionalDouble quality() {
        return number(quality);
    }

    /** Whether it had to be reviewed by somebody; empty: not known. */
    public Optional<Boolean> reviewed() {
        return Optional.ofNullable(reviewed);
    }

    /** What it cost in all, in the policy's currency; empty: not known. */
    public OptionalDouble cost() {
        return number(cost);
    }

    /** The most GPU memory that the job really took with its model, GiB; empty: not known. */
    public OptionalDouble vramGb() {
        return number(vramGb);
    }

    /** This observation with what a later one knows; where both know, the later one counts. */
    public Observation with(Observation later) {
        Builder both = builder();
        both.quality = later.quality != null ? later.quality : quality;
        both.reviewed = later.reviewed != null ? later.reviewed : reviewed;
        both.cost = later.cost != null ? later.cost : cost;
        both.vramGb = later.vramGb != null ? later.vramGb : vramGb;
        return both.build();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Observation that
                && quality().equals(that.quality())
                && reviewed().equals(that.reviewed())
                && cost().equals(that.cost())
                && vramGb().equals(that.vramGb());
    }

    @Override
    public int hashCode() {
        return java.util.Objects.hash(quality(), reviewed(), cost(), vramGb());
    }

    @Override
    public String toString() {
        return "Observation[quality " + quality + ", reviewed " + reviewed + ", cost " + cost + ", vram " + vramGb
                + "]";
    }

    private static OptionalDouble number(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Builds an {@link Observation}. A setter refuses what is out of range with {@link IllegalArgumentException}. Not thread-safe. */
    public static final class Builder {
        private @Nullable Double quality;
        private @Nullable Boolean reviewed;
        private @Nullable Double cost;
        private @Nullable Double vramGb;

        private Builder() {}

        /** How good the answer was, 0 to 1. */
        public Builder quality(double value) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException("quality: " + value + " (expected: 0 to 1)");
            }
            quality = value;
            return this;
        }

        /** Whether it had to be reviewed by somebody. */
        public Builder reviewed(boolean value) {
            reviewed = value;
            return this;
        }

        /** What it cost in all, in the policy's currency, 0 or more. */
        public Builder cost(double value) {
            if (!(value >= 0 && value <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("cost: " + value + " (expected: >= 0)");
            }
            cost = value;
            return this;
        }

        /** The most GPU memory that the job really took with its model, 0 to 1,048,576 GiB. */
        public Builder vramGb(double value) {
            if (!(value >= 0 && value <= MAX_GB)) {
                throw new IllegalArgumentException("vramGb: " + value + " (expected: 0 to " + MAX_GB + ")");
            }
            vramGb = value;
            return this;
        }

        /** The observation. */
        public Observation build() {
            return new Observation(this);
        }
    }
}
