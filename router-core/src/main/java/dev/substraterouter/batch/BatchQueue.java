package dev.substraterouter.batch;

import dev.substraterouter.trace.RoutingTrace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where batch jobs are kept from being accepted until some time after their end: in memory ({@link InMemoryBatchQueue}), or in a durable
 * store that several routers share. Implementations are thread-safe. Every method is one atomic step; it may block, and what it throws
 * unchecked says that the step may or may not have been taken: dispatchers ask again.
 *
 * <p><b>One clock.</b> The store owns it. Callers say how long, never when: durations go in, and what is due, and which claim has run out,
 * is decided by the store's clock alone, so the clocks of dispatchers do not have to agree. A store in a database takes the database's.
 *
 * <p><b>Claims.</b> A job is run by who has claimed it. A claim that is not renewed in time may be replaced by somebody else's; until then
 * it stays good, however late. Every step on a claim names its token and is refused ({@code false}) once the job has ended or another
 * claim has taken its place. So a success is recorded at most once, and after it nothing starts: {@link #claim} never returns a job that
 * has ended, and {@link #start} refuses one.
 *
 * <p><b>Attempts.</b> Each claim counts for at most one. {@link #start} counts it before the work begins, so that work which kills its
 * process is counted too; {@link #release}, and a {@link #retry} or {@link #bury} whose note does not count, take it back.
 *
 * <p><b>What a durable store must keep.</b> Of a job: its id, position, payload, key, the wall clock of its submission, when it was accepted, and its
 * whole request: workload or need, identity, priority, mode, wait limit, deadline, idempotent or not, prefer, avoid, request id, attributes.
 * What it did: the attempts, the traces and reasons of at least the last of them, when it was started and ended, how it ended, its
 * result. Its claim: owner, token (which rises even when the job is given back), when it runs out, whether it was started. The end of its
 * pause, and since when it is refused.
 *
 * <p>{@code BatchQueueContract} in the test kit checks an implementation.
 */
public interface BatchQueue {
    /**
     * Accepts a job; it is due at once, and from here on it is not lost. A job whose id, or whose idempotency key for the same identity,
     * the store knows is not accepted a second time, whatever else it says.
     *
     * @return the job as the store has it: the given one, or the one that it knows
     * @throws BatchFullException when the store has no room; nothing was accepted
     */
    BatchJob offer(BatchJob job);

    /**
     * The job with an idempotency key of an identity, as {@link #offer} would find it, running or ended.
     *
     * @param identity whose key it is; empty: nobody's
     * @param idempotencyKey the key
     * @return empty when the store knows none
     */
    Optional<BatchJob> known(Optional<String> identity, String idempotencyKey);

    /**
     * Claims the first job, in the order in which they were accepted, that is due and not claimed, or whose claim has run out.
     *
     * @param owner who claims it, for people
     * @param leaseFor how long the claim lasts unless it is renewed; positive
     * @param after only jobs behind this position in the store's order; 0: from the start
     * @return the claim; empty when no job is due there
     */
    Optional<BatchClaim> claim(String owner, Duration leaseFor, long after);

    /**
     * Records that a run begins now, and counts it as an attempt.
     *
     * @param trace the run's trace so far, which tells where it runs should nothing more be heard of it
     * @return false when the claim is void: the run must not begin
     */
    boolean start(BatchClaim claim, RoutingTrace trace);

    /**
     * Makes a claim last so long from now.
     *
     * @return false when the claim is void: the run should end, and its result will be refused
     */
    boolean renew(BatchClaim claim, Duration leaseFor);

    /**
     * Records a success. Said again by the same claim it changes nothing and is true.
     *
     * @param result what the work returned; copied
     * @param trace the run's trace
     * @return false when the claim is void: the result is thrown away
     */
    boolean complete(BatchClaim claim, byte[] result, RoutingTrace trace);

    /**
     * Gives a job back as if it had never been claimed: nothing is counted, a start is taken back, and it is due at once.
     *
     * @return false when the claim is void
     */
    boolean release(BatchClaim claim);

    /**
     * Gives a job back to be tried again. A note that is {@linkplain BatchNote#refused() refused} begins the time of {@link BatchClaim#refused()}, or lets it
     * go on; any other ends it.
     *
     * @param delay how long from now until it is due
     * @param note why; if it does not count, the claim counts as no attempt even if a run was started
     * @return false when the claim is void
     */
    boolean retry(BatchClaim claim, Duration delay, BatchNote note);

    /**
     * Gives a job up: it becomes a dead letter.
     *
     * @param note why; if it does not count, the claim counts as no attempt even if a run was started
     * @return false when the claim is void
     */
    boolean bury(BatchClaim claim, BatchNote note);

    /**
     * Cancels a job that has not ended, claimed or not; its claim is void from here on.
     *
     * @return whether this call cancelled it; false when it had ended before, or is not known
     */
    boolean cancel(String id);

    /** What has become of a job; empty when the store does not know it. */
    Optional<BatchReport> find(String id);

    /** A copy of a job's result; empty when it has not succeeded or is no longer kept. */
    Optional<byte[]> result(String id);

    /**
     * The jobs that were given up and are still kept, the oldest first.
     *
     * @param after only those behind the one of this id; empty, or not a dead letter that it knows: from the oldest
     * @param most how many at most
     * @throws IllegalArgumentException if {@code most} is below 1
     */
    List<BatchReport> deadLetters(String after, int most);

    /**
     * Throws away a job that has ended, and its idempotency key with it.
     *
     * @return whether this call did; false when it has not ended, or is not known
     */
    boolean forget(String id);
}
