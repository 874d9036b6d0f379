package dev.substraterouter.internal.admission;

/**
 * Memory that an ended lease may have left behind: its model may stay resident, so until the next status it is free for the same candidate
 * only. Immutable.
 *
 * @param lease the lease that ended
 * @param gpu where, or {@link Lease#NO_GPU}
 * @param endedNanos when its placement ended
 */
record Residue(Lease lease, int gpu, long endedNanos) {
    String residentKey() {
        return lease.residentKey;
    }

    /** How much of it is on one of several GPUs; with {@link Lease#NO_GPU} on all, MiB. */
    long mib(int onGpu, int gpus) {
        if (onGpu == Lease.NO_GPU) {
            return lease.mib;
        }
        if (lease.spansGpus) {
            return (lease.mib + gpus - 1) / gpus;
        }
        return gpu == onGpu ? lease.mib : 0;
    }
}
