package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.model.RouteRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/** Two threads that take places and give them back, on one substrate and on one each. */
public class TwoThreadsBenchmark extends NanosPerCall {
    /** One router with two routes over the same two substrates, each with another one first. */
    public static class Apart extends OneRouter {
        @Override
        SubstrateRouter built() {
            return Pools.router(Pools.apart());
        }
    }

    /** The route of one thread. */
    @State(Scope.Thread)
    public static class Lane {
        private RouteRequest request = RouteRequest.workload("lane0");

        /** Gives every second thread the other route. */
        @Setup(Level.Trial)
        public void choose(ThreadParams thread) {
            request = RouteRequest.workload("lane" + thread.getThreadIndex() % 2);
        }
    }

    /** Both threads prefer the same of two substrates. */
    @Benchmark
    @Threads(2)
    public Placement same(DecisionBenchmark.BothFree pool) {
        return placed(pool, Pools.FLUX);
    }

    /** Each thread is placed on a substrate of its own. */
    @Benchmark
    @Threads(2)
    public Placement apart(Apart pool, Lane lane) {
        return placed(pool, lane.request);
    }

    /** One thread, placed on the first of two substrates: what {@link #apart} is compared with. */
    @Benchmark
    @Threads(1)
    public Placement alone(Apart pool, Lane lane) {
        return placed(pool, lane.request);
    }

    private static Placement placed(OneRouter pool, RouteRequest request) {
        Placement placement = pool.router.tryPlace(request).orElseThrow();
        placement.succeed();
        placement.close();
        return placement;
    }
}
