package dev.substraterouter.simulate;

/**
 * One stream of random numbers of a run: SplitMix64, with transformations by {@link StrictMath}, so that the same run and stream give the
 * same numbers on any machine. Not thread-safe.
 */
public final class RandomStream {
    private static final long INCREMENT = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1.0p-53;

    private long state;

    private RandomStream(long state) {
        this.state = state;
    }

    /**
     * A stream of a run. Different streams of one run do not disturb each other: who draws more from one changes nothing in the others.
     *
     * @param run the run's number, its seed
     * @param stream the stream's number within the run
     */
    public static RandomStream of(long run, long stream) {
        return new RandomStream(run * 1_000_003L + stream * 7_919L + 12_345L);
    }

    /** 64 random bits. */
    public long nextLong() {
        state += INCREMENT;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Uniform in 0 (inclusive) to 1 (exclusive), in steps of 2^-53. One draw. */
    public double nextDouble() {
        return (nextLong() >>> 11) * UNIT;
    }

    /** Uniform in 0 (inclusive) to the bound (exclusive). One draw. */
    public int nextInt(int bound) {
        return (int) (nextDouble() * bound);
    }

    /** Exponentially distributed with a mean. One draw. */
    public double exponential(double mean) {
        return -mean * StrictMath.log(1 - nextDouble());
    }

    /** Normally distributed, mean 0, deviation 1. Two draws. */
    public double normal() {
        return normal(nextDouble(), nextDouble());
    }

    /** Two uniform draws as a normal one: Box and Muller's transformation, its cosine branch. */
    static double normal(double first, double second) {
        return StrictMath.sqrt(-2 * StrictMath.log(1 - first)) * StrictMath.cos(2 * StrictMath.PI * second);
    }
}
