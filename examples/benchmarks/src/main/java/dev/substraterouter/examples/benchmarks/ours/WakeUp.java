package dev.substraterouter.examples.benchmarks.ours;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How long it takes from the closing of a lease until the future of whoever waits for it is completed, on the default executor. */
public final class WakeUp {
    /** So long nothing happens between two samples, as in a service with work of seconds: the executor's threads are asleep. */
    private static final long GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    private static final int SAMPLES = 3_000;

    private WakeUp() {}

    /** The median of some thousands in a Java machine of its own, in nanoseconds. */
    public static double measureForked() throws IOException, InterruptedException {
        return Forked.run(WakeUp.class, NanosPerCall.HEAP).get("median");
    }

    /** Prints the figure. */
    public static void main(String[] args) {
        System.out.println("median=" + medianNanos(SAMPLES));
    }

    /** The median of so many here, in nanoseconds; as many are made before to warm up. */
    static double medianNanos(int samples) {
        try (SubstrateRouter router = Pools.router(Pools.queued(1))) {
            sample(router, samples);
            long[] nanos = sample(router, samples);
            Arrays.sort(nanos);
            return nanos[nanos.length / 2];
        }
    }

    private static long[] sample(SubstrateRouter router, int samples) {
        long[] nanos = new long[samples];
        Placement holder = router.tryPlace(Pools.FLUX).orElseThrow();
        for (int at = 0; at < samples; at++) {
            CompletableFuture<Placement> waiter = router.placeAsync(Pools.FLUX);
            CompletableFuture<Long> woken = waiter.thenApply(placement -> System.nanoTime());
            LockSupport.parkNanos(GAP_NANOS);
            long closed = System.nanoTime();
            holder.close();
            nanos[at] = woken.join() - closed;
            holder = waiter.join();
        }
        holder.close();
        return nanos;
    }
}
