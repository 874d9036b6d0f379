package dev.substraterouter.simulate;

import dev.substraterouter.model.Priority;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold of those who wait and of those who are turned away: invariants 5 and 7. */
final class QueueChecks {
    private static final long LOOKS_EVERY_NANOS = 5_000_000_000L;

    private final RouterWatch watch;
    private final InvariantWatch run;
    private final Policy policy;
    private final long now;
    private final Free free;

    QueueChecks(RouterWatch watch) {
        this.watch = watch;
        this.run = watch.run;
        this.policy = watch.policy;
        this.now = run.now();
        this.free = new Free(watch);
    }

    /** Checks how the present event of the run has left the queue. */
    void check() {
        bounds();
        watch.refusedNow.forEach(this::refused);
        for (Asked one : watch.asked.values()) {
            if (one.waits()) {
                waits(one);
            }
        }
        for (Site site : watch.sites.values()) {
            site.placed.forEach(this::overtakes);
        }
    }

    private void bounds() {
        Map<String, Integer> waiting = new HashMap<>();
        for (Asked one : watch.asked.values()) {
            if (one.waits()) {
                waiting.merge(one.places, 1, Integer::sum);
            }
        }
        waiting.forEach((places, count) -> {
            int most = Math.max(capacity(places), watch.waitedBefore.getOrDefault(places, 0));
            run.check(5, count <= most, () -> count + " wait in " + most + " places" + where(places));
        });
    }

    /** How many may wait in the places of a workload. */
    private int capacity(String places) {
        return policy.workload(places)
                .flatMap(Workload::queue)
                .map(queue -> queue.capacity().orElse(policy.queue().capacity()))
                .orElse(policy.queue().capacity());
    }

    private static String where(String places) {
        return places.isEmpty() ? "" : " of '" + places + "'";
    }

    private void waits(Asked one) {
        run.check(
                5,
                now <= one.untilNanos,
                () -> one + " waits until " + now / 1e9 + ", and may until " + one.untilNanos / 1e9);
        List<Candidate> mustTake = watch.rule.inOrder(one.request).stream()
                .filter(candidate -> free.mustTake(one, candidate))
                .toList();
        one.freeSince.keySet().retainAll(mustTake.stream().map(Candidate::on).toList());
        boolean heard = watch.rule.inOrder(one.request).stream().anyMatch(it -> watch.site(it.on()).touched);
        if (mustTake.isEmpty()) {
            one.heardNanos = Long.MAX_VALUE;
        } else if (heard) {
            one.heardNanos = Math.min(one.heardNanos, now);
        }
        for (Candidate candidate : mustTake) {
            String on = candidate.on();
            long since = one.freeSince.computeIfAbsent(on, key -> now);
            run.check(
                    7,
                    one.queuedNanos < now && (since == now || mayNotKnow(one, since)),
                    () -> one + " waits since " + one.queuedNanos / 1e9 + " although '" + on + "' is free since "
                            + since / 1e9);
        }
    }

    /**
     * Whether it may wait on although one is free that must be taken. Of what happens at one moment, that which serves it may come last;
     * whoever has just come was just looked at. That an earlier finish is not worth waiting for any more can come by time alone: it is
     * looked at when something is heard of its candidates, and at the latest after {@link #LOOKS_EVERY_NANOS}.
     */
    private boolean mayNotKnow(Asked one, long since) {
        boolean byTimeAlone = one.heardNanos >= now && now - since <= LOOKS_EVERY_NANOS;
        return byTimeAlone && byChoice(policy.workload(one.workload).orElseThrow());
    }

    private boolean byChoice(Workload workload) {
        return workload.strategy().orElse(policy.strategy().defaultKind()) == StrategyKind.EARLIEST_FINISH;
    }

