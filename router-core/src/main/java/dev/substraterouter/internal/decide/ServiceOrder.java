package dev.substraterouter.internal.decide;

import dev.substraterouter.internal.admission.Waiter;
import dev.substraterouter.internal.plan.CandidatePlan;
import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * In what order waiters are served, and who of them leaves to make room: pure functions.
 *
 * <p>{@code arrival}: by priority class with age, then by arrival. {@code weighted}: by a key, arrival + weight of the class × expected
 * latency on the fastest candidate, the smallest first, so that short work goes before long work and nobody is overtaken for ever.
 * {@code deadline}: the same, with what can no longer meet its deadline {@value #LATE_SECONDS} s further back. The weight is that of the
 * declared priority: who waits moves up by its arrival already, and would age twice by its class. In every order LOW that has not aged comes
 * after the others, since it takes only what nobody else waits for.
 */
public final class ServiceOrder {
    private static final int LATE_SECONDS = 400;
    private static final long SECOND = 1_000_000_000L;

    private final Revision revision;
    private final QueueOrder order;
    private final QueueLimits.Weights weights;
    private final long now;

    private ServiceOrder(Revision revision, long now) {
        this.revision = revision;
        this.order = revision.compiled.policy.queue().order();
        this.weights = revision.compiled.policy.queue().weights();
        this.now = now;
    }

    private record Keyed<S extends Seeker>(S seeker, double key) {}

    /** The waiters in the order of service. */
    public static <S extends Seeker> List<S> sorted(List<S> waiters, Revision revision, long now) {
        ServiceOrder order = new ServiceOrder(revision, now);
        List<Keyed<S>> keyed = new ArrayList<>(waiters.size());
        waiters.forEach(waiter -> keyed.add(new Keyed<>(waiter, order.key(waiter))));
        keyed.sort(Comparator.comparing((Keyed<S> one) -> order.low(one.seeker))
                .thenComparingDouble(one -> one.key)
                .thenComparingLong(one -> one.seeker.sequence));
        return keyed.stream().map(Keyed::seeker).toList();
    }

    /**
     * Who leaves for a newcomer: of those of a lower priority the newest of the lowest, or where waiters
     * are served by keys the one with the largest; by deadlines, where there is none of a lower priority, an equal that can no longer meet
     * its own, if the newcomer can; null when nobody has to. All are looked at: only full places ask.
     *
     * @param waiters those who take the same places, anew each time
     */
    public static <S extends Seeker> @Nullable S leaving(
            Supplier<Stream<S>> waiters, S newcomer, Revision revision, long now) {
        ServiceOrder order = new ServiceOrder(revision, now);
        S lower = order.last(waiters.get().filter(waiter -> newcomer.declared().outranks(waiter.declared())));
        if (lower != null || !order.promises(newcomer)) {
            return lower;
        }
        return order.last(waiters.get()
                .filter(waiter ->
                        waiter.declared() == newcomer.declared() && waiter != newcomer && order.late(waiter)));
    }

    private <S extends Seeker> @Nullable S last(Stream<S> waiters) {
        return waiters.max(Comparator.comparingDouble(this::leavingKey).thenComparingLong(waiter -> waiter.sequence))
                .orElse(null);
    }

    /** Whether somebody who came later may go before somebody of the same class who came earlier. */
    static boolean overtakes(Revision revision) {
        return revision.compiled.policy.queue().order() != QueueOrder.ARRIVAL;
    }

    /** Whether it is LOW and has not aged: it takes only what nobody else waits for, so the others are asked first. */
    private boolean low(Seeker waiter) {
        return waiter.priorityClass(now, revision.agesAfterNanos) >= Waiter.rank(Priority.LOW);
    }

    /** Whether it counts that it has a deadline and can meet it. */
    private boolean promises(Seeker waiter) {
        return order == QueueOrder.DEADLINE && left(waiter) != Long.MAX_VALUE && !late(waiter);
    }

    /** Whether it counts that it can no longer meet its deadline, wherever it would begin now. */
    private boolean late(Seeker waiter) {
        return order == QueueOrder.DEADLINE && fastest(waiter) > left(waiter);
    }

    private double leavingKey(Seeker waiter) {
        return order == QueueOrder.ARRIVAL ? Waiter.rank(waiter.declared()) : key(waiter);
    }

    private double key(Seeker waiter) {
        if (order == QueueOrder.ARRIVAL) {
            return waiter.priorityClass(now, revision.agesAfterNanos);
        }
        double key = waiter.arrivalNanos - now + weight(waiter.declared()) * fastest(waiter);
        return late(waiter) ? key + LATE_SECONDS * (double) SECOND : key;
    }

    private double weight(Priority declared) {
        return switch (declared) {
            case HIGH -> 1;
            case NORMAL -> weights.normal();
            case LOW -> weights.low();
        };
    }

    /** How long its work takes where it is done fastest; where nobody knows, as long as any job of which nothing is known. */
    private long fastest(Seeker waiter) {
        long fastest = Long.MAX_VALUE;
        for (CandidatePlan candidate : waiter.route().candidates) {
            long expected = candidate.unusable == null ? expected(waiter.route(), candidate) : -1;
            fastest = expected < 0 ? fastest : Math.min(fastest, expected);
        }
        return fastest == Long.MAX_VALUE ? Waits.FOREIGN_JOB_NANOS : fastest;
    }

    /** Of a route of another revision the declared figure: its place in the book is another's. */
    private long expected(RoutePlan route, CandidatePlan candidate) {
        return route.revision == revision.number ? revision.book.expected(candidate) : candidate.latencyNanos;
    }

    private long left(Seeker waiter) {
        long own = waiter.ask().leftNanos(now);
        long declared = waiter.route().deadlineNanos;
        return own != Long.MAX_VALUE || declared < 0 ? own : waiter.arrivalNanos + declared - now;
    }
}
