package dev.substraterouter.examples.whatif.reference;

import org.jspecify.annotations.Nullable;

/** Work under way, as the ledger knows it. Not thread-safe. */
final class Flight {
    final Station station;
    final double vramGb;

    @Nullable
    Runnable stop;

    /** Seconds of work left at {@link #since}. */
    private double left;

    private double since;

    Flight(Station station, double vramGb, double work, double now) {
        this.station = station;
        this.vramGb = vramGb;
        this.left = work;
        this.since = now;
    }

    /** It has gone on at a speed up to now. */
    void progress(double speed, double now) {
        left = Math.max(0, left - (now - since) * speed);
        since = now;
    }

    /** When it is expected to end at a speed; now, if it should have ended. */
    double end(double speed, double now) {
        return Math.max(now, since + left / speed);
    }
}
