package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.metrics.RouterMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import jdk.jfr.Recording;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.TearDown;

/** What it costs to be watched: a place taken and given back while nobody looks, with metrics, and with the flight recorder as well. */
public class ObservedBenchmark extends NanosPerCall {
    private static final List<String> EVENTS = List.of("Decision", "Wait", "Ejection", "Reload");

    /** Nobody looks. */
    public static class Bare extends OneRouter {
        @Override
        SubstrateRouter built() {
            return Pools.router(Pools.two());
        }
    }

    /** The metrics are bound to a registry. */
    public static class Measured extends Bare {
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

        @Override
        SubstrateRouter built() {
            SubstrateRouter router = super.built();
            RouterMetrics.of(router).bindTo(registry);
            return router;
        }
    }

    /** The flight recorder records the router's events. */
    public static class Recorded extends Bare {
        private final Recording recording = recording();

        @Override
        SubstrateRouter built() {
            recording.start();
            return super.built();
        }

        @Override
        @TearDown(Level.Trial)
        public void close() {
            super.close();
            recording.close();
        }
    }

    /** Both. */
    public static class Observed extends Measured {
        private final Recording recording = recording();

        @Override
        SubstrateRouter built() {
            recording.start();
            return super.built();
        }

        @Override
        @TearDown(Level.Trial)
        public void close() {
            super.close();
            recording.close();
        }
    }

    private static Recording recording() {
        Recording recording = new Recording();
        recording.setToDisk(false);
        recording.setMaxSize(16L << 20);
        EVENTS.forEach(event -> recording.enable("dev.substraterouter." + event));
        return recording;
    }

    /** Nobody looks. */
    @Benchmark
    public Placement bare(Bare pool) {
        return placed(pool);
    }

    /** With metrics bound. */
    @Benchmark
    public Placement metrics(Measured pool) {
        return placed(pool);
    }

    /** With a recording of the router's events running. */
    @Benchmark
    public Placement recording(Recorded pool) {
        return placed(pool);
    }

    /** With both. */
    @Benchmark
    public Placement both(Observed pool) {
        return placed(pool);
    }

    private static Placement placed(OneRouter pool) {
        Placement placement = pool.router.tryPlace(Pools.FLUX).orElseThrow();
        placement.succeed();
        placement.close();
        return placement;
    }
}
