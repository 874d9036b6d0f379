package dev.substraterouter.examples.benchmarks.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Four predicates and one packed counter: low half the jobs that run, high half the VRAM they hold. */
class Gate extends LineBefore {
    static final int ADMITTED = 0;
    static final int UTIL_HIGH = 1;
    static final int TEMP_HIGH = 1 << 1;
    static final int JOBS_FULL = 1 << 2;
    static final int VRAM_SHORT = 1 << 3;

    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(Gate.class, "held", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long held;
    private volatile Facts facts;
    private final int maxUtilPct;
    private final int maxTempC;
    private final int maxJobs;

    Gate(Facts facts, Limits limits) {
        this.facts = facts;
        maxUtilPct = limits.maxUtilPct();
        maxTempC = limits.maxTempC();
        maxJobs = limits.maxJobs();
    }

    /** Takes a place; returns {@link #ADMITTED} or why there is none. */
    final int take(int vramGb) {
        Facts now = facts;
        if (now.utilPct() > maxUtilPct) {
            return UTIL_HIGH;
        }
        if (now.tempC() > maxTempC) {
            return TEMP_HIGH;
        }
        long place = place(vramGb);
        while (true) {
            long seen = held;
            if ((int) seen >= maxJobs) {
                return JOBS_FULL;
            }
            if (now.vramFreeGb() - (int) (seen >>> Integer.SIZE) < vramGb) {
                return VRAM_SHORT;
            }
            if (HELD.compareAndSet(this, seen, seen + place)) {
                return ADMITTED;
            }
        }
    }

    /** Gives the place back. */
    final void giveBack(int vramGb) {
        long place = place(vramGb);
        long seen;
        do {
            seen = held;
        } while (!HELD.compareAndSet(this, seen, seen - place));
    }

    final int jobs() {
        return (int) held;
    }

    final void report(Facts next) {
        facts = next;
    }

    private static long place(int vramGb) {
        return ((long) vramGb << Integer.SIZE) + 1;
    }
}
