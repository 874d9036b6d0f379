package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A need without a workload, matched against many substrates. */
public class NeedBenchmark extends NanosPerCall {
    private static final RouteRequest SOME = some();
    private static final RouteRequest ANY = RouteRequest.need(any().build());

    /** The last need that was asked for the first time. */
    @State(Scope.Thread)
    public static class Newest {
        private int asked;

        RouteRequest next() {
            asked = (asked + 1) % 20_000; // all fit, and no route of an earlier round is kept that long
            return RouteRequest.need(any().vramGb(1 + asked / 1024.0).build());
        }
    }

    /** The first fit is free, its route is known, and the caller keeps the need. */
    @Benchmark
    public Placement reused(ManySubstrates.Free pool) {
        return placed(pool, SOME);
    }

    /** The same with a need that is built for each request. */
    @Benchmark
    public Placement fresh(ManySubstrates.Free pool) {
        return placed(pool, some());
    }

    /** Every substrate fits, and every one is too busy by its status. */
    @Benchmark
    public Optional<Placement> allUnhealthy(ManySubstrates.Unhealthy pool) {
        return pool.router.tryPlace(ANY);
    }

    /** Every substrate fits, and nothing was ever heard of any. */
    @Benchmark
    public Optional<Placement> allUnseen(ManySubstrates.Unseen pool) {
        return pool.router.tryPlace(ANY);
    }

    /** A need that was never asked before and that every substrate fits: its route is made. */
    @Benchmark
    public Placement compiled(ManySubstrates.Free pool, Newest newest) {
        return placed(pool, newest.next());
    }

    private static RouteRequest some() {
        return RouteRequest.need(
                Need.builder().capabilities("cuda", "c3").vramGb(8).build());
    }

    private static Need.Builder any() {
        return Need.builder().capabilities("cuda").vramGb(8);
    }

    private static Placement placed(OneRouter pool, RouteRequest request) {
        Placement placement = pool.router.tryPlace(request).orElseThrow();
        placement.succeed();
        placement.close();
        return placement;
    }
}
