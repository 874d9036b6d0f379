package dev.substraterouter;

import dev.substraterouter.model.Priority;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterListener;
import dev.substraterouter.trace.WaitEnd;
import java.util.Optional;

/**
 * Is told at once, on the thread on which it happens: for what must count everything, such as metrics. Attached by
 * {@link SubstrateRouter#attach}. For everything else take a {@link RouterListener}, which is told on the executor and can hurt nobody.
 *
 * <p>Nothing is left out, and nothing is told under a lock of the router. What an implementation throws is caught and told in the log, at
 * most once a second. But a request goes on when its listeners are done: they must not block, and should take nanoseconds. Implementations
 * are called by many threads at once.
 *
 * <p><b>What is counted.</b> Each placement ends once, by {@link #ended}. A request that is turned down, or given up before there was a
 * placement, is told once by {@link #unplaced} when it has ended. So what a trace shows is told piece by piece: each of its attempts, and
 * its refusal.
 */
public interface InlineListener {
    /** A request was placed. */
    default void placed(PlacedAttempt attempt) {}

    /**
     * A placement has ended, and its lease with it.
     *
     * @param outcome how
     * @param serviceNanos how long it was held, in nanoseconds
     */
    default void ended(PlacedAttempt attempt, Outcome outcome, long serviceNanos) {}

    /**
     * A request has ended that was turned down, after attempts perhaps, or that was given up before there was a placement.
     *
     * @param workload what was asked for, as the caller named it
     * @param priority the priority it had
     * @param reason why it was turned down; empty: whoever asked has given it up
     */
    default void unplaced(String workload, Priority priority, Optional<RefusalReason> reason) {}

    /**
     * A request that waited in the queue waits no longer. Told by whoever ended the wait, after the request was let go: perhaps after it
     * was told that it is placed, or has ended.
     *
     * @param workload what was asked for, as the caller named it
     * @param priority the priority it had
     * @param end how the wait ended
     * @param waitedNanos how long this wait was, in nanoseconds, without earlier ones of the same request
     */
    default void waited(String workload, Priority priority, WaitEnd end, long waitedNanos) {}

    /**
     * A policy was put in force. Several may be told at once or out of order: {@link SubstrateRouter#policy()} is the one that counts.
     *
     * @param revision its revision
     */
    default void reloaded(long revision) {}
}
