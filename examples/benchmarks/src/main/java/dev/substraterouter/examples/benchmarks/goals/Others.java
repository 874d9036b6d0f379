package dev.substraterouter.examples.benchmarks.goals;

import java.util.Map;

/** The benchmarks of others that the goals are compared with. This is the only place that names them; one that is not there is not measured. */
final class Others {
    private static final String PACKAGES = "dev.substraterouter.examples.benchmarks.";

    /** The limit: snapshot read, predicates, compare-and-set, lease with its reasons, compare-and-set back. */
    static final Figure LIMIT_WITH_REASONS = time("limit.LimitBenchmark.explained");

    /** The limit with a clock read at each end. */
    static final Figure LIMIT_WITH_CLOCK = time("limit.TimedLimitBenchmark.nanoTime");

    /** The limit that refuses. */
    static final Figure LIMIT_REFUSAL = time("limit.LimitBenchmark.refused");

    /** Resilience4j: breaker and bulkhead of two substrates, timed. */
    static final Figure RESILIENCE4J_TIMED = time("peers.Resilience4jBenchmark.timed");

    /** The same by two threads. */
    static final Figure RESILIENCE4J_TIMED_BY_TWO =
            new Figure.Time(run("peers.Resilience4jBenchmark.timed").by(2));

    private Others() {}

    private static Figure time(String benchmark) {
        return new Figure.Time(run(benchmark));
    }

    private static Run run(String benchmark) {
        return new Run(PACKAGES + benchmark, 1, Map.of());
    }
}
