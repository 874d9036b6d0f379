package dev.substraterouter;

import dev.substraterouter.internal.admission.LedgerState;
import dev.substraterouter.internal.decide.Cell;
import dev.substraterouter.internal.decide.CellState;
import dev.substraterouter.internal.decide.Revision;
import dev.substraterouter.internal.plan.SubstratePlan;
import dev.substraterouter.model.AddressScope;
import dev.substraterouter.model.StatusAddress;
import dev.substraterouter.policy.NetworkScopes;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.status.HealthContext;
import dev.substraterouter.status.HealthPredicate;
import dev.substraterouter.status.StatusSink;
import dev.substraterouter.status.StatusSource;
import dev.substraterouter.status.StatusTarget;
import dev.substraterouter.status.StatusTicket;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.status.Verdict;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes statuses in, from sources and from the host, and asks for fresh ones. Thread-safe; never blocks.
 *
 * <p>A fresh status is asked for at most once a second per substrate; what is asked for within the second is asked at its end.
 */
final class StatusIntake {
    private static final String BY_HAND = "reported";
    private static final String WITH_REFUSAL = "refusal";
    private static final long REFRESH_PAUSE_NANOS = 1_000_000_000;

    private final Engine engine;
    private final List<StatusSource> sources;
    private final List<HealthPredicate> predicates;
    /** By substrate of the policy: whether a refresh is on its way, and when the last one went. */
    private final Map<String, Refresh> refreshes = new ConcurrentHashMap<>();
    /** The substrates that will be asked out of turn later. */
    private final Set<String> foreseen = ConcurrentHashMap.newKeySet();

    private final AtomicInteger retargets = new AtomicInteger();
    private volatile boolean closing;
    private volatile boolean sourcesClosed; // written by whoever is at the retargets

    StatusIntake(Engine engine, List<StatusSource> sources, List<HealthPredicate> predicates) {
        this.engine = engine;
        this.sources = List.copyOf(sources);
        this.predicates = List.copyOf(predicates);
    }

    void start() {
        for (int at = 0; at < sources.size(); at++) {
            int number = at;
            sources.get(at).start(new Sink(number + ":"));
        }
        retarget();
    }

    /** Closes the sources, after whatever they are being told now. */
    void close() {
        closing = true;
        retarget();
    }

    /** Tells the sources which substrates to ask from now on, or closes them: one call at a time, the newest policy last. */
    void retarget() {
        if (sources.isEmpty() || retargets.getAndIncrement() > 0) {
            return; // there is nobody to tell, or whoever is at it goes round once more
        }
        int seen;
        do {
            seen = retargets.get();
            if (closing) {
                closeSources();
                continue;
            }
            Revision revision = engine.revision();
            List<StatusTarget> targets = targets(revision);
            Set<String> names = names(revision);
            Duration every = revision.compiled.policy.poll().every();
            foreseen.removeIf(id -> revision.cell(id) == null);
            refreshes.keySet().removeIf(id -> revision.cell(id) == null);
            for (StatusSource source : sources) {
                Engine.guarded("a status source, told its targets,", () -> source.targets(targets));
                Engine.guarded("a status source, told the names,", () -> source.names(names, every));
            }
        } while (retargets.addAndGet(-seen) > 0);
    }

    private void closeSources() {
        if (!sourcesClosed) {
            sourcesClosed = true;
            for (StatusSource source : sources) {
                Engine.guarded("closing a status source", source::close);
            }
        }
    }

    private static List<StatusTarget> targets(Revision revision) {
        PollSettings poll = revision.compiled.policy.poll();
        AddressScope scope = revision.compiled
                .policy
                .network()
                .map(NetworkScopes::statusScope)
                .orElse(AddressScope.anywhere());
        List<StatusTarget> targets = new ArrayList<>();
        for (SubstratePlan plan : revision.compiled.substrates) {
            List<StatusAddress> addresses = plan.declared.status();
            if (!addresses.isEmpty()) {
                targets.add(new StatusTarget(plan.id, addresses, poll.every(), poll.timeout(), scope));
            }
        }
        return targets;
    }

    private static Set<String> names(Revision revision) {
        Set<String> names = new HashSet<>();
        for (SubstratePlan plan : revision.compiled.substrates) {
            names.addAll(revision.current(plan.index).gate.limits.names());
        }
        return names;
    }

    /** A name of endpoints resolves to these addresses now: wherever it matters, whoever waits may have a place, or has one less. */
    private void resolved(String host, List<InetAddress> addresses) {
        Revision revision = engine.revision();
        boolean told = false;
        for (SubstratePlan plan : revision.compiled.substrates) {
            if (revision.current(plan.index).gate.limits.names().contains(host)) {
                revision.cell(plan.index).changeGate(gate -> gate.resolved(host, addresses));
                told = true;
            }
        }
        if (told) {
            engine.waiting().serve();
            engine.signal().raise();
        }
    }

