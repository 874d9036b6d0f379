package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariants over random scenarios, each a policy and what happens to it, watched event by event. */
class SimulatedInvariantsTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final int SEEDS = 100;
    private static final int SOAK_SEEDS = 20_000;
    private static final int MOST_TOLD = 20;

    private @Nullable Level before;

    @BeforeEach
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        LOG.setLevel(before);
    }

    @Test
    void holdInRandomScenarios() {
        watch(1, SEEDS);
    }

    @Tag("soak")
    @Test
    void holdInRandomScenariosForLong() {
        watch(SEEDS + 1, SOAK_SEEDS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 42})
    void aSeedReplaysToTheByte(long seed) {
        assertThat(Harness.report(seed)).isEqualTo(Harness.report(seed));
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 15, 43})
    void observersThatThrowChangeNothing(long seed) {
        assertThat(Rude.report(seed, 1)).isEqualTo(Harness.report(seed));
    }

    private static void watch(long first, int count) {
        long began = System.nanoTime();
        List<String> broken = new ArrayList<>();
        for (long seed = first; seed < first + count && broken.size() < MOST_TOLD; seed++) {
            String verdict = Harness.run(seed);
            if (verdict != null) {
                System.out.println("SimulatedInvariantsTest: " + verdict);
                broken.add(verdict);
            }
        }
        System.out.printf(
                "SimulatedInvariantsTest: %d scenarios in %.1f s%n", count, (System.nanoTime() - began) / 1e9);
        assertThat(broken).isEmpty();
    }
}
