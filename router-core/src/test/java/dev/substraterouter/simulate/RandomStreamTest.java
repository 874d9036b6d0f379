package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RandomStreamTest {
    private static final int MANY = 200_000;

    @Test
    void theGeneratorIsSplitMix64() {
        RandomStream stream = RandomStream.of(0, 0); // seed 12,345
        long state = 12_345;
        for (int at = 0; at < 5; at++) {
            state += 0x9E3779B97F4A7C15L;
            long z = state;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            assertThat(stream.nextLong()).isEqualTo(z ^ (z >>> 31));
        }
    }

    @Test
    void runsAndStreamsDiffer() {
        assertThat(RandomStream.of(1, 1).nextLong())
                .isNotEqualTo(RandomStream.of(1, 2).nextLong())
                .isNotEqualTo(RandomStream.of(2, 1).nextLong())
                .isEqualTo(RandomStream.of(1, 1).nextLong());
    }

    @Test
    void meansAndSpreadsAreAsTheySay() {
        RandomStream stream = RandomStream.of(1, 1);
        double exponential = 0;
        double normal = 0;
        double square = 0;
        int below = 0;
        for (int at = 0; at < MANY; at++) {
            exponential += stream.exponential(3);
            double one = stream.normal();
            normal += one;
            square += one * one;
            int bounded = stream.nextInt(4);
            assertThat(bounded).isBetween(0, 3);
            below += bounded == 0 ? 1 : 0;
        }
        assertThat(exponential / MANY).isBetween(2.97, 3.03);
        assertThat(normal / MANY).isBetween(-0.01, 0.01);
        assertThat(square / MANY).isBetween(0.98, 1.02);
        assertThat((double) below / MANY).isBetween(0.245, 0.255);
    }
}
