package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.List;

/**
 * How long one kind of work takes on an otherwise idle node. Each request draws two uniform numbers once and keeps them: a request that
 * is long on one node is long on all, and the same request is as long under every policy. Immutable.
 */
public sealed interface ServiceTime {
    /**
     * The time for one request, seconds.
     *
     * @param first the request's first uniform draw, 0 to 1
     * @param second its second one
     */
    double seconds(double first, double second);

    /** The mean, seconds. */
    double meanSeconds();

    /** Always as long. */
    static ServiceTime fixed(Duration time) {
        return new Fixed(Spans.positive("service time", time));
    }

    /**
     * Lognormally distributed.
     *
     * @param mean the mean
     * @param sigma the standard deviation of the logarithm, 0 to 5
     */
    static ServiceTime lognormal(Duration mean, double sigma) {
        if (!(sigma >= 0 && sigma <= 5)) {
            throw new IllegalArgumentException("sigma is " + sigma + " (expected: 0 to 5)");
        }
        return new LogNormal(Spans.positive("mean service time", mean), sigma);
    }

    /** Exponentially distributed. */
    static ServiceTime exponential(Duration mean) {
        return new Exponential(Spans.positive("mean service time", mean));
    }

    /** One of those that were observed, each as likely. */
    static ServiceTime empirical(List<Duration> observed) {
        if (observed.isEmpty()) {
            throw new IllegalArgumentException("no observed service time (expected: at least one)");
        }
        return new Empirical(observed.stream()
                .map(time -> Spans.positive("observed service time", time))
                .sorted()
                .toList());
    }

    /**
     * A fixed service time.
     *
     * @param seconds seconds, above 0
     */
    record Fixed(double seconds) implements ServiceTime {
        @Override
        public double seconds(double first, double second) {
            return seconds;
        }

        @Override
        public double meanSeconds() {
            return seconds;
        }
    }

    /**
     * A lognormal service time.
     *
     * @param meanSeconds seconds, above 0
     * @param sigma the deviation of the logarithm
     */
    record LogNormal(double meanSeconds, double sigma) implements ServiceTime {
        @Override
        public double seconds(double first, double second) {
            return meanSeconds * StrictMath.exp(sigma * RandomStream.normal(first, second) - sigma * sigma / 2);
        }
    }

    /**
     * An exponential service time.
     *
     * @param meanSeconds seconds, above 0
     */
    record Exponential(double meanSeconds) implements ServiceTime {
        @Override
        public double seconds(double first, double second) {
            return -meanSeconds * StrictMath.log(1 - first);
        }
    }

    /**
     * Observed service times.
     *
     * @param observed seconds, the shortest first
     */
    record Empirical(List<Double> observed) implements ServiceTime {
        /** Copies the list. */
        public Empirical {
            observed = List.copyOf(observed);
        }

        @Override
        public double seconds(double first, double second) {
            return observed.get((int) (first * observed.size()));
        }

        @Override
        public double meanSeconds() {
            double sum = 0;
            for (double one : observed) {
                sum += one;
            }
            return sum / observed.size();
        }
    }
}
