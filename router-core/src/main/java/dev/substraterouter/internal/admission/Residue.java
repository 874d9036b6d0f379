package dev.substraterouter.internal.admission;

/**
 * Memory that an ended lease may have left behind: its model may stay resident, so until the next status it is free for the same candidate
 * only. Immutable.
 *
 * @param residentKey who may use it
 * @param mib how much
 * @param gpu where, or {@link Lease#NO_GPU}
 */
record Residue(String residentKey, long mib, int gpu) {}
