package dev.substraterouter;

import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets so many through in each second. Thread-safe; where many more come, most of them only read. When a second begins while others are
 * counted, a few more may get through.
 */
final class Pace {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final int most;
    private final AtomicLong since;
    private final AtomicInteger taken = new AtomicInteger();

    Pace(int most, TimeSource time) {
        this.most = most;
        this.since = new AtomicLong(time.nanos());
    }

    boolean lets(long now) {
        long began = since.get();
        if (now - began >= SECOND && since.compareAndSet(began, now)) {
            taken.set(0);
        }
        return taken.get() < most && taken.incrementAndGet() <= most;
    }
}
