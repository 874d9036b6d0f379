package dev.substraterouter.examples.benchmarks.limit;

import org.jspecify.annotations.Nullable;

/** A place that keeps why each candidate was taken or passed over, as codes, eight bits a candidate in the order of the route. */
final class ExplainedLease extends OnceLease {
    private final Spot spot;
    private final int vramGb;
    private final Route route;
    private final long reasons;

    private ExplainedLease(Spot spot, int vramGb, Route route, long reasons) {
        this.spot = spot;
        this.vramGb = vramGb;
        this.route = route;
        this.reasons = reasons;
    }

    static @Nullable ExplainedLease take(Route route, int vramGb) {
        int first = route.first().take(vramGb);
        if (first == Gate.ADMITTED) {
            return new ExplainedLease(route.first(), vramGb, route, first);
        }
        int second = route.second().take(vramGb);
        if (second == Gate.ADMITTED) {
            return new ExplainedLease(route.second(), vramGb, route, first | ((long) second << Byte.SIZE));
        }
        return null;
    }

    Spot spot() {
        return spot;
    }

    Route route() {
        return route;
    }

    long reasons() {
        return reasons;
    }

    void close() {
        if (firstToClose()) {
            spot.giveBack(vramGb);
        }
    }
}
