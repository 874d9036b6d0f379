package dev.substraterouter.examples.benchmarks.peers;

import dev.substraterouter.examples.benchmarks.NanosPerCall;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Resilience4j: a circuit breaker and a bulkhead for each of two substrates, asked in order. */
public class Resilience4jBenchmark extends NanosPerCall {

    /** The first takes it; the breaker learns how long it took. */
    @Benchmark
    public @Nullable Object timed(Shared guards) {
        return timed(guards.free, guards.second);
    }

    /** The same, each thread on substrates of its own. */
    @Benchmark
    public @Nullable Object timedApart(Own guards) {
        return timed(guards.free, guards.second);
    }

    /** With the breaker's lock-free window. */
    @Benchmark
    public @Nullable Object timedLockFree(Shared guards) {
        return timed(guards.freeLockFree, guards.secondLockFree);
    }

    /** The first takes it; the breaker learns only that it went well. */
    @Benchmark
    public @Nullable Object untimed(Shared guards) {
        Guard guard = Guard.take(guards.free, guards.second);
        if (guard != null) {
            guard.succeed(0);
        }
        return guard;
    }

    /** The first is full, the second takes it. */
    @Benchmark
    public @Nullable Object spilled(Shared guards) {
        return timed(guards.full, guards.second);
    }

    /** Both are full. */
    @Benchmark
    public @Nullable Object refused(Shared guards) {
        return timed(guards.full, guards.alsoFull);
    }

    private static @Nullable Guard timed(Guard first, Guard second) {
        Guard guard = Guard.take(first, second);
        if (guard != null) {
            long start = guard.breaker().getCurrentTimestamp();
            guard.succeed(guard.breaker().getCurrentTimestamp() - start);
        }
        return guard;
    }

    /** Two substrates in each state that a benchmark needs. */
    public static class Guards {
        final Guard free = Guard.of("free", SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
        final Guard second = Guard.of("second", SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
        final Guard freeLockFree = Guard.of("free-lock-free", SlidingWindowSynchronizationStrategy.LOCK_FREE);
        final Guard secondLockFree = Guard.of("second-lock-free", SlidingWindowSynchronizationStrategy.LOCK_FREE);
        final Guard full = Guard.full("full");
        final Guard alsoFull = Guard.full("also-full");
    }

    /** One pair for all threads. */
    @State(Scope.Benchmark)
    public static class Shared extends Guards {}

    /** One pair for each thread. */
    @State(Scope.Thread)
    public static class Own extends Guards {}

    /** What stands before one substrate. */
    record Guard(CircuitBreaker breaker, Bulkhead bulkhead) {

        static Guard of(String name, SlidingWindowSynchronizationStrategy window) {
            CircuitBreakerConfig breaker = CircuitBreakerConfig.custom()
                    .slidingWindowSynchronizationStrategy(window)
                    .build();
            BulkheadConfig bulkhead = BulkheadConfig.custom()
                    .maxConcurrentCalls(Load.MAX_JOBS)
                    .maxWaitDuration(Duration.ZERO)
                    .build();
            return new Guard(CircuitBreaker.of(name, breaker), Bulkhead.of(name, bulkhead));
        }

        static Guard full(String name) {
            Guard guard = of(name, SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
            Load.fill(guard.bulkhead::tryAcquirePermission);
            return guard;
        }

        static @Nullable Guard take(Guard first, Guard second) {
            if (first.tryTake()) {
                return first;
            }
            return second.tryTake() ? second : null;
        }

        private boolean tryTake() {
            if (!breaker.tryAcquirePermission()) {
                return false;
            }
            if (bulkhead.tryAcquirePermission()) {
                return true;
            }
            breaker.releasePermission();
            return false;
        }

        void succeed(long nanos) {
            bulkhead.onComplete();
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
