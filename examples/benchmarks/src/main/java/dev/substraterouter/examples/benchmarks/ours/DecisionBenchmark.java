package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A place between two substrates, taken and given back through the public API. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DecisionBenchmark {
    private final RouteRequest request = RouteRequest.workload("flux");
    private SubstrateRouter router;

    /** Builds the router. */
    @Setup(Level.Trial)
    public void open() {
        router = Pools.router(Pools.two());
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() {
        router.close();
    }

    /** The first candidate takes it. */
    @Benchmark
    public Placement first() {
        Placement placement = router.tryPlace(request).orElseThrow();
        placement.succeed();
        placement.close();
        return placement;
    }
}
