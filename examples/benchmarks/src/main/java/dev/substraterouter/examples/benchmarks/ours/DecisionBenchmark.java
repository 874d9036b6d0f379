package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;

/** A place between two substrates, taken and given back through the public API, or refused. */
public class DecisionBenchmark extends NanosPerCall {
    private static final RouteRequest AT_ONCE = Pools.FLUX.maxWait(Duration.ZERO);

    /** Both substrates are free. */
    public static class BothFree extends OneRouter {
        @Override
        SubstrateRouter built() {
            return Pools.router(Pools.two());
        }
    }

    /** The first is full of the router's own leases, the second is free. */
    public static class FirstFull extends BothFree {
        @Override
        SubstrateRouter built() {
            SubstrateRouter router = super.built();
            Pools.fill(router, Pools.FLUX, "a");
            return router;
        }
    }

    /** The first is too busy by its status, the second is free. */
    public static class FirstUnhealthy extends BothFree {
        @Override
        SubstrateRouter built() {
            SubstrateRouter router = super.built();
            router.reportStatus("a", Pools.overloaded());
            return router;
        }
    }

    /** Both are full of the router's own leases. */
    public static class BothFull extends FirstFull {
        @Override
        SubstrateRouter built() {
            SubstrateRouter router = super.built();
            Pools.fill(router, Pools.FLUX, "b");
            return router;
        }
    }

    /** Both are too busy by their status. */
    public static class BothUnhealthy extends BothFree {
        @Override
        SubstrateRouter built() {
            return Pools.reported(super.built(), Pools.overloaded());
        }
    }

    /** The first candidate takes it. */
    @Benchmark
    public Placement first(BothFree pool) {
        return placed(pool);
    }

    /** The first candidate is full, the fallback takes it. */
    @Benchmark
    public Placement spillFull(FirstFull pool) {
        return placed(pool);
    }

    /** The first candidate is unhealthy, the fallback takes it. */
    @Benchmark
    public Placement spillUnhealthy(FirstUnhealthy pool) {
        return placed(pool);
    }

    /** Both are full, and nothing is placed. */
    @Benchmark
    public Optional<Placement> busyFull(BothFull pool) {
        return none(pool);
    }

    /** Both are unhealthy, and nothing is placed. */
    @Benchmark
    public Optional<Placement> busyUnhealthy(BothUnhealthy pool) {
        return none(pool);
    }

    /** Both are full, and the refusal is an exception whose message nobody reads. */
    @Benchmark
    public RoutingException refused(BothFull pool) throws InterruptedException {
        try {
            throw new IllegalStateException(pool.router.place(AT_ONCE) + " (expected: a refusal)");
        } catch (RoutingException refused) {
            return refused;
        }
    }

    private static Placement placed(OneRouter pool) {
        Placement placement = pool.router.tryPlace(Pools.FLUX).orElseThrow();
        placement.succeed();
        placement.close();
        return placement;
    }

    private static Optional<Placement> none(OneRouter pool) {
        return pool.router.tryPlace(Pools.FLUX);
    }
}
