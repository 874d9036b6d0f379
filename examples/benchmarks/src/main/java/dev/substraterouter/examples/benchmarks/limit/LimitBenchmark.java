package dev.substraterouter.examples.benchmarks.limit;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/** A place between two substrates, taken and given back, written as tightly as one can by hand. */
public class LimitBenchmark extends NanosPerCall {

    /** Snapshot, four predicates, one CAS, a lease, one CAS back. */
    @Benchmark
    public @Nullable Object bare(Routes.Shared routes) {
        BareLease lease = BareLease.take(routes.free, routes.vramGb);
        if (lease != null) {
            lease.close();
        }
        return lease;
    }

    /** With an idempotent close. */
    @Benchmark
    public @Nullable Object closedOnce(Routes.Shared routes) {
        return closedOnce(routes.free, routes.vramGb);
    }

    /** With an idempotent close, and threads that do not share the permits' cache line. */
    @Benchmark
    public @Nullable Object striped(Routes.Shared routes) {
        StripedLease lease = StripedLease.take(routes.stripedFirst, routes.stripedSecond, routes.vramGb);
        if (lease != null) {
            lease.close();
        }
        return lease;
    }

    /** With an idempotent close and the reasons kept as codes. */
    @Benchmark
    public @Nullable Object explained(Routes.Shared routes) {
        return explained(routes.free, routes.vramGb);
    }

    /** The same, each thread on substrates of its own. */
    @Benchmark
    public @Nullable Object explainedApart(Routes.Own routes) {
        return explained(routes.free, routes.vramGb);
    }

    /** The first substrate is full, the second takes it. */
    @Benchmark
    public @Nullable Object spilled(Routes.Shared routes) {
        return closedOnce(routes.spilling, routes.vramGb);
    }

    /** The first substrate is full, the second takes it, and the reasons are kept as codes. */
    @Benchmark
    public @Nullable Object spilledExplained(Routes.Shared routes) {
        return explained(routes.spilling, routes.vramGb);
    }

    /** Both are full. */
    @Benchmark
    public @Nullable Object refused(Routes.Shared routes) {
        return closedOnce(routes.full, routes.vramGb);
    }

    private static @Nullable Lease closedOnce(Route route, int vramGb) {
        Lease lease = Lease.take(route, vramGb);
        if (lease != null) {
            lease.close();
        }
        return lease;
    }

    private static @Nullable ExplainedLease explained(Route route, int vramGb) {
        ExplainedLease lease = ExplainedLease.take(route, vramGb);
        if (lease != null) {
            lease.close();
        }
        return lease;
    }
}
