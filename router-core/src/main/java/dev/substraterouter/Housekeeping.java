package dev.substraterouter;

import dev.substraterouter.internal.admission.Held;
import dev.substraterouter.internal.admission.Lease;
import dev.substraterouter.internal.decide.Ask;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.gate.Reading;
import dev.substraterouter.time.Cancellable;
import dev.substraterouter.trace.RouterEvent;
import java.time.Duration;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices what nobody asks about: leases that are open for much too long, statuses that have become too old, trials that stay silent, work
 * that takes a different time than declared. Runs once per polling interval, but not more than once a second, on the scheduler's thread, and
 * takes microseconds.
 *
 * <p>How long a lease is open is counted in rounds, not by the clock: when the machine was asleep for an hour, no lease has aged by more
 * than one round.
 */
final class Housekeeping {
    private static final Duration LEAST_PERIOD = Duration.ofSeconds(1);
    private static final long LEAST_OVERDUE_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int OVERDUE_FACTOR = 10;

    private final Engine engine;
    private final Reloads reloads;
    private final Views views;
    // the fields below are touched by the rounds only, which follow each other
    private IdentityHashMap<Lease, Long> openFor = new IdentityHashMap<>();
    private Set<String> lost = new HashSet<>();
    private Set<String> drifted = new HashSet<>();
    private volatile @Nullable Cancellable next;
    private volatile boolean stopped;

    Housekeeping(Engine engine, Reloads reloads, Views views) {
        this.engine = engine;
        this.reloads = reloads;
        this.views = views;
    }

    void start() {
        Duration period = period();
        Cancellable scheduled = engine.time().schedule(period, () -> round(period));
        next = scheduled;
        if (stopped) {
            scheduled.cancel();
        }
    }

    void stop() {
        stopped = true;
        Cancellable scheduled = next;
        if (scheduled != null) {
            scheduled.cancel();
        }
    }

    private Duration period() {
        Duration poll = engine.revision().compiled.policy.poll().every();
        return poll.compareTo(LEAST_PERIOD) < 0 ? LEAST_PERIOD : poll;
    }

    private void round(Duration period) {
        if (stopped) {
            return;
        }
        long now = engine.time().nanos();
        IdentityHashMap<Lease, Long> still = new IdentityHashMap<>();
        Set<String> stillLost = new HashSet<>();
        for (Cell cell : reloads.cells()) {
            CellState state = engine.settle(cell, now);
            overdue(state, period.toNanos(), still);
            statusLost(state, now, stillLost);
        }
        openFor = still;
        lost = stillLost;
        drifts();
        reloads.dropIdle();
        engine.signal().raise();
        start();
    }

    private void overdue(CellState state, long periodNanos, IdentityHashMap<Lease, Long> still) {
        for (Held held : state.ledger.held()) {
            Lease lease = held.lease();
            long before = openFor.getOrDefault(lease, 0L);
            long open = before + periodNanos;
            long limit = Math.max(LEAST_OVERDUE_NANOS, OVERDUE_FACTOR * Math.max(0, lease.expectedNanos));
            still.put(lease, open);
            if (open >= limit && before < limit && lease.holder instanceof Ask ask) {
                engine.observers()
                        .tell(new RouterEvent.LeaseOverdue(
                                state.plan.id,
                                engine.idOf(ask),
                                ask.request().workload(),
                                Duration.ofNanos(open),
                                Duration.ofNanos(limit)));
            }
        }
    }

    private void drifts() {
        Set<String> still = new HashSet<>();
        for (Drift drift : views.drift()) {
            String candidate = drift.workload() + " on " + drift.substrateId();
            still.add(candidate);
            if (!drifted.contains(candidate)) {
                engine.observers()
                        .tell(new RouterEvent.Drifted(
                                drift.workload(), drift.substrateId(), drift.declared(), drift.observed(), drift.n()));
            }
        }
        drifted = still;
    }

    private void statusLost(CellState state, long now, Set<String> stillLost) {
        Reading figures = state.gate.health.figures();
        if (figures == null || state.plan.retired || !state.gate.health.stale(now)) {
            return;
        }
        stillLost.add(state.plan.id);
        if (!lost.contains(state.plan.id)) {
            engine.observers()
                    .tell(new RouterEvent.StatusLost(
                            state.plan.id,
                            Duration.ofNanos(now - figures.at()),
                            Optional.ofNullable(state.gate.health.lastMiss())));
        }
    }
}
