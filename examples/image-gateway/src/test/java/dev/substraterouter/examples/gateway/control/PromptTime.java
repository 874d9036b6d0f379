package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** Another time in which what is due in a moment happens at once, so that a test that drives time need not drive every moment. */
record PromptTime(TimeSource time) implements TimeSource {
    private static final Duration MOMENT = Duration.ofMillis(100);

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public Instant wall() {
        return time.wall();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        if (delay.compareTo(MOMENT) > 0) {
            return time.schedule(delay, task);
        }
        task.run();
        return () -> {};
    }
}
