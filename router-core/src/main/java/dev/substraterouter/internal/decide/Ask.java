package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a decision must know of a request. Immutable. It stands in the leases that its request holds, and so in the states that decisions
 * keep; so what it refers to is small and leads nowhere.
 */
public final class Ask {
    private static final long NOT_DUE = Long.MAX_VALUE;
    private static final Duration FAR = Duration.ofDays(36_500);

    private final RouteRequest request;
    private final long number;
    final Priority declared;
    final long arrivalNanos;
    /** By when the answer is useful to whoever asks; {@link Long#MAX_VALUE}: not said. */
    final long dueNanos;

    final @Nullable Exclusions exclusions;

    private Ask(
            RouteRequest request,
            long number,
            Priority declared,
            long arrivalNanos,
            long dueNanos,
            @Nullable Exclusions exclusions) {
        this.request = request;
        this.number = number;
        this.declared = declared;
        this.arrivalNanos = arrivalNanos;
        this.dueNanos = dueNanos;
        this.exclusions = exclusions;
    }

    /**
     * What a request asks.
     *
     * @param number the order of arrival, unique in a router
     * @param arrivalNanos when it arrived
     */
    public static Ask of(RouteRequest request, long number, long arrivalNanos) {
        Duration deadline = request.deadline().orElse(null);
        return new Ask(
                request,
                number,
                request.priority().orElse(Priority.NORMAL),
                arrivalNanos,
                deadline == null ? NOT_DUE : due(arrivalNanos, deadline),
                null);
    }

    /** What somebody would ask who is not counted among those who ask. */
    public static Ask uncounted(RouteRequest request, long now) {
        return of(request, Long.MAX_VALUE, now);
    }

    /** The same under another priority. */
    public Ask as(Priority priority) {
        return priority == declared ? this : new Ask(request, number, priority, arrivalNanos, dueNanos, exclusions);
    }

    /** The same at a later attempt: its waiting is counted as if it had begun so much earlier. */
    public Ask waited(long now, long waitedNanos) {
        return new Ask(request, number, declared, now - waitedNanos, dueNanos, exclusions);
    }

    /** The same, after a substrate has failed it for good. */
    public Ask without(String substrateId) {
        return excluding(substrateId, true, 0);
    }

    /** The same, after a substrate has told it to come back later. */
    public Ask notBefore(String substrateId, long until) {
        return excluding(substrateId, false, until);
    }

    private Ask excluding(String substrateId, boolean forGood, long until) {
        Exclusions more = Exclusions.with(exclusions, substrateId, forGood, until);
        return new Ask(request, number, declared, arrivalNanos, dueNanos, more);
    }

    /** The request. */
    public RouteRequest request() {
        return request;
    }

    /** The order of arrival, unique in a router. */
    public long number() {
        return number;
    }

    /** When it arrived; at a later attempt, so much earlier than now as it has waited. */
    public long arrivalNanos() {
        return arrivalNanos;
    }

    /** The substrates that it does not want. */
    Set<String> avoid() {
        return request.avoid();
    }

    /** The substrate that it would like best; null: none in particular. */
    @Nullable
    String prefer() {
        return request.prefer().orElse(null);
    }

    /** The priority it was given. */
    public Priority priority() {
        return declared;
    }

    /** How long until the first substrate that has told it to come back later may be asked again; {@link Long#MAX_VALUE} when none has. */
    public long nextReturn(long now) {
        long next = Long.MAX_VALUE;
        for (Exclusions one = exclusions; one != null; one = one.earlier()) {
            if (!one.forGood() && one.until() - now > 0) {
                next = Math.min(next, one.until() - now);
            }
        }
        return next;
    }

    /** How long is left until its deadline; {@link Long#MAX_VALUE} when it has none. */
    long leftNanos(long now) {
        return dueNanos == NOT_DUE ? NOT_DUE : dueNanos - now;
    }

    private static long due(long arrivalNanos, Duration deadline) {
        long nanos = deadline.compareTo(FAR) > 0 ? FAR.toNanos() : deadline.toNanos();
        return arrivalNanos + nanos;
    }

    int priorityClass(long now, long agesAfterNanos) {
        return Waiter.priorityClass(declared, arrivalNanos, now, agesAfterNanos);
    }
}
