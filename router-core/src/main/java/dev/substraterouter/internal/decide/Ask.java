package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a decision must know of a request. Immutable. */
public final class Ask {
    private static final long NOT_DUE = Long.MAX_VALUE;
    private static final Duration FAR = Duration.ofDays(36_500);

    final Priority declared;
    final Set<String> avoid;
    final @Nullable String prefer;
    final long arrivalNanos;
    /** By when the answer is useful to whoever asks; {@link Long#MAX_VALUE}: not said. */
    final long dueNanos;

    final @Nullable Exclusions exclusions;

    private Ask(
            Priority declared,
            Set<String> avoid,
            @Nullable String prefer,
            long arrivalNanos,
            long dueNanos,
            @Nullable Exclusions exclusions) {
        this.declared = declared;
        this.avoid = avoid;
        this.prefer = prefer;
        this.arrivalNanos = arrivalNanos;
        this.dueNanos = dueNanos;
        this.exclusions = exclusions;
    }

    /** What a request that arrived at a moment asks. */
    public static Ask of(RouteRequest request, long arrivalNanos) {
        return new Ask(
                request.priority().orElse(Priority.NORMAL),
                request.avoid(),
                request.prefer().orElse(null),
                arrivalNanos,
                request.deadline().map(deadline -> due(arrivalNanos, deadline)).orElse(NOT_DUE),
                null);
    }

    /** The same under another priority. */
    public Ask as(Priority priority) {
        return priority == declared ? this : new Ask(priority, avoid, prefer, arrivalNanos, dueNanos, exclusions);
    }

    /** The same at a later attempt: its waiting is counted as if it had begun so much earlier. */
    public Ask waited(long now, long waitedNanos) {
        return new Ask(declared, avoid, prefer, now - waitedNanos, dueNanos, exclusions);
    }

    /** The same, after a substrate has failed it for good. */
    public Ask without(String substrateId) {
        return new Ask(
                declared, avoid, prefer, arrivalNanos, dueNanos, Exclusions.with(exclusions, substrateId, true, 0));
    }

    /** The same, after a substrate has told it to come back later. */
    public Ask notBefore(String substrateId, long until) {
        return new Ask(
                declared,
                avoid,
                prefer,
                arrivalNanos,
                dueNanos,
                Exclusions.with(exclusions, substrateId, false, until));
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
