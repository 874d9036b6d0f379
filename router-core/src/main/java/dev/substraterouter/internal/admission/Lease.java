package dev.substraterouter.internal.admission;

import org.jspecify.annotations.Nullable;

/**
 * What one placement holds on one substrate: a job slot and GPU memory. Immutable; whether it is still held is a fact of the ledger's
 * state, not of the lease. As the ledger holds it, it is itself until something is known of it: what a ledger knows is asked of its {@link
 * Held}, never of the lease.
 */
public final class Lease implements Held {
    /** In {@link #gpu}: not booked on a single GPU. */
    public static final int NO_GPU = -1;

    public final long startNanos;
    public final long mib;
    /** What stays resident when it ends. */
    public final String residentKey;

    /** Whether the memory is enough for the model too; else it was resident already, and only the job's is booked. */
    public final boolean holdsModel;

    public final boolean spansGpus;
    public final int gpu;
    /** Not part of the reported memory before it is this old. */
    public final long loadNanos;
    /** How long it is expected to be held, -1 when unknown. */
    public final long expectedNanos;
    /** The epoch of the substrate's ejection state in which it was granted. */
    public final int epoch;
    /** Whether it is the substrate's one trial. */
    public final boolean trial;
    /** Who holds it, for reports. */
    public final @Nullable Object holder;

    /** A lease about to be taken. */
    public Lease(
            long startNanos,
            long mib,
            String residentKey,
            boolean holdsModel,
            boolean spansGpus,
            int gpu,
            long loadNanos,
            long expectedNanos,
            int epoch,
            boolean trial,
            @Nullable Object holder) {
        this.startNanos = startNanos;
        this.mib = mib;
        this.residentKey = residentKey;
        this.holdsModel = holdsModel;
        this.spansGpus = spansGpus;
        this.gpu = gpu;
        this.loadNanos = loadNanos;
        this.expectedNanos = expectedNanos;
        this.epoch = epoch;
        this.trial = trial;
        this.holder = holder;
    }

    // as the ledger holds it while nothing more is known of it

    @Override
    public Lease lease() {
        return this;
    }

    @Override
    public int gpu() {
        return gpu;
    }

    @Override
    public boolean seen() {
        return false;
    }

    @Override
    public boolean lingering() {
        return false;
    }

    @Override
    public long endedNanos() {
        return 0;
    }
}
