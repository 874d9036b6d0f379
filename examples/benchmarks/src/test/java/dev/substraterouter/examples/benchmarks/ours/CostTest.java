package dev.substraterouter.examples.benchmarks.ours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.benchmarks.BenchmarkCalls;
import dev.substraterouter.examples.benchmarks.limit.Routes;
import dev.substraterouter.examples.benchmarks.limit.TimedLimitBenchmark;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The cost of a decision does not grow unnoticed. Ratios of two things measured in turn in one run, by the processor time of this thread, the
 * least of many rounds: what else runs on the machine hardly shows. The bounds are generous; the figures are in the table of the goals.
 */
class CostTest {
    private static final int ROUNDS = 40;

    @Test
    @DisplayName("a placement costs a small multiple of the limit with the same two clock reads")
    void nearTheLimit() throws Exception {
        DecisionBenchmark ours = new DecisionBenchmark();
        DecisionBenchmark.BothFree free = opened(new DecisionBenchmark.BothFree());
        TimedLimitBenchmark limit = new TimedLimitBenchmark();
        Routes.Shared routes = new Routes.Shared();
        Blackhole leases = BenchmarkCalls.blackhole();
        try {
            assertThat(ratio(() -> ours.first(free), () -> limit.nanoTime(routes, leases), 20_000))
                    .isBetween(0.5, 6.0);
        } finally {
            free.close();
        }
    }

    @Test
    @DisplayName("a placement that spills, or none at all, costs about as much as one that does not")
    void noWayIsDear() throws Exception {
        DecisionBenchmark ours = new DecisionBenchmark();
        DecisionBenchmark.BothFree free = opened(new DecisionBenchmark.BothFree());
        DecisionBenchmark.FirstUnhealthy spilling = opened(new DecisionBenchmark.FirstUnhealthy());
        DecisionBenchmark.BothFull full = opened(new DecisionBenchmark.BothFull());
        try {
            assertThat(ratio(() -> ours.spillUnhealthy(spilling), () -> ours.first(free), 20_000))
                    .as("spilling")
                    .isLessThan(2.5);
            assertThat(ratio(() -> ours.busyFull(full), () -> ours.first(free), 20_000))
                    .as("nothing free")
                    .isLessThan(2.5);
        } finally {
            free.close();
            spilling.close();
            full.close();
        }
    }

    @Test
    @DisplayName("a need that is asked for again costs the same among 10,000 substrates as among 10")
    void flatOverThePool() throws Exception {
        NeedBenchmark ours = new NeedBenchmark();
        ManySubstrates.Free few = opened(sized(new ManySubstrates.Free(), 10));
        ManySubstrates.Free many = opened(sized(new ManySubstrates.Free(), 10_000));
        try {
            assertThat(ratio(() -> ours.reused(many), () -> ours.reused(few), 10_000))
                    .isLessThan(2.5);
        } finally {
            few.close();
            many.close();
        }
    }

    @Test
    @DisplayName("a place in a queue of 2,000 costs little more than one in a queue of 10")
    void flatOverTheQueue() throws Exception {
        QueueBenchmark ours = new QueueBenchmark();
        QueueBenchmark.Waiters few = opened(waiting(10));
        QueueBenchmark.Waiters many = opened(waiting(2_000));
        try {
            assertThat(ratio(() -> ours.joinAndServe(many), () -> ours.joinAndServe(few), 1_000))
                    .isLessThan(6);
        } finally {
            few.close();
            many.close();
        }
    }

    private static <T extends OneRouter> T opened(T state) {
        state.open();
        return state;
    }

    private static <T extends ManySubstrates> T sized(T state, int substrates) {
        state.substrates = substrates;
        return state;
    }

    private static QueueBenchmark.Waiters waiting(int waiters) {
        QueueBenchmark.Waiters state = new QueueBenchmark.Waiters();
        state.waiters = waiters;
        return state;
    }

    /** What one thing costs in terms of another. */
    private static double ratio(Callable<?> measured, Callable<?> comparedWith, int calls) throws Exception {
        double least = Double.MAX_VALUE;
        double leastOfOther = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            least = Math.min(least, nanos(measured, calls));
            leastOfOther = Math.min(leastOfOther, nanos(comparedWith, calls));
        }
        return least / leastOfOther;
    }

    private static long nanos(Callable<?> call, int calls) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        for (int at = 0; at < calls; at++) {
            if (call.call() == null) {
                throw new IllegalStateException("nothing came of " + call + " (expected: a result)");
            }
        }
        return threads.getCurrentThreadCpuTime() - before;
    }
}
