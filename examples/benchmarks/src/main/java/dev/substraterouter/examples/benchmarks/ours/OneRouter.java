package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.SubstrateRouter;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One router that all threads of a benchmark share; the subclasses say how it stands. */
@State(Scope.Benchmark)
public abstract class OneRouter {
    SubstrateRouter router;

    /** A router that stands as the benchmark needs it. */
    abstract SubstrateRouter built();

    /** Builds it. */
    @Setup(Level.Trial)
    public void open() {
        router = built();
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() {
        router.close();
    }
}
