package dev.substraterouter.simulate;

import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.WorkloadQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request as whoever watches the run knows it. Not thread-safe. */
final class Asked {
    final String id;
    final String workload;
    final RequestClass requestClass;
    final RouteRequest request;
    final long arrivalNanos;
    final long order;
    Priority priority = Priority.NORMAL;
    final List<Hold> holds = new ArrayList<>();
    /** Where it must not be placed again. */
    final Set<String> failed = new HashSet<>();
    /** Where it was told to come back later. */
    final Set<String> toldToWait = new HashSet<>();

    /** Whether it may be placed again. */
    boolean over;

    boolean traced;
    /** Since when it waits; negative: it does not. */
    long queuedNanos = -1;

    /** Until when it may wait. */
    long untilNanos;

    long waitedNanos;

    /** Since when a candidate is free for it while it waits, by substrate. */
    final Map<String, Long> freeSince = new HashMap<>();

    /** When something on its route was first heard of since one is free for it. */
    long heardNanos = Long.MAX_VALUE;

    String places = "";
    private long leftAt = -1;

    Asked(String id, RequestClass requestClass, RouteRequest request, long arrivalNanos, long order) {
        this.id = id;
        this.workload = request.workload();
        this.requestClass = requestClass;
        this.request = request;
        this.arrivalNanos = arrivalNanos;
        this.order = order;
    }

    /** It waits from now on, in the places and as long as a policy says. */
    void queues(Policy policy, long now) {
        Optional<WorkloadQueue> own = policy.workload(workload).flatMap(Workload::queue);
        places = own.filter(queue -> queue.capacity().isPresent()).isPresent() ? workload : "";
        untilNanos = now + mostWaitNanos(policy) - waitedNanos;
        queuedNanos = now;
    }

    /** How long it may wait in all. */
    long mostWaitNanos(Policy policy) {
        Optional<WorkloadQueue> own = policy.workload(workload).flatMap(Workload::queue);
        Duration most = request.maxWait()
                .or(() -> own.flatMap(WorkloadQueue::maxWait))
                .orElse(policy.queue().maxWait());
        return most.toNanos();
    }

    boolean waits() {
        return queuedNanos >= 0;
    }

    void leavesQueue(long now, long event) {
        if (waits()) {
            waitedNanos += now - queuedNanos;
            queuedNanos = -1;
            leftAt = event;
        }
    }

    /** Whether it waited until the present event of the run. */
    boolean leftNow(long event) {
        return leftAt == event;
    }

    @Nullable
    Hold last() {
        return holds.isEmpty() ? null : holds.get(holds.size() - 1);
    }

    /** How long it has waited by now, over all its attempts. */
    long waitedBy(long now) {
        return waits() ? waitedNanos + (now - queuedNanos) : waitedNanos;
    }

    /** Its priority class with age, which is the time it has waited: 0 is the most urgent. */
    int rank(long now, long agesAfterNanos) {
        return (int) Math.max(0, declaredRank() - waitedBy(now) / agesAfterNanos);
    }

    int declaredRank() {
        return switch (priority) {
            case HIGH -> 0;
            case NORMAL -> 1;
            case LOW -> 2;
        };
    }

    @Override
    public String toString() {
        return id + " '" + workload + "'";
    }
}
