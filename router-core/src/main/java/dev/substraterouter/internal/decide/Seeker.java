package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import org.jspecify.annotations.Nullable;

/** A waiter with what it asks. Guarded by the queue's lock. */
public abstract class Seeker extends Waiter {
    private Ask ask;
    private RoutePlan route;
    private @Nullable Decision lastLook;
    private boolean mayHold = true;
    // where it stands in the line; the line's own
    /** The order of joining; as long as it has not joined, it comes after everybody. */
    long entry = Long.MAX_VALUE;

    int standing;
    long moment;

    /** A waiter that is not in the queue yet. */
    protected Seeker(long deadlineNanos, Ask ask, RoutePlan route) {
        super(ask.number(), ask.arrivalNanos, ask.declared, deadlineNanos, route.places);
        this.ask = ask;
        this.route = route;
    }

    /** Its route under a revision; null when it has none there and is about to be refused. */
    protected abstract @Nullable RoutePlan routeUnder(Revision revision);

    /** Whether it takes the batch path rather than wait. */
    protected abstract boolean takesBatch();

    /** Whether it may be served now. */
    protected abstract boolean servable();

    /** How long it may wait from now by its own choice. */
    public final long holdNanos(long now) {
        return mayHold ? Math.max(0, deadlineNanos - now) : 0;
    }

    /** Takes what is free from now on, rather than wait for something better. */
    public final void takesWhatIsFree() {
        mayHold = false;
        lastLook = null;
    }

    /** What it asks. */
    public final Ask ask() {
        return ask;
    }

    /** Its route under the newest revision that it was looked at with. */
    public final RoutePlan route() {
        return route;
    }

    /** Its priority from now on. */
    public final void as(Priority priority) {
        ask = ask.as(priority);
        declared(priority);
    }

    /** Its route from now on. */
    public final void route(RoutePlan newRoute) {
        route = newRoute;
        lastLook = null;
    }

    /** The decision of the last walk that reached it; null when none has. */
    public final @Nullable Decision lastLook() {
        return lastLook;
    }

    final void looked(@Nullable Decision decision) {
        lastLook = decision;
    }
}
