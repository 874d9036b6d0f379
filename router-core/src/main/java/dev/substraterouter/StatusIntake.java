package dev.substraterouter;

import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.status.HealthContext;
import dev.substraterouter.status.HealthPredicate;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.status.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes statuses in, from sources and from the host, and asks for fresh ones. Thread-safe; never blocks.
 *
 * <p>A fresh status is asked for at most once a second per substrate; what is asked for within the second is asked at its end.
 */
final class StatusIntake implements StatusSink {
    private static final String BY_HAND = "reported";
    private static final String WITH_REFUSAL = "refusal";
    private static final long REFRESH_PAUSE_NANOS = 1_000_000_000;

    private final Engine engine;
    private final List<StatusSource> sources;
    private final List<HealthPredicate> predicates;
    /** By substrate of the policy: whether a refresh is on its way, and when the last one went. */
    private final Map<String, Refresh> refreshes = new ConcurrentHashMap<>();

    private final AtomicInteger retargets = new AtomicInteger();

    StatusIntake(Engine engine, List<StatusSource> sources, List<HealthPredicate> predicates) {
        this.engine = engine;
        this.sources = List.copyOf(sources);
        this.predicates = List.copyOf(predicates);
    }

    void start() {
        for (StatusSource source : sources) {
            source.start(this);
        }
        retarget();
    }

    void close() {
        sources.forEach(StatusSource::close);
    }

    /** Tells the sources which substrates to ask from now on: one call at a time, the newest policy last. */
    void retarget() {
        if (retargets.getAndIncrement() > 0) {
            return; // whoever is at it goes round once more
        }
        int seen;
        do {
            seen = retargets.get();
            List<StatusTarget> targets = targets(engine.revision());
            refreshes
                    .keySet()
                    .retainAll(targets.stream().map(StatusTarget::substrateId).toList());
            for (StatusSource source : sources) {
                source.targets(targets);
            }
        } while (retargets.addAndGet(-seen) > 0);
    }

    private static List<StatusTarget> targets(Revision revision) {
        PollSettings poll = revision.compiled.policy.poll();
        List<StatusTarget> targets = new ArrayList<>();
        for (SubstratePlan plan : revision.compiled.substrates) {
            List<StatusAddress> addresses = plan.declared.status();
            if (!addresses.isEmpty()) {
                targets.add(new StatusTarget(plan.id, addresses, poll.every(), poll.timeout()));
            }
        }
        return targets;
    }

    @Override
    public StatusTicket asking(String substrateId, String source) {
        long asked = engine.time().nanos();
        AtomicBoolean used = new AtomicBoolean();
        return new StatusTicket() {
            @Override
            public void answered(SubstrateStatus status) {
                if (!used.getAndSet(true)) {
                    take(substrateId, source, asked, false, status);
                }
            }

            @Override
            public void failed(String reason) {
                Cell cell = used.getAndSet(true) ? null : engine.revision().cell(substrateId);
                if (cell != null) {
                    cell.changeGate(gate -> gate.missed(reason));
                }
            }
        };
    }

    /** A status that the host reports. */
    void report(String substrateId, SubstrateStatus status) {
        if (!take(substrateId, BY_HAND, engine.time().nanos(), true, status)) {
            throw unknown(substrateId, engine.revision());
        }
    }

    /** A status that came with a worker's refusal, if one did; it is no later word than the refusal. */
    void carried(String substrateId, Throwable t, long refusedNanos) {
        for (Throwable cause = t; cause != null; cause = cause.getCause() == cause ? null : cause.getCause()) {
            if (cause instanceof BackpressureException full) {
                full.status().ifPresent(status -> take(substrateId, WITH_REFUSAL, refusedNanos, false, status));
                return;
            }
        }
    }

