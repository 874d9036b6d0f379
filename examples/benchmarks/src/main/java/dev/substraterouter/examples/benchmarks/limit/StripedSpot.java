package dev.substraterouter.examples.benchmarks.limit;

import java.util.concurrent.atomic.AtomicLongArray;

/** A spot whose jobs are counted in stripes of one job each on a cache line of their own: a thread looks in its own stripe first. */
final class StripedSpot {
    static final int NONE = -1;

    private static final int STRIPES = Spot.MAX_JOBS;
    private static final int LONGS_BETWEEN = 16;

    private final AtomicLongArray held = new AtomicLongArray((STRIPES + 2) * LONGS_BETWEEN);
    private final int maxUtilPct;
    private final int maxTempC;
    private final int vramOfStripeGb;
    private volatile Facts facts = Facts.healthy();

    StripedSpot() {
        maxUtilPct = Limits.usual().maxUtilPct();
        maxTempC = Limits.usual().maxTempC();
        vramOfStripeGb = facts.vramFreeGb() / STRIPES;
    }

    /** Takes a place; returns its stripe or {@link #NONE}. */
    int take(int vramGb) {
        Facts now = facts;
        if (now.utilPct() > maxUtilPct || now.tempC() > maxTempC || vramOfStripeGb < vramGb) {
            return NONE;
        }
        int own = (int) Thread.currentThread().getId();
        for (int i = 0; i < STRIPES; i++) {
            int stripe = (own + i) & (STRIPES - 1);
            int at = at(stripe);
            if (held.get(at) == 0 && held.compareAndSet(at, 0, vramGb)) {
                return stripe;
            }
        }
        return NONE;
    }

    /** Frees the stripe, whose only holder calls this. */
    void giveBack(int stripe, int vramGb) {
        if (!held.compareAndSet(at(stripe), vramGb, 0)) {
            throw new IllegalStateException("stripe " + stripe + " does not hold " + vramGb + " GB");
        }
    }

    int jobs() {
        int jobs = 0;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            jobs += held.get(at(stripe)) == 0 ? 0 : 1;
        }
        return jobs;
    }

    void report(Facts next) {
        facts = next;
    }

    private static int at(int stripe) {
        return (stripe + 1) * LONGS_BETWEEN;
    }
}
