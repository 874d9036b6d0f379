package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;

/** One read of the machine's clock: the part of every measured latency that nobody can save. */
public class ClockBenchmark extends NanosPerCall {
    /** {@link System#nanoTime()}. */
    @Benchmark
    public long read() {
        return System.nanoTime();
    }
}
