package dev.substraterouter.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The router against {@link NaiveRouter}: random requests, endings, cancellations, statuses, operators, reloads and time; after every step
 * both must agree on who runs where, who waits, who is refused and why, and on every count.
 */
class ModelTest {
    private static final int STEPS = 10_000;
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private Level before;

    @BeforeEach
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        LOG.setLevel(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5097873700646L})
    void agreesWithTheNaiveModel(long seed) {
        run(seed, STEPS);
    }

    @Test
    void agreesWithTheNaiveModelOnARandomSeed() {
        long seed = System.nanoTime();
        System.out.println("ModelTest: random seed " + seed);
        run(seed, STEPS);
    }

    @Tag("soak")
    @Test
    void agreesWithTheNaiveModelForLong() {
        long first = System.nanoTime();
        System.out.println("ModelTest: random seeds from " + first);
        for (long seed = first; seed < first + 100; seed++) {
            run(seed, STEPS);
        }
    }

    private static void run(long seed, int steps) {
        assertThat(Duel.run(seed, steps, ModelPolicies::new)).as("placed").isGreaterThan(100);
    }
}
