package dev.substraterouter.examples.benchmarks.limit;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.Blackhole;

/** The limit when it is also measured how long a place was held: what the clock and the histogram add. */
public class TimedLimitBenchmark extends NanosPerCall {

    /** Two reads of the exact clock. */
    @Benchmark
    public long nanoTime(Routes.Shared routes, Blackhole leases) {
        return held(routes.free, routes.vramGb, leases);
    }

    /** The same, each thread on substrates of its own. */
    @Benchmark
    public long nanoTimeApart(Routes.Own routes, Blackhole leases) {
        return held(routes.free, routes.vramGb, leases);
    }

    /** The first substrate is full, the second takes it. */
    @Benchmark
    public long spilled(Routes.Shared routes, Blackhole leases) {
        return held(routes.spilling, routes.vramGb, leases);
    }

    /** Two reads of a clock that moves about once a millisecond. */
    @Benchmark
    public long coarseTicker(Routes.Shared routes, CoarseTicker ticker, Blackhole leases) {
        TimedLease lease = TimedLease.take(routes.free, routes.vramGb, ticker.now());
        leases.consume(lease);
        return lease == null ? -1 : lease.close(ticker.now());
    }

    /** Exact clock, counted in power-of-two buckets of adders. */
    @Benchmark
    public long adderBuckets(Routes.Shared routes, Histograms histograms, Blackhole leases) {
        long nanos = held(routes.free, routes.vramGb, leases);
        histograms.countInBucket(nanos);
        return nanos;
    }

    /** Exact clock, recorded by HdrHistogram's recorder. */
    @Benchmark
    public long hdrHistogram(Routes.Shared routes, Histograms histograms, Blackhole leases) {
        long nanos = held(routes.free, routes.vramGb, leases);
        histograms.recordInHdr(nanos);
        return nanos;
    }

    /** Exact clock, recorded by Micrometer's timer. */
    @Benchmark
    public long micrometerTimer(Routes.Shared routes, Histograms histograms, Blackhole leases) {
        long nanos = held(routes.free, routes.vramGb, leases);
        histograms.recordInMicrometer(nanos);
        return nanos;
    }

    /** The lease reaches the caller, as it would outside a benchmark, and so is really made. */
    private static long held(Route route, int vramGb, Blackhole leases) {
        TimedLease lease = TimedLease.take(route, vramGb, System.nanoTime());
        leases.consume(lease);
        return lease == null ? -1 : lease.close(System.nanoTime());
    }
}
