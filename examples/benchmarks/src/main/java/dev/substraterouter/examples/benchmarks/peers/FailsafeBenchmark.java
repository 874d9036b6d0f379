package dev.substraterouter.examples.benchmarks.peers;

import dev.failsafe.Bulkhead;
import dev.failsafe.BulkheadFullException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Fallback;
import dev.substraterouter.examples.benchmarks.NanosPerCall;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Failsafe: a bulkhead for each of two substrates, by hand or behind an executor that falls back to the second. */
@State(Scope.Benchmark)
public class FailsafeBenchmark extends NanosPerCall {
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    private final Bulkhead<String> free = Bulkhead.of(Load.MAX_JOBS);
    private final Bulkhead<String> second = Bulkhead.of(Load.MAX_JOBS);
    private final Bulkhead<String> full = full();
    private final Bulkhead<String> alsoFull = full();
    private final FailsafeExecutor<String> onSecond = Failsafe.with(second);
    private final FailsafeExecutor<String> onFree = Failsafe.with(toSecond(), free);
    private final FailsafeExecutor<String> onFull = Failsafe.with(toSecond(), full);

    /** Permits taken and given back by hand; the first takes it. */
    @Benchmark
    public @Nullable Object permits() {
        return permit(free, second);
    }

    /** Permits by hand; the first is full, the second takes it. */
    @Benchmark
    public @Nullable Object permitsSpilled() {
        return permit(full, second);
    }

    /** Permits by hand; both are full. */
    @Benchmark
    public @Nullable Object permitsRefused() {
        return permit(full, alsoFull);
    }

    /** A call through the executor; the first takes it. */
    @Benchmark
    public String executor() {
        return onFree.get(() -> FIRST);
    }

    /** A call through the executor; the first is full and the fallback calls the second. */
    @Benchmark
    public String executorSpilled() {
        return onFull.get(() -> FIRST);
    }

    private Fallback<String> toSecond() {
        return Fallback.<String>builder(() -> onSecond.get(() -> SECOND))
                .handle(BulkheadFullException.class)
                .build();
    }

    private static Bulkhead<String> full() {
        Bulkhead<String> bulkhead = Bulkhead.of(Load.MAX_JOBS);
        Load.fill(bulkhead::tryAcquirePermit);
        return bulkhead;
    }

    private static @Nullable String permit(Bulkhead<String> first, Bulkhead<String> second) {
        if (first.tryAcquirePermit()) {
            first.releasePermit();
            return FIRST;
        }
        if (second.tryAcquirePermit()) {
            second.releasePermit();
            return SECOND;
        }
        return null;
    }
}
