package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** Time that stands still unless it is moved, and in which nothing that was scheduled ever happens. For one thread. */
final class StillTime implements TimeSource {
    private Duration passed = Duration.ZERO;

    void pass(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public long nanos() {
        return passed.toNanos();
    }

    @Override
    public Instant wall() {
        return Instant.EPOCH.plus(passed);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return () -> {};
    }
}
