package dev.substraterouter.examples.benchmarks.limit;

/** What was last reported of a substrate; replaced as a whole. */
record Facts(int utilPct, int tempC, int vramFreeGb) {
    static Facts healthy() {
        return new Facts(10, 50, 28);
    }
}
