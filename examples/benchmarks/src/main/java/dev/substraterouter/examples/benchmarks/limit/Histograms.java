package dev.substraterouter.examples.benchmarks.limit;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Three ways to count how long places were held. */
@State(Scope.Benchmark)
public class Histograms {
    private static final int SIGNIFICANT_DIGITS = 2;

    private final LongAdder[] buckets = new LongAdder[Long.SIZE + 1];
    private final Recorder recorder = new Recorder(SIGNIFICANT_DIGITS);
    private final Timer timer = Timer.builder("held").register(new SimpleMeterRegistry());

    /** Empty histograms. */
    public Histograms() {
        Arrays.setAll(buckets, bucket -> new LongAdder());
    }

    void countInBucket(long nanos) {
        buckets[Long.SIZE - Long.numberOfLeadingZeros(nanos)].increment();
    }

    void recordInHdr(long nanos) {
        recorder.recordValue(nanos);
    }

    void recordInMicrometer(long nanos) {
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** How many were counted, by all three together. */
    long count() {
        return Arrays.stream(buckets).mapToLong(LongAdder::sum).sum()
                + recorder.getIntervalHistogram().getTotalCount()
                + timer.count();
    }
}