    /** What one source brings; two sources may give their readings the same name. */
    private final class Sink implements StatusSink {
        private final String prefix;

        Sink(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public StatusTicket asking(String substrateId, String source) {
            return StatusIntake.this.asking(substrateId, prefix + source);
        }

        @Override
        public void resolved(String host, List<InetAddress> addresses) {
            if (!addresses.isEmpty()) {
                StatusIntake.this.resolved(host, List.copyOf(addresses));
            }
        }
    }

    /** A source's name as it gave it. */
    static String sourceName(String numbered) {
        return numbered.replaceFirst("^\\d+:", "");
    }

    private StatusTicket asking(String substrateId, String source) {
        Cell cell = engine.revision().cell(substrateId);
        // the clock first: a lease taken in between is then in the window
        long nanos = engine.time().nanos();
        Cell.Asked asked = new Cell.Asked(nanos, taken(cell));
        AtomicBoolean used = new AtomicBoolean();
        return new StatusTicket() {
            @Override
            public void answered(SubstrateStatus status) {
                if (!used.getAndSet(true) && stillThere()) {
                    take(substrateId, source, asked, status);
                }
            }

            @Override
            public void failed(String reason) {
                if (!used.getAndSet(true) && cell != null && stillThere()) {
                    cell.changeGate(gate -> gate.missed(reason));
                }
            }

            /** Whether the substrate that was asked is still in the policy, and not another that has come under its id. */
            private boolean stillThere() {
                return cell != null && engine.revision().cell(substrateId) == cell;
            }
        };
    }

    private static LedgerState taken(@Nullable Cell cell) {
        return cell == null ? LedgerState.EMPTY : cell.get().ledger;
    }

    /** A status that the host reports. */
    void report(String substrateId, SubstrateStatus status) {
        if (!take(substrateId, BY_HAND, Cell.Asked.byHand(engine.time().nanos()), status)) {
            throw unknown(substrateId, engine.revision());
        }
    }

    /**
     * A worker has said that it is full, for so long. A status that came with it was asked when the work was sent, so it does not end the
     * mark that the refusal itself has set; shortly before the mark ends by itself a fresh one is asked for, since what the router knew of
     * the worker was evidently not so.
     */
    void full(String substrateId, long sentNanos, Throwable t, long busyNanos) {
        refreshIn(substrateId, busyNanos - Math.min(REFRESH_PAUSE_NANOS, busyNanos / 2));
        BackpressureException full = Engine.backpressure(t);
        if (full != null) {
            Cell.Asked asked = new Cell.Asked(sentNanos, taken(engine.revision().cell(substrateId)));
            full.status().ifPresent(status -> take(substrateId, WITH_REFUSAL, asked, status));
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
    private boolean take(String substrateId, String source, Cell.Asked asked, SubstrateStatus status) {
        Revision revision = engine.revision();
        SubstratePlan plan = revision.compiled.substrate(substrateId);
        if (plan == null) {
            return false;
        }
        CellState state = revision.current(plan.index);
        String objection = objection(status, state, plan);
        Cell cell = revision.cell(plan.index);
        Cell.Told told = cell.tell(source, asked, engine.time().nanos(), status, objection);
        if (told != Cell.Told.OUTDATED) {
            engine.observers().drain(cell);
            engine.operators().freed(cell);
            if (told == Cell.Told.WHILE_MOVING) {
                refresh(substrateId);
            }
            engine.waiting().serve();
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
        } catch (Throwable broken) {
            Log.warning("a health predicate threw for " + plan.id + "; that is a no", broken);
            return Verdict.fail("a health predicate threw " + Engine.words(broken));
        }
    }

    /** Asks for a fresh status of a substrate, now or at the end of the second. */
    void refresh(String substrateId) {
        if (sources.isEmpty() || engine.closed()) {
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

    /** Asks for a fresh status of a substrate later, unless that is to happen already. */
    private void refreshIn(String substrateId, long nanos) {
        if (!sources.isEmpty() && !engine.closed() && foreseen.add(substrateId)) {
            engine.time().schedule(Duration.ofNanos(nanos), () -> {
                if (foreseen.remove(substrateId)) { // else it has left the policy meanwhile
                    refresh(substrateId);
                }
            });
        }
    }

    private void send(String substrateId, Refresh refresh) {
        if (engine.closed() || refreshes.get(substrateId) != refresh) {
            return; // there is nobody to ask any more, or the substrate was removed meanwhile
        }
        refresh.lastNanos = engine.time().nanos();
        refresh.pending.set(false);
        engine.execute(() -> {
            for (StatusSource source : closing ? List.<StatusSource>of() : sources) {
                Engine.guarded("a status source, asked for a fresh status,", () -> source.refresh(substrateId));
            }
        });
    }

    private static final class Refresh {
        final AtomicBoolean pending = new AtomicBoolean();
        volatile long lastNanos;

        Refresh(long lastNanos) {
            this.lastNanos = lastNanos;
        }
    }
}
