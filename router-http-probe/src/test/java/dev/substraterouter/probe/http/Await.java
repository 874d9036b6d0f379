package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, never for a time. */
final class Await {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final long LOOK_NANOS = 1_000_000;

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, DEADLINE, condition);
    }

    static void until(String what, Duration deadline, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > deadline.toNanos()) {
                fail("not within " + deadline + ": " + what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
