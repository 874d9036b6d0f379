package dev.substraterouter.properties;

import dev.substraterouter.properties.ContractWalk.Tally;
import dev.substraterouter.trace.Reason;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * No constraint is ever relaxed (invariant 3), over policies, requests and pools that are all different, whatever way a request takes: at
 * once, after waiting, by failover, overflow, batch or to everybody, across reloads. With it what the same runs show: a recommendation
 * changes nothing and says what is done then (11), overflow comes last (4), and a refusal names what is really so.
 */
class ConstraintPropertyTest {
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final int TRIES = 60;
    private static final int BROADCAST_TRIES = 30;

    private final Tally tally = new Tally();
    private Level before;
    private int runs;

    @BeforeProperty
    void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterProperty
    void speak() {
        LOG.setLevel(before);
    }

    @Property(tries = TRIES, seed = "4711", shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void noConstraintIsEverRelaxed(@ForAll long seed) {
        ContractWalk.run(seed, 200, 20, tally);
        if (++runs == TRIES) {
            wentEverywhere();
        }
    }

    @Property(tries = BROADCAST_TRIES, seed = "4712", shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void aBroadcastRelaxesNoneEither(@ForAll long seed) {
        ContractWalk.run(seed, 120, 2, tally);
        if (++runs == BROADCAST_TRIES) {
            tally.atLeast(100, "broadcast to 0", "broadcast to 1");
            tally.atLeast(20, "broadcast to 2", "broadcast to overflow");
            tally.atLeast(5, "broadcast to 3");
        }
    }

    /** The seeds are fixed, and so is how often they lead to what matters; far less than that is a walk that goes nowhere. */
    private void wentEverywhere() {
        tally.atLeast(1000, "attempts");
        tally.atLeast(
                200,
                "path PRIMARY",
                "path FALLBACK",
                "path OVERFLOW",
                "overflow at once",
                "external",
                "by need",
                "by a workload without a route",
                "after a reload",
                "under roles",
                "refused NOT_AUTHORIZED",
                "refused NO_ELIGIBLE_SUBSTRATE",
                "refused NO_WAIT");
        tally.atLeast(
                40,
                "path BATCH",
                "attempt 2",
                "by pin",
                "spanning",
                "after waiting",
                "with somebody avoided",
                "priority low",
                "just met: COST",
                "just met: LATENCY",
                "just met: QUALITY",
                "under a cost limit",
                "under a latency limit",
                "under a quality limit",
                "nobody refused",
                "refused QUEUE_FULL",
                "refused UNKNOWN_WORKLOAD");
        for (Reason reason : ContractWalk.FOR_GOOD) {
            tally.atLeast(40, "never: " + reason);
        }
        tally.atLeast(
                40,
                "busy: CORDONED",
                "busy: EJECTED",
                "busy: RUNNING_JOBS",
                "busy: GPU_UTIL",
                "busy: VRAM",
                "busy: OVERFLOW_LATER",
                "busy: BUSY");
        tally.atLeast(5, "attempt 3", "attempt 4", "ended WAIT_EXPIRED", "ended BEYOND_WAIT", "busy: TRIAL_RUNNING");
        tally.atLeast(2, "ended OUTRANKED", "ended CLOSED");
    }
}
