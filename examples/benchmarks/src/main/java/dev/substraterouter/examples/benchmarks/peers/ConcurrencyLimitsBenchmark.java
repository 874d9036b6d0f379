package dev.substraterouter.examples.benchmarks.peers;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Netflix concurrency-limits: a simple limiter for each of two substrates, asked in order. */
@State(Scope.Benchmark)
public class ConcurrencyLimitsBenchmark extends NanosPerCall {
    private static final String CONTEXT = "inference";

    private final Limiter<String> free = limiter();
    private final Limiter<String> second = limiter();
    private final Limiter<String> full = full();
    private final Limiter<String> alsoFull = full();

    /** The first takes it. */
    @Benchmark
    public Limiter.@Nullable Listener simple() {
        return take(free, second);
    }

    /** The first is full, the second takes it. */
    @Benchmark
    public Limiter.@Nullable Listener spilled() {
        return take(full, second);
    }

    /** Both are full. */
    @Benchmark
    public Limiter.@Nullable Listener refused() {
        return take(full, alsoFull);
    }

    private static Limiter.@Nullable Listener take(Limiter<String> first, Limiter<String> second) {
        Limiter.Listener listener = first.acquire(CONTEXT).orElse(null);
        if (listener == null) {
            listener = second.acquire(CONTEXT).orElse(null);
        }
        if (listener != null) {
            listener.onSuccess();
        }
        return listener;
    }

    private static Limiter<String> limiter() {
        return SimpleLimiter.newBuilder().limit(FixedLimit.of(Load.MAX_JOBS)).build();
    }

    private static Limiter<String> full() {
        Limiter<String> limiter = limiter();
        Load.fill(() -> limiter.acquire(CONTEXT).isPresent());
        return limiter;
    }
}
