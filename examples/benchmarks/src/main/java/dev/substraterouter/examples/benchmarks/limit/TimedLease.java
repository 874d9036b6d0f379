package dev.substraterouter.examples.benchmarks.limit;

import org.jspecify.annotations.Nullable;

/** A place that knows when it was taken, on whatever clock its holder reads. */
final class TimedLease extends OnceLease {
    private final Spot spot;
    private final int vramGb;
    private final long takenAt;

    private TimedLease(Spot spot, int vramGb, long takenAt) {
        this.spot = spot;
        this.vramGb = vramGb;
        this.takenAt = takenAt;
    }

    static @Nullable TimedLease take(Route route, int vramGb, long now) {
        if (route.first().take(vramGb) == Gate.ADMITTED) {
            return new TimedLease(route.first(), vramGb, now);
        }
        if (route.second().take(vramGb) == Gate.ADMITTED) {
            return new TimedLease(route.second(), vramGb, now);
        }
        return null;
    }

    Spot spot() {
        return spot;
    }

    /** Gives the place back; returns how long it was held, or -1 if it was closed before. */
    long close(long now) {
        if (!firstToClose()) {
            return -1;
        }
        spot.giveBack(vramGb);
        return now - takenAt;
    }
}
