package dev.substraterouter.examples.benchmarks.limit;

import org.jspecify.annotations.Nullable;

/** A place with an idempotent close. */
final class Lease extends OnceLease {
    private final Spot spot;
    private final int vramGb;

    private Lease(Spot spot, int vramGb) {
        this.spot = spot;
        this.vramGb = vramGb;
    }

    static @Nullable Lease take(Route route, int vramGb) {
        if (route.first().take(vramGb) == Gate.ADMITTED) {
            return new Lease(route.first(), vramGb);
        }
        if (route.second().take(vramGb) == Gate.ADMITTED) {
            return new Lease(route.second(), vramGb);
        }
        return null;
    }

    Spot spot() {
        return spot;
    }

    void close() {
        if (firstToClose()) {
            spot.giveBack(vramGb);
        }
    }
}
