package dev.substraterouter.examples.benchmarks.limit;

import org.jspecify.annotations.Nullable;

/** A place in one stripe of a spot, with an idempotent close. */
final class StripedLease extends OnceLease {
    private final StripedSpot spot;
    private final short stripe;
    private final short vramGb;

    private StripedLease(StripedSpot spot, int stripe, int vramGb) {
        this.spot = spot;
        this.stripe = (short) stripe;
        this.vramGb = (short) vramGb;
    }

    static @Nullable StripedLease take(StripedSpot first, StripedSpot second, int vramGb) {
        int stripe = first.take(vramGb);
        if (stripe != StripedSpot.NONE) {
            return new StripedLease(first, stripe, vramGb);
        }
        stripe = second.take(vramGb);
        if (stripe != StripedSpot.NONE) {
            return new StripedLease(second, stripe, vramGb);
        }
        return null;
    }

    void close() {
        if (firstToClose()) {
            spot.giveBack(stripe, vramGb);
        }
    }
}
