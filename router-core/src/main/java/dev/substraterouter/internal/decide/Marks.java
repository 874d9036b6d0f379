package dev.substraterouter.internal.decide;

import java.util.Arrays;

/**
 * What the waiters that come earlier in the order of service leave for those that come later: claims, what NORMAL and HIGH wait for, and
 * how much work is ahead. Belongs to one walk through the queue; not thread-safe.
 */
public final class Marks {
    private static final long[] NONE = {};

    private final boolean[] claimed;
    private final boolean[] wanted;
    private final long[][] ahead;

    Marks(int substrates) {
        claimed = new boolean[substrates];
        wanted = new boolean[substrates];
        ahead = new long[substrates][];
    }

    void claim(int substrate) {
        claimed[substrate] = true;
    }

    void want(int substrate) {
        wanted[substrate] = true;
    }

    /** Somebody heads for a substrate with work that takes so long. */
    void ahead(int substrate, long nanos) {
        long[] before = ahead(substrate);
        long[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = nanos;
        ahead[substrate] = more;
    }

    boolean claimed(int substrate) {
        return claimed[substrate];
    }

    boolean wanted(int substrate) {
        return wanted[substrate];
    }

    /** How long the work of those takes that head for a substrate, in the order of service. */
    long[] ahead(int substrate) {
        long[] there = ahead[substrate];
        return there == null ? NONE : there;
    }
}
