package dev.substraterouter.properties;

import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * The invariants over random policies, statuses and requests: as {@link ModelTest}, where no two policies are alike. What the model and
 * the router agree on after every step: no over-admission and no placement against the newest verdict (1, 2), no candidate that the
 * policy or the request rules out (3), the first admissible one in order (4), exactly the places (5), one outcome each and every lease
 * back (6), who is woken and in which order (7), one trace each (8), reloads (9), and that a recommendation says what is done then and
 * changes nothing (11).
 */
class InvariantPropertyTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private Level before;

    @BeforeProperty
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterProperty
    void speak() {
        LOG.setLevel(before);
    }

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void holdForAnyPolicy(@ForAll long seed) {
        Duel.run(seed, 300, WildPolicies::new);
    }
}
