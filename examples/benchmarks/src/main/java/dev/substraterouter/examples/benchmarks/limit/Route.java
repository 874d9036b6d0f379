package dev.substraterouter.examples.benchmarks.limit;

/** Two spots, the better one first. */
record Route(Spot first, Spot second) {
    static Route free() {
        return new Route(Spot.free(), Spot.free());
    }

    static Route spilling() {
        return new Route(Spot.full(), Spot.free());
    }

    static Route full() {
        return new Route(Spot.full(), Spot.full());
    }
}
