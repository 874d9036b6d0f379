package dev.substraterouter.examples.benchmarks.ours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.benchmarks.BenchmarkCalls;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;

/** Every benchmark of ours works: each is called outside JMH, with the smallest parameters. */
class OursBenchmarksTest {
    private static final int CALLS = 3;

    static Stream<Method> benchmarks() {
        return Stream.of(
                        ClockBenchmark.class,
                        DecisionAloneBenchmark.class,
                        DecisionBenchmark.class,
                        NeedBenchmark.class,
                        ObservedBenchmark.class,
                        QueueBenchmark.class,
                        TwoThreadsBenchmark.class,
                        UpkeepBenchmark.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Benchmark.class));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void itRuns(Method benchmark) {
        try (BenchmarkCalls calls = new BenchmarkCalls()) {
            Object result = calls.call(benchmark.getDeclaringClass().getName(), benchmark.getName(), CALLS);

            assertThat(result == null).isEqualTo(benchmark.getReturnType() == void.class);
        }
    }

    @Test
    void samplesKeepTheirQuantiles() {
        Samples samples = new Samples();
        for (int nanos = 1; nanos <= 100_000; nanos++) {
            samples.add(nanos);
        }

        assertThat(samples.max()).isEqualTo(100_000);
        assertThat(samples.quantile(0.5)).isBetween(50_000L, 51_600L);
        assertThat(samples.quantile(1)).isEqualTo(100_000);
        samples.add(Long.MAX_VALUE);
        assertThat(samples.quantile(1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsMeasuredByHandCanBeMeasured() throws Exception {
        ReloadStalls.Stalls stalls = ReloadStalls.measure(1, Duration.ofMillis(20));
        FirstPlacement.Nanos first = FirstPlacement.measure(1);

        assertThat(stalls.worst()).isGreaterThanOrEqualTo(stalls.p9999()).isPositive();
        assertThat(stalls.controlWorst()).isPositive();
        assertThat(WakeUp.medianNanos(20)).isPositive();
        assertThat(RefusalFrames.count()).isZero();
        assertThat(CoreJar.bytes()).isBetween(100_000L, 10_000_000L);
        assertThat(first.fromStart()).isPositive();
    }
}
