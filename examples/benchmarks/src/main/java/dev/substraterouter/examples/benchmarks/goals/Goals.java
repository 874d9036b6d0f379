package dev.substraterouter.examples.benchmarks.goals;

import dev.substraterouter.examples.benchmarks.ours.ClockBenchmark;
import dev.substraterouter.examples.benchmarks.ours.DecisionAloneBenchmark;
import dev.substraterouter.examples.benchmarks.ours.DecisionBenchmark;
import dev.substraterouter.examples.benchmarks.ours.NeedBenchmark;
import dev.substraterouter.examples.benchmarks.ours.QueueBenchmark;
import dev.substraterouter.examples.benchmarks.ours.TwoThreadsBenchmark;
import dev.substraterouter.examples.benchmarks.ours.UpkeepBenchmark;
import java.util.List;

/** The goals, as data. */
final class Goals {
    private static final double MICROS = 1_000;
    private static final double MILLIS = 1_000_000;
    private static final double KB = 1_024;
    private static final double MB = KB * KB;
    private static final int FEW = 10;
    private static final int MANY = 10_000;

    private static final Run FIRST = Run.of(DecisionBenchmark.class, "first");
    private static final Run BUSY_FULL = Run.of(DecisionBenchmark.class, "busyFull");
    private static final Run BUSY_UNHEALTHY = Run.of(DecisionBenchmark.class, "busyUnhealthy");
    private static final Run ALONE = Run.of(DecisionAloneBenchmark.class, "parts");
    private static final Figure CLOCK = time(ClockBenchmark.class, "read");

    private static final Denominator P1 = Denominator.of("P1", new Figure.Time(FIRST));
    private static final Denominator WITH_REASONS = Denominator.of("limit with reasons", Others.LIMIT_WITH_REASONS);
    private static final Denominator RESILIENCE4J = Denominator.of("Resilience4j timed", Others.RESILIENCE4J_TIMED);
    private static final Denominator REFUSAL = Denominator.of(
            "5 × limit's refusal + a clock read",
            Others.LIMIT_REFUSAL,
            Others.LIMIT_REFUSAL,
            Others.LIMIT_REFUSAL,
            Others.LIMIT_REFUSAL,
            Others.LIMIT_REFUSAL,
            CLOCK);

