package dev.substraterouter.simulate.replay;

import dev.substraterouter.simulate.RandomStream;
import dev.substraterouter.simulate.ServiceTime;
import java.time.Duration;
import java.util.Arrays;

/** Service times of which there may be many: all of them up to a bound, then each as likely (Vitter's algorithm R). Not thread-safe. */
final class Sampled {
    /** How many are kept. */
    static final int MOST = 10_000;

    private static final int FIRST = 16;

    private final RandomStream random;
    private long[] nanos = new long[FIRST];
    private long count;

    Sampled(RandomStream random) {
        this.random = random;
    }

    void add(Duration time) {
        long at = count < MOST ? count : (long) (random.nextDouble() * (count + 1));
        count++;
        if (at < MOST) {
            int index = (int) at;
            if (index == nanos.length) {
                nanos = Arrays.copyOf(nanos, Math.min(MOST, 2 * index));
            }
            nanos[index] = time.toNanos();
        }
    }

    /** How many were added. */
    long count() {
        return count;
    }

    ServiceTime time() {
        return ServiceTime.empirical(Arrays.stream(nanos)
                .limit(Math.min(count, MOST))
                .mapToObj(Duration::ofNanos)
                .toList());
    }
}
