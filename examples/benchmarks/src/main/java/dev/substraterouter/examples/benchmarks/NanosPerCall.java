package dev.substraterouter.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How a benchmark that extends this is measured: average nanoseconds a call, in two forks of five warm and five measured seconds.
 *
 * <p>The heap is touched before anything is measured: on a virtual machine the first touch of a page costs more than what is allocated on it, and would be
 * charged to whatever allocates.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
public abstract class NanosPerCall {
    /** For the benchmarks. */
    protected NanosPerCall() {}
}
