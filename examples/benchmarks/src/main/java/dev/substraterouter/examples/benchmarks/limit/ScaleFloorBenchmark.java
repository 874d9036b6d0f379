package dev.substraterouter.examples.benchmarks.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Matching a need against many substrates, written by hand: what grows with their number, and what need not. */
@State(Scope.Benchmark)
public class ScaleFloorBenchmark extends NanosPerCall {
    private static final int ORDERS_KEPT = 256;

    /** How many substrates. */
    @Param({"10", "100", "1000", "10000"})
    public int substrates;

    private Fleet fleet = Fleet.of(0);
    private Fleet down = fleet;
    private int[] order = {};
    private long capabilities = 0b101;
    private int vramGb = 8;
    private final Cache<Fleet.Need, int[]> orders =
            Caffeine.newBuilder().maximumSize(ORDERS_KEPT).build();

    /** Builds a fleet that is up and the same one down. */
    @Setup(Level.Trial)
    public void build() {
        fleet = Fleet.of(substrates);
        down = Fleet.allDown(substrates);
        order = fleet.order(need());
    }

    /** Every substrate is looked at and the best kept. */
    @Benchmark
    public int scanForBest() {
        return fleet.best(need());
    }

    /** The order was made when the need was first seen, and is found again by the need. */
    @Benchmark
    public int cachedOrder() {
        return fleet.firstUp(orders.get(need(), fleet::order));
    }

    /** The caller holds the order. */
    @Benchmark
    public int preparedOrder() {
        return fleet.firstUp(order);
    }

    /** The need was never seen: filter and sort. */
    @Benchmark
    public int[] makeOrder() {
        return fleet.order(need());
    }

    /** All are down: the order is walked to its end. */
    @Benchmark
    public int allDownByOrder() {
        return down.firstUp(order);
    }

    /** All are down: the bit set is read to its end. */
    @Benchmark
    public int allDownByBits() {
        return down.firstUpByBits();
    }

    /** One substrate goes down and comes back. */
    @Benchmark
    public void statusOffAndOn() {
        fleet.report(0, false);
        fleet.report(0, true);
    }

    private Fleet.Need need() {
        return new Fleet.Need(capabilities, vramGb);
    }
}
