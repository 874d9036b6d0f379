package dev.substraterouter.examples.benchmarks.limit;

import org.jspecify.annotations.Nullable;

/** A place that must be given back exactly once by its holder's own care. */
final class BareLease {
    private final Spot spot;
    private final int vramGb;

    private BareLease(Spot spot, int vramGb) {
        this.spot = spot;
        this.vramGb = vramGb;
    }

    static @Nullable BareLease take(Route route, int vramGb) {
        if (route.first().take(vramGb) == Gate.ADMITTED) {
            return new BareLease(route.first(), vramGb);
        }
        if (route.second().take(vramGb) == Gate.ADMITTED) {
            return new BareLease(route.second(), vramGb);
        }
        return null;
    }

    Spot spot() {
        return spot;
    }

    void close() {
        spot.giveBack(vramGb);
    }
}
