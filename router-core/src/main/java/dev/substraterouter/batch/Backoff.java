package dev.substraterouter.batch;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a job pauses between attempts: doubling from the first pause to the limit, of which between a half and the whole is taken, so that
 * jobs which failed together do not come back together. Thread-safe; the same seed gives the same pauses in the order of asking.
 */
final class Backoff {
    private static final int MOST_DOUBLINGS = 40;

    private final long firstNanos;
    private final long limitNanos;
    private final long seed;
    private final AtomicLong asked = new AtomicLong();

    Backoff(Duration first, Duration limit, long seed) {
        this.firstNanos = first.toNanos();
        this.limitNanos = Math.max(firstNanos, limit.toNanos());
        this.seed = seed;
    }

    /** The pause after so many attempts. */
    Duration after(int attempts) {
        long whole = firstNanos;
        for (int n = 1; n < Math.min(attempts, MOST_DOUBLINGS) && whole < limitNanos; n++) {
            whole = whole > limitNanos / 2 ? limitNanos : whole * 2;
        }
        return part(whole);
    }

    /** The longest pause. */
    Duration limit() {
        return part(limitNanos);
    }

    private Duration part(long whole) {
        double share = 0.5 + new SplittableRandom(seed + asked.incrementAndGet()).nextDouble() / 2;
        return Duration.ofNanos(Math.max(1, (long) (whole * share)));
    }
}
