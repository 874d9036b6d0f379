package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** When requests come. Immutable. */
public sealed interface Arrivals {
    /** Independently of each other, at a constant mean rate. */
    static Arrivals poisson(double perHour) {
        return new Poisson(rate(perHour));
    }

    /** In bursts; see {@link Bursts}. */
    static Bursts.Builder bursts(double perHour) {
        return new Bursts.Builder(rate(perHour));
    }

    /** As recorded. It is read anew in each run, from the beginning to the end of the run or of the record. */
    static Arrivals recorded(Iterable<Recorded.Request> requests) {
        return new Recorded(requests);
    }

    private static double rate(double perHour) {
        if (!(perHour > 0 && perHour <= 1e9)) {
            throw new IllegalArgumentException(perHour + " requests per hour (expected: above 0, at most 1e9)");
        }
        return perHour;
    }

    /** The same with another rate; a record is as it is. */
    Arrivals scaled(double factor);

    /**
     * A Poisson process.
     *
     * @param perHour requests per hour
     */
    record Poisson(double perHour) implements Arrivals {
        @Override
        public Arrivals scaled(double factor) {
            return poisson(perHour * factor);
        }
    }

    /**
     * A Poisson process whose rate changes between a high and a low one, with groups: with some probability an arrival is several requests
     * of the same workload and class at the same moment.
     *
     * @param perHour mean requests per hour, groups counted in full
     * @param on mean length of a burst; exponentially distributed
     * @param off mean time between bursts; exponentially distributed
     * @param onFactor the rate in a burst, as a multiple of the mean rate
     * @param offFactor the rate between bursts, as a multiple of the mean rate
     * @param groupShare how likely an arrival is a group, 0 to 1
     * @param groupSize how many requests a group has
     */
    record Bursts(
            double perHour,
            Duration on,
            Duration off,
            double onFactor,
            double offFactor,
            double groupShare,
            int groupSize)
            implements Arrivals {
        /** Checks the figures. */
        public Bursts {
            rate(perHour);
            Spans.positive("mean length of a burst", on);
            Spans.positive("mean time between bursts", off);
            Spans.within("rate factor in a burst", onFactor, 0, 1_000);
            Spans.within("rate factor between bursts", offFactor, 0, 1_000);
            Spans.share("share of groups", groupShare);
            Spans.within("size of a group", groupSize, 1, 10_000);
            if (!(Math.max(onFactor, offFactor) > 0)) {
                throw new IllegalArgumentException("both rate factors are 0 (expected: one above 0)");
            }
        }

        /** How many requests an arrival is in the mean. */
        public double meanGroup() {
            return 1 + groupShare * (groupSize - 1);
        }

        @Override
        public Arrivals scaled(double factor) {
            return new Bursts(perHour * factor, on, off, onFactor, offFactor, groupShare, groupSize);
        }

        /** Builds {@link Bursts}. Not thread-safe. */
        public static final class Builder {
            private final double perHour;
            private Duration on = Duration.ofMinutes(1);
            private Duration off = Duration.ofMinutes(3);
            private double onFactor = 3.4;
            private double offFactor = 0.2;
            private double groupShare;
            private int groupSize = 1;

            private Builder(double perHour) {
                this.perHour = perHour;
            }

            /** Mean length of a burst and mean time between two; default 60 s and 180 s. */
            public Builder phases(Duration meanOn, Duration meanOff) {
                on = Objects.requireNonNull(meanOn, "meanOn");
                off = Objects.requireNonNull(meanOff, "meanOff");
                return this;
            }

            /** The rates in and between bursts as multiples of the mean rate; default 3.4 and 0.2. */
            public Builder factors(double inBurst, double between) {
                onFactor = inBurst;
                offFactor = between;
                return this;
            }

            /** With some probability an arrival is several requests; default: never. */
            public Builder groups(double share, int size) {
                groupShare = share;
                groupSize = size;
                return this;
            }

            /** The arrivals. */
            public Bursts build() {
                return new Bursts(perHour, on, off, onFactor, offFactor, groupShare, groupSize);
            }
        }
    }

    /**
     * A record.
     *
     * @param requests in the order of their times; read anew in each run
     */
    record Recorded(Iterable<Request> requests) implements Arrivals {
        @Override
        public Arrivals scaled(double factor) {
            return this;
        }

        /**
         * One recorded request.
         *
         * @param after seconds from the beginning of the record
         * @param workload the workload; empty: drawn from the traffic's shares
         * @param requestClass the name of its class; empty: drawn from the traffic's classes
         * @param factor its service time as a multiple of the mean; empty: drawn
         */
        public record Request(
                double after, Optional<String> workload, Optional<String> requestClass, OptionalDouble factor) {}
    }
}