    /** In the order of the table. */
    static final List<Goal> ALL = List.of(
            Goal.times(
                    "P0",
                    "decision alone: decide, take, end; no clock, no trace",
                    new Figure.Time(ALONE),
                    2.5,
                    WITH_REASONS),
            Goal.times("P0", "decision alone", new Figure.Time(ALONE), 1.5, WITH_REASONS)
                    .stretch(),
            Goal.atMost("P0", "allocation of the decision alone", new Figure.Allocation(ALONE), 48),
            Goal.times(
                    "P1",
                    "tryPlace + succeed + close, two candidates",
                    new Figure.Time(FIRST),
                    1.6,
                    Denominator.of("limit with two clock reads", Others.LIMIT_WITH_CLOCK)),
            Goal.times("P1", "the same", new Figure.Time(FIRST), 1, RESILIENCE4J)
                    .stretch(),
            Goal.times(
                    "P2",
                    "spills: the first is full of own leases",
                    time(DecisionBenchmark.class, "spillFull"),
                    1.2,
                    P1),
            Goal.times(
                    "P2", "spills: the first is unhealthy", time(DecisionBenchmark.class, "spillUnhealthy"), 1.2, P1),
            Goal.atMost("P3", "allocation of P1", new Figure.Allocation(FIRST), 160),
            Goal.times("P4", "tryPlace, all full of own leases", new Figure.Time(BUSY_FULL), 1, REFUSAL),
            Goal.times("P4", "tryPlace, all unhealthy", new Figure.Time(BUSY_UNHEALTHY), 1, REFUSAL),
            Goal.atMost("P4", "allocation, all full", new Figure.Allocation(BUSY_FULL), 0)
                    .stretch(),
            Goal.atMost("P4", "allocation, all unhealthy", new Figure.Allocation(BUSY_UNHEALTHY), 0)
                    .stretch(),
            Goal.atMost("P5", "place refused, message not read", time(DecisionBenchmark.class, "refused"), 1 * MICROS),
            Goal.atMost("P5", "frames in the refusal's stack trace", Sampler.REFUSAL.count("frames"), 0),
            Goal.times(
                    "P6",
                    "two threads on one substrate",
                    time(TwoThreadsBenchmark.class, "same"),
                    1,
                    Denominator.of("Resilience4j timed by two", Others.RESILIENCE4J_TIMED_BY_TWO)),
            Goal.times(
                    "P6",
                    "two threads on a substrate each",
                    time(TwoThreadsBenchmark.class, "apart"),
                    1.3,
                    Denominator.of("one thread", time(TwoThreadsBenchmark.class, "alone"))),
            growth("P7", "need kept by the caller, 10,000 substrates, the first free", "reused", 1.3),
            growth("P7", "need built anew and equal, 10,000 substrates, the first free", "fresh", 1.3),
            Goal.atMost("P8", "10,000 substrates, all unhealthy", need("allUnhealthy", MANY), 10 * MICROS),
            Goal.atMost("P8", "10,000 substrates, nothing heard of any", need("allUnseen", MANY), 10 * MICROS),
            Goal.atMost(
                    "P9",
                    "need asked for the first time, 10,000 substrates, all fit",
                    need("compiled", MANY),
                    2 * MILLIS),
            Goal.atMost("P10", "reportStatus, 10,000 substrates", status("reportStatus", MANY), 1 * MICROS),
            Goal.atMost(
                    "P10",
                    "reportStatus that shuts and opens, 10,000 substrates",
                    status("reportFlip", MANY),
                    1 * MICROS),
            Goal.times(
                    "P10",
                    "the same: not in proportion to their number (1,000 times as many)",
                    status("reportFlip", MANY),
                    10,
                    Denominator.of("10 substrates", status("reportFlip", FEW))),
            Goal.atMost(
                    "P11", "recommend, 20 substrates, rendered", time(UpkeepBenchmark.class, "recommend"), 20 * MICROS),
            Goal.atMost(
                    "P12", "reload, 50 workloads × 20 substrates", time(UpkeepBenchmark.class, "reload"), 20 * MILLIS),
            stalls("worst decision of a second of reloads", "worst"),
            stalls("one decision of 10,000 meanwhile", "p99.99"),
            Goal.atMost(
                    "P13",
                    "lease closed to waiter's future completed, median",
                    Sampler.WAKE_UP.nanos("median"),
                    50 * MICROS),
            Goal.atMost("P14", "10,000 wait: one joins, one is served", queue(MANY), 10 * MICROS),
            Goal.times(
                    "P14",
                    "the same: growth as the logarithm",
                    queue(MANY),
                    Math.log(MANY) / Math.log(FEW),
                    Denominator.of("10 wait", queue(FEW))),
            Goal.atMost("P15", "heap for each idle substrate", Sampler.FOOTPRINT.bytes("substrate"), 4 * KB),
            Goal.atMost("P15", "heap for each waiter", Sampler.FOOTPRINT.bytes("waiter"), 1 * KB),
            Goal.atMost(
                    "P15", "heap of a router of 3 workloads, traces full", Sampler.FOOTPRINT.bytes("router"), 2 * MB),
            Goal.atMost("P16", "core jar", Sampler.JAR.bytes("size"), 500 * KB),
            Goal.atMost(
                    "P16",
                    "class load to first placement, one core",
                    Sampler.FIRST_PLACEMENT.nanos("from main"),
                    150 * MILLIS),
            Goal.shown(
                    "P16",
                    "start of the Java machine to first placement",
                    Sampler.FIRST_PLACEMENT.nanos("from start")));

    private Goals() {}

    private static Goal growth(String id, String what, String method, double most) {
        return Goal.times(id, what, need(method, MANY), most, Denominator.of("10 substrates", need(method, FEW)));
    }

    /** On a machine that has others to serve, what a decision waits for may be them: then it must not wait longer than without reloads. */
    private static Goal stalls(String what, String name) {
        return Goal.atMost("P12", what, Sampler.RELOADS.nanos(name), 1 * MILLIS)
                .orTimes(1.5, Denominator.of("another router reloaded", Sampler.RELOADS.nanos("control " + name)));
    }

    private static Figure time(Class<?> type, String method) {
        return new Figure.Time(Run.of(type, method));
    }

    private static Figure need(String method, int substrates) {
        return new Figure.Time(Run.of(NeedBenchmark.class, method).with("substrates", substrates));
    }

    private static Figure status(String method, int substrates) {
        return new Figure.Time(Run.of(UpkeepBenchmark.class, method).with("substrates", substrates));
    }

    private static Figure queue(int waiters) {
        return new Figure.Time(Run.of(QueueBenchmark.class, "joinAndServe").with("waiters", waiters));
    }
}
