package dev.substraterouter;

import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.FallbackMachine;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.decide.Seeker;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.trace.WaitEnd;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A request that looks for a place: a thread that is parked, or a future.
 *
 * <p><b>How the races end.</b> Whoever finds it queued, under the queue's lock, removes it and resolves it, once: a grant, a refusal, or its
 * own withdrawal. A thread that was interrupted or a future that was cancelled after a grant finds the grant and hands it on.
 */
abstract sealed class Pending extends Seeker implements Found {
    private final Journey journey;
    private final long waitedBefore;
    private final long beganNanos;
    // the next four are guarded by the queue's lock; the last is read after it has been resolved
    private boolean entering;
    private boolean displaced;
    private boolean unasked;
    private long tookNanos;
    private FlightEvents.@Nullable Wait recorded;
    private volatile @Nullable Grant grant;
    private volatile @Nullable Refusal refusal;

    private Pending(Journey journey, Ask ask, RoutePlan route, long beganNanos, long deadlineNanos) {
        super(deadlineNanos, ask, route);
        this.journey = journey;
        this.beganNanos = beganNanos;
        this.waitedBefore = journey.waitedNanos();
    }

    @Override
    protected final @Nullable RoutePlan routeUnder(Revision revision) {
        return journey.routeUnder(revision);
    }

    @Override
    protected final boolean takesBatch() {
        return displaced
                ? journey.mode() == PlacementMode.EITHER
                : FallbackMachine.takesBatch(journey.mode(), declared());
    }

    @Override
    protected final boolean servable() {
        return !unasked;
    }

    /** Its place is needed by another: it takes the batch path from now on, if it may. Under the queue's lock. */
    final void displaced() {
        displaced = true;
    }

    /** Whether the host must be asked whether it may still ask for this, and it is not served before. Under the queue's lock. */
    final boolean unasked() {
        return unasked;
    }

    final void unasked(boolean now) {
        unasked = now;
    }

    final Journey journey() {
        return journey;
    }

    /** How long its request has waited by now, over all its attempts. */
    final long waitedBy(long now) {
        return waitedBefore + (now - beganNanos);
    }

    /** Before it enters the queue. */
    final void begins() {
        recorded = Flight.waitBegins();
    }

    /** How its wait is recorded; null: nobody records it. */
    final FlightEvents.@Nullable Wait recorded() {
        return recorded;
    }

    /** It waits no longer. Under the queue's lock. */
    final void ends(long now) {
        tookNanos = now - beganNanos;
        journey.waited(waitedBy(now));
    }

    /** How long it has waited, once it has ended. */
    final long tookNanos() {
        return tookNanos;
    }

    /** Whether it is only looking and has not been told to wait. Under the queue's lock. */
    final boolean entering() {
        return entering;
    }

    final void entering(boolean now) {
        entering = now;
    }

    final @Nullable Grant grant() {
        return grant;
    }

    /** What has come of it; null while it is not resolved. */
    final @Nullable Found outcome() {
        Grant granted = grant;
        return granted != null ? granted : refusal;
    }

    final boolean resolved() {
        return grant != null || refusal != null;
    }

    /** Under the queue's lock. */
    final void resolve(Grant granted) {
        grant = granted;
    }

    /** Under the queue's lock. */
    final void resolve(Refusal refused) {
        refusal = refused;
    }

    /**
     * Lets those who wait know that they are resolved, and then tells the observers: nobody waits for what an observer does with another's
     * end. Outside the lock.
     */
    static void deliver(List<Pending> resolved) {
        for (Pending one : resolved) {
            Flight.waited(one, one.end()); // before it goes on: what follows is no part of its wait
            one.arrive();
        }
        for (Pending one : resolved) {
            one.journey.engine().observers().waited(one, one.end());
        }
    }

    private WaitEnd end() {
        return grant != null ? WaitEnd.PLACED : WaitEnd.REFUSED;
    }

    /** Hands on what has come of it. */
    abstract void arrive();

    /** A thread that is parked until it is resolved. */
    static final class Parked extends Pending {
        private final Thread thread = Thread.currentThread();

        Parked(Journey journey, Ask ask, RoutePlan route, long beganNanos, long deadlineNanos) {
            super(journey, ask, route, beganNanos, deadlineNanos);
        }

        @Override
        void arrive() {
            LockSupport.unpark(thread);
        }
    }

    /** A future that is completed when it is resolved. */
    static final class Promised extends Pending {
        private final CompletableFuture<Placement> future;
        private final Runnable completion;

        Promised(
                Journey journey,
                Ask ask,
                RoutePlan route,
                long beganNanos,
                long deadlineNanos,
                CompletableFuture<Placement> future,
                java.util.function.Consumer<Promised> completion) {
            super(journey, ask, route, beganNanos, deadlineNanos);
            this.future = future;
            this.completion = () -> completion.accept(this);
        }

        CompletableFuture<Placement> future() {
            return future;
        }

        @Override
        void arrive() {
            completion.run();
        }
    }
}
