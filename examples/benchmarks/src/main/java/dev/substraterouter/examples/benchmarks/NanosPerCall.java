package dev.substraterouter.examples.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How every benchmark is run unless it says otherwise, ours and the others alike: the average time of a call in nanoseconds, in Java
 * machines whose heap is small and touched before. On a virtual machine that gives idle memory back, the first touch of a page costs a
 * thousand times what is measured here, and a young generation of gigabytes touches new ones all the time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            NanosPerCall.LEAST,
            NanosPerCall.MOST,
            NanosPerCall.YOUNG,
            NanosPerCall.TOUCHED,
            NanosPerCall.WAIT_FOR_COMPILER
        })
public abstract class NanosPerCall {
    static final String LEAST = "-Xms512m";
    static final String MOST = "-Xmx512m";
    static final String YOUNG = "-Xmn64m";
    static final String TOUCHED = "-XX:+AlwaysPreTouch";
    /** A short warm-up is enough, and a busy machine does not measure the interpreter. */
    static final String WAIT_FOR_COMPILER = "-Xbatch";

    /** The heap, for every Java machine in which something is measured. */
    public static final List<String> HEAP = List.of(LEAST, MOST, YOUNG, TOUCHED);

    /** What every fork is told. */
    public static final List<String> FORK = List.of(LEAST, MOST, YOUNG, TOUCHED, WAIT_FOR_COMPILER);

    /** For the benchmarks. */
    protected NanosPerCall() {}
}
