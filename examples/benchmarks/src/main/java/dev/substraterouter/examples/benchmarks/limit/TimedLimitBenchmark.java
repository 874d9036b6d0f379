package dev.substraterouter.examples.benchmarks.limit;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;

/** The limit when it is also measured how long a place was held: what the clock and the histogram add. */
public class TimedLimitBenchmark extends NanosPerCall {

    /** Two reads of the exact clock. */
    @Benchmark
    public long nanoTime(Routes.Shared routes) {
        return held(routes.free, routes.vramGb);
    }

    /** The same, each thread on substrates of its own. */
    @Benchmark
    public long nanoTimeApart(Routes.Own routes) {
        return held(routes.free, routes.vramGb);
    }

    /** The first substrate is full, the second takes it. */
    @Benchmark
    public long spilled(Routes.Shared routes) {
        return held(routes.spilling, routes.vramGb);
    }

    /** Two reads of a clock that moves about once a millisecond. */
    @Benchmark
    public long coarseTicker(Routes.Shared routes, CoarseTicker ticker) {
        TimedLease lease = TimedLease.take(routes.free, routes.vramGb, ticker.now());
        return lease == null ? -1 : lease.close(ticker.now());
    }

    /** Exact clock, counted in power-of-two buckets of adders. */
    @Benchmark
    public long adderBuckets(Routes.Shared routes, Histograms histograms) {
        long nanos = held(routes.free, routes.vramGb);
        histograms.countInBucket(nanos);
        return nanos;
    }

    /** Exact clock, recorded by HdrHistogram's recorder. */
    @Benchmark
    public long hdrHistogram(Routes.Shared routes, Histograms histograms) {
        long nanos = held(routes.free, routes.vramGb);
        histograms.recordInHdr(nanos);
        return nanos;
    }

    /** Exact clock, recorded by Micrometer's timer. */
    @Benchmark
    public long micrometerTimer(Routes.Shared routes, Histograms histograms) {
        long nanos = held(routes.free, routes.vramGb);
        histograms.recordInMicrometer(nanos);
        return nanos;
    }

    private static long held(Route route, int vramGb) {
        TimedLease lease = TimedLease.take(route, vramGb, System.nanoTime());
        return lease == null ? -1 : lease.close(System.nanoTime());
    }
}
