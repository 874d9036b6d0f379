package dev.substraterouter.examples.benchmarks.limit;

/** A gate with room on both sides, so that two threads on two spots never meet on one cache line. */
final class Spot extends Gate {
    static final int MAX_JOBS = 4;
    static final int JOB_VRAM_GB = 4;

    long after0;
    long after1;
    long after2;
    long after3;
    long after4;
    long after5;
    long after6;
    long after7;
    long after8;
    long after9;
    long after10;
    long after11;
    long after12;
    long after13;
    long after14;
    long after15;

    private Spot() {
        super(Facts.healthy(), Limits.usual());
    }

    static Spot free() {
        return new Spot();
    }

    static Spot full() {
        Spot spot = new Spot();
        for (int job = 0; job < MAX_JOBS; job++) {
            if (spot.take(JOB_VRAM_GB) != ADMITTED) {
                throw new IllegalStateException("a free spot refused job " + job);
            }
        }
        return spot;
    }
}
