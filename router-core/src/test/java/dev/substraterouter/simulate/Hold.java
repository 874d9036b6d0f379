package dev.substraterouter.simulate;

import dev.substraterouter.trace.Outcome;

/** A lease as whoever watches the run counts it. Not thread-safe. */
final class Hold {
    final Asked by;
    final String substrate;
    final long startNanos;
    /** What it reserves, MiB: at the least, where its model may be resident, and at the most. */
    final long leastMib;

    final long mostMib;
    final long loadNanos;
    /** How long its work is declared to take, at the least; negative: unknown. */
    final long latencyNanos;

    /** The number of the run's event in which it was taken. */
    final long event;

    /** Whether the newest status has its memory in it. */
    boolean seen;

    /** When it ended; negative: it is open. */
    long endedNanos = -1;

    /** BUSY: not before this may the same request come back. */
    long backNanos = Long.MIN_VALUE;

    /** How it ended. */
    Outcome outcome = Outcome.OPEN;

    Hold(Asked by, String substrate, long startNanos, long leastMib, long mostMib, long loadNanos, long latencyNanos, long event) {
        this.by = by;
        this.substrate = substrate;
        this.startNanos = startNanos;
        this.leastMib = leastMib;
        this.mostMib = mostMib;
        this.loadNanos = loadNanos;
        this.latencyNanos = latencyNanos;
        this.event = event;
    }

    /** Whether it counts although it has ended, as long as its work may still run; not whether that is over. */
    boolean mayLinger() {
        return outcome == Outcome.NODE_FAULT || outcome == Outcome.NEUTRAL;
    }

    boolean open() {
        return endedNanos < 0;
    }

    void end(long nanos, Outcome how) {
        if (open()) {
            endedNanos = nanos;
            outcome = how;
        }
    }
}
