package dev.substraterouter.examples.benchmarks.limit;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The routes that a benchmark takes places on. */
public class Routes {
    final Route free = Route.free();
    final Route spilling = Route.spilling();
    final Route full = Route.full();
    final StripedSpot stripedFirst = new StripedSpot();
    final StripedSpot stripedSecond = new StripedSpot();
    int vramGb = Spot.JOB_VRAM_GB;

    /** One for all threads: they meet on one substrate. */
    @State(Scope.Benchmark)
    public static class Shared extends Routes {}

    /** One for each thread: they never meet. */
    @State(Scope.Thread)
    public static class Own extends Routes {}
}
