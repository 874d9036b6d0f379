package dev.substraterouter.model;

/** GPU memory as the router counts it: whole MiB. What the policy and the statuses call "GB" are GiB, 2^30 bytes, as the vendors count. */
public final class Vram {
    private static final double MIB_PER_GIB = 1024;

    private Vram() {}

    /** GiB that something takes, in MiB, rounded up. */
    public static long taken(double gib) {
        return (long) Math.ceil(gib * MIB_PER_GIB);
    }

    /** GiB that are there, in MiB, rounded down. */
    public static long there(double gib) {
        return (long) Math.floor(gib * MIB_PER_GIB);
    }

    /** MiB in GiB, for people. */
    public static double gib(long mib) {
        return mib / MIB_PER_GIB;
    }
}
