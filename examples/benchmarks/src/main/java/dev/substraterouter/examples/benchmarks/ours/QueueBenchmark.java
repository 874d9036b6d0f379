package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** A long queue before one slot: a request joins at the end, the slot comes free, and the request at the front gets it. */
public class QueueBenchmark extends NanosPerCall {
    /** A slot that is taken, and those who wait for it. */
    public static class Waiters extends OneRouter {
        /** How many wait. */
        @Param({"10", "100", "1000", "10000"})
        int waiters = 10;

        private final Deque<CompletableFuture<Placement>> line = new ArrayDeque<>();

        @Override
        SubstrateRouter built() {
            SubstrateRouter built = Pools.healthy(SubstrateRouter.builder()
                    .policy(Pools.queued(waiters + 1))
                    .executor(Runnable::run)
                    .log(false)
                    .build());
            for (int at = 0; at <= waiters; at++) { // the first has the slot
                line.add(built.placeAsync(Pools.FLUX));
            }
            return built;
        }

        private synchronized Placement step() {
            line.add(router.placeAsync(Pools.FLUX));
            Placement served = line.remove().join();
            served.close();
            return served;
        }
    }

    /** One joins and one is served. */
    @Benchmark
    public Placement joinAndServe(Waiters waiters) {
        return waiters.step();
    }
}