    static IllegalArgumentException unknown(String substrateId, Revision revision) {
        List<String> ids = new ArrayList<>();
        for (SubstratePlan plan : revision.compiled.substrates) {
            ids.add(plan.id);
        }
        return new IllegalArgumentException("no substrate '" + substrateId + "' in revision " + revision.number
                + " (known: " + String.join(", ", ids.subList(0, Math.min(10, ids.size()))) + ")");
    }

    /** Takes a status in; false when the policy has no such substrate. */
    private boolean take(String substrateId, String source, long asked, boolean byHand, SubstrateStatus status) {
        Revision revision = engine.revision();
        SubstratePlan plan = revision.compiled.substrate(substrateId);
        if (plan == null) {
            return false;
        }
        CellState state = revision.current(plan.index);
        String objection = objection(status, state, plan);
        Cell cell = revision.cell(plan.index);
        Cell.Change change = cell.tell(source, asked, byHand, engine.time().nanos(), status, objection);
        if (change != null) {
            cell.drainEvents(engine.observers()::tell);
            engine.operators().freed(cell, change.after());
            if (change.moved()) {
                refresh(substrateId);
            }
            engine.placing().serve();
            engine.signal().raise();
        }
        return true;
    }

    /** What the host's predicates have against a status; null when nothing. */
    private @Nullable String objection(SubstrateStatus status, CellState state, SubstratePlan plan) {
        for (HealthPredicate predicate : predicates) {
            Verdict verdict = ask(predicate, status, state, plan);
            if (!verdict.passes()) {
                return verdict.reason();
            }
        }
        return null;
    }

    @SuppressWarnings("CatchingUnchecked") // a predicate that throws has said no
    private static Verdict ask(HealthPredicate predicate, SubstrateStatus status, CellState state, SubstratePlan plan) {
        HealthContext context = new HealthContext(
                plan.id, state.gate.limits.maxUtil, state.gate.limits.maxTemp, plan.maxJobs, 0, state.ledger.jobs());
        try {
            return predicate.test(status, context);
        } catch (RuntimeException | Error broken) {
            System.getLogger("dev.substraterouter")
                    .log(
                            System.Logger.Level.WARNING,
                            "a health predicate threw for " + plan.id + "; that is a no",
                            broken);
            return Verdict.fail("a health predicate threw " + Engine.words(broken));
        }
    }

    /** Asks for a fresh status of a substrate, now or at the end of the second. */
    void refresh(String substrateId) {
        if (sources.isEmpty() || engine.closed() || engine.revision().cell(substrateId) == null) {
            return;
        }
        Refresh refresh = refreshes.computeIfAbsent(
                substrateId, id -> new Refresh(engine.time().nanos() - REFRESH_PAUSE_NANOS));
        if (refresh.pending.compareAndSet(false, true)) {
            long left = REFRESH_PAUSE_NANOS - (engine.time().nanos() - refresh.lastNanos);
            if (left <= 0) {
                send(substrateId, refresh);
            } else {
                engine.time().schedule(Duration.ofNanos(left), () -> send(substrateId, refresh));
            }
        }
    }

    private void send(String substrateId, Refresh refresh) {
        if (refreshes.get(substrateId) != refresh) {
            return; // removed from the policy meanwhile
        }
        refresh.lastNanos = engine.time().nanos();
        refresh.pending.set(false);
        engine.execute(() -> sources.forEach(source -> refresh(source, substrateId)));
    }

    @SuppressWarnings("CatchingUnchecked") // it may run on the thread of a request, which must not be hurt
    private static void refresh(StatusSource source, String substrateId) {
        try {
            source.refresh(substrateId);
        } catch (RuntimeException | Error broken) {
            System.getLogger("dev.substraterouter")
                    .log(System.Logger.Level.WARNING, "a status source threw when asked for " + substrateId, broken);
        }
    }

    private static final class Refresh {
        final AtomicBoolean pending = new AtomicBoolean();
        volatile long lastNanos;

        Refresh(long lastNanos) {
            this.lastNanos = lastNanos;
        }
    }
}