    private void refused(RouterEvent.Refused event) {
        Asked one = watch.find(event.requestId(), event.workload());
        RefusalReason reason = event.reason();
        if (reason == RefusalReason.QUEUE_FULL && one.holds.isEmpty()) {
            String places = policy.workload(one.workload)
                    .flatMap(Workload::queue)
                    .filter(queue -> queue.capacity().isPresent())
                    .map(queue -> one.workload)
                    .orElse("");
            int waiting = watch.waitedBefore.getOrDefault(places, 0) + watch.queuedNow.getOrDefault(places, 0);
            run.check(
                    5,
                    waiting >= capacity(places),
                    () -> one + " refused " + reason + " while " + waiting + " wait in " + capacity(places) + " places"
                            + where(places));
        }
        if (reason == RefusalReason.WAIT_EXPIRED) {
            run.check(
                    5,
                    now >= one.untilNanos,
                    () -> one + " refused " + reason + ", and may wait until " + one.untilNanos / 1e9);
        }
        boolean busy =
                switch (reason) {
                    case QUEUE_FULL, NO_WAIT, WAIT_EXPIRED, OUTRANKED, BEYOND_WAIT, NO_ELIGIBLE_SUBSTRATE -> true;
                    case NOT_AUTHORIZED, UNKNOWN_WORKLOAD, CLOSED -> false;
                };
        if (busy && watch.rule.priority(one.request).isPresent()) {
            for (Candidate candidate : watch.rule.inOrder(one.request)) {
                run.check(
                        5,
                        watch.site(candidate.on()).touched || !free.is(one, candidate),
                        () -> one + " refused " + reason + " although '" + candidate.on() + "' is free");
            }
        }
        boolean barred = reason == RefusalReason.NOT_AUTHORIZED;
        run.check(
                3,
                barred == watch.rule.priority(one.request).isEmpty(),
                () -> one + " refused " + reason + ", asks for " + one.request.priority());
    }

    /** Nobody who is like it in everything, or more urgent, and came before, is left waiting. */
    private void overtakes(Hold hold) {
        Asked one = hold.by;
        Workload workload = policy.workload(one.workload).orElseThrow();
        if (byChoice(workload) || one.holds.size() > 1 || policy.queue().order() == QueueOrder.DEADLINE) {
            return;
        }
        boolean onRoute = workload.candidates().stream().anyMatch(it -> it.on().equals(hold.substrate));
        boolean overflow =
                policy.substrate(hold.substrate).filter(Substrate::overflow).isPresent();
        if (!onRoute) {
            return; // whoever is displaced takes the batch path, and is the youngest
        }
        long open = overflow ? workload.overflowAfter().toNanos() : 0;
        for (Asked other : watch.asked.values()) {
            boolean waited =
                    other.waits() && other.queuedNanos < now && other.holds.isEmpty() && other.waitedBy(now) >= open;
            boolean same = other.workload.equals(one.workload) && sameTerms(one, other);
            run.check(
                    7,
                    !waited || !same || !before(other, one),
                    () -> one + " placed on '" + hold.substrate + "' before " + other + ", which waits since "
                            + other.queuedNanos / 1e9 + " and is as urgent");
        }
    }

    private static boolean sameTerms(Asked one, Asked other) {
        return one.requestClass == other.requestClass
                || (one.request.mode() == other.request.mode()
                        && one.request.avoid().isEmpty()
                        && other.request.avoid().isEmpty()
                        && one.request.prefer().isEmpty()
                        && other.request.prefer().isEmpty()
                        && one.priority != Priority.LOW
                        && other.priority != Priority.LOW);
    }

    private boolean before(Asked other, Asked one) {
        if (one.requestClass == other.requestClass) {
            return other.order < one.order;
        }
        long ages = policy.queue().agesAfter().toNanos();
        int urgent = other.rank(now, ages);
        int less = one.rank(now, ages);
        return policy.queue().order() == QueueOrder.ARRIVAL
                && other.declaredRank() <= one.declaredRank()
                && (urgent < less || (urgent == less && other.order < one.order));
    }
}
