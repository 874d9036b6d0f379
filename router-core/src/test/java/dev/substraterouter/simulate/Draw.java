package dev.substraterouter.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws of one seed. Not thread-safe. */
final class Draw {
    private final Random random;

    Draw(long seed) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 77);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** From least to most, both included. */
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    double real(double least, double most) {
        return least + (most - least) * random.nextDouble();
    }

    Duration seconds(double least, double most) {
        return Duration.ofMillis((long) (1000 * real(least, most)));
    }

    @SafeVarargs
    final <T> T pick(T... from) {
        return from[random.nextInt(from.length)];
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    <T> List<T> some(List<T> from, int least, int most) {
        List<T> all = new ArrayList<>(from);
        Collections.shuffle(all, random);
        return List.copyOf(all.subList(0, between(Math.min(least, all.size()), Math.min(most, all.size()))));
    }
}
