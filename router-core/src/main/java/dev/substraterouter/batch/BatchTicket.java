package dev.substraterouter.batch;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Follows one job. Thread-safe; holds nothing, so it may be dropped at any time, and {@link BatchDispatcher#ticket} gives another one.
 * {@link #state}, {@link #report} and {@link #cancel} ask the store and block as long as it does.
 */
public final class BatchTicket {
    private final Drain drain;
    private final String id;

    BatchTicket(Drain drain, String id) {
        this.drain = drain;
        this.id = id;
    }

    /** The job's id. */
    public String id() {
        return id;
    }

    /** Where the job stands now. */
    public BatchState state() {
        return report().map(BatchReport::state).orElse(BatchState.FORGOTTEN);
    }

    /** What has become of the job so far; empty when the store does not keep it any more. */
    public Optional<BatchReport> report() {
        return drain.queue().find(id);
    }

    /**
     * How the job ends. Never blocks, also not on a closed dispatcher. Each call's future is kept until the job ends here or the future is
     * completed: who loses interest cancels it, and who asks often asks {@link #state}. A job that this dispatcher runs is told of as soon as its end is recorded; one that another dispatcher
     * runs, within some looks of this one.
     *
     * @return a future of the caller's own, completed on the dispatcher's executor, or on the thread that cancels: with a copy of the
     *     result, or with {@link BatchDeadException}, {@link BatchCancelledException} or {@link BatchGoneException}. Completing or
     *     cancelling it does nothing to the job
     */
    public CompletableFuture<byte[]> result() {
        return drain.result(id);
    }

    /**
     * Cancels the job unless it has ended. The thread of a run on this dispatcher is interrupted at once, that of a run elsewhere when it
     * next renews its claim; what such a run still returns is thrown away.
     *
     * @return whether this call cancelled it; a success that was recorded before stands
     */
    public boolean cancel() {
        return drain.cancel(id);
    }

    @Override
    public String toString() {
        return "BatchTicket[" + id + "]";
    }
}
