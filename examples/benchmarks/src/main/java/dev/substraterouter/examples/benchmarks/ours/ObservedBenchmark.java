package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.metrics.RouterMetrics;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.SystemTimeSource;
import dev.substraterouter.time.TimeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
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
            return router();
        }

        /** The router that is recorded. */
        SubstrateRouter router() {
            return super.built();
        }

        @Override
        @TearDown(Level.Trial)
        public void close() {
            super.close();
            recording.close();
        }
    }

    /** The flight recorder records every decision: the router lives so fast that no second of its own has more than it records. */
    public static class RecordedWhole extends Recorded {
        private final FastTime time = new FastTime();

        @Override
        SubstrateRouter router() {
            return Pools.healthy(SubstrateRouter.builder()
                    .policy(Pools.two(Duration.ofDays(365))) // of its own: nine hours
                    .timeSource(time)
                    .log(false)
                    .build());
        }

        @Override
        @TearDown(Level.Trial)
        public void close() {
            super.close();
            time.close();
        }
    }

    /** The machine's time, a thousand times as fast. */
    private static final class FastTime implements TimeSource {
        private static final long FASTER = 1_000;

        private final SystemTimeSource machine = new SystemTimeSource("benchmark-time");

        @Override
        public long nanos() {
            return machine.nanos() * FASTER;
        }

        @Override
        public Instant wall() {
            return machine.wall();
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return machine.schedule(delay.dividedBy(FASTER), task);
        }

        void close() {
            machine.close();
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

    /** With a recording that has every decision in it, which is so up to 10,000 a second. */
    @Benchmark
    public Placement recordingEach(RecordedWhole pool) {
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
