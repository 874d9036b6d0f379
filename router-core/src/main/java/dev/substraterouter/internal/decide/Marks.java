package dev.substraterouter.internal.decide;

/**
 * What the waiters that come earlier in the order of service leave for those that come later: claims, and what NORMAL and HIGH wait for.
 * Belongs to one walk through the queue; not thread-safe.
 */
public final class Marks {
    private final boolean[] claimed;
    private final boolean[] wanted;

    Marks(int substrates) {
        claimed = new boolean[substrates];
        wanted = new boolean[substrates];
    }

    void claim(int substrate) {
        claimed[substrate] = true;
    }

    void want(int substrate) {
        wanted[substrate] = true;
    }

    boolean claimed(int substrate) {
        return claimed[substrate];
    }

    boolean wanted(int substrate) {
        return wanted[substrate];
    }
}
