package dev.substraterouter.simulate;

/** An invariant that a run has broken. */
final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    Broken(int invariant, long seed, long nanos, String what) {
        super("invariant " + invariant + " at seed " + seed + ", " + nanos / 1e9 + " s: " + what);
    }
}
